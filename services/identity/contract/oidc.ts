import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  emailDomainSchema,
  groupMappingSchema,
  oidcProviderSchema,
  onOrganization,
  roleOrGuestSchema,
} from '../resources.js';

const label = z.string().min(1).max(30);
const issuer = webUrlSchema.max(512).meta({
  description:
    'The issuer as the provider names itself, without `/.well-known/openid-configuration`: by https, or by http on this machine where Bindery itself is reached by http.',
});
const clientId = z.string().min(1).max(256).meta({ description: 'The client that the provider knows Bindery as.' });

const settings = {
  clientSecret: z
    .string()
    .min(1)
    .max(1024)
    .nullable()
    .optional()
    .meta({ description: 'No answer shows it. Null for a public client.' }),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope'))
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'Must hold `openid`. Default: `openid`, `email` and `profile`.' }),
  groupsClaim: z
    .string()
    .min(1)
    .max(256)
    .nullable()
    .optional()
    .meta({ description: "The claim that names a person's groups; null for none." }),
  groups: z.array(groupMappingSchema).max(100).optional().meta({
    description:
      'Applied at each sign-in. People join and leave only teams that are named here; of several roles the highest counts, and who has one of these roles and none of their groups gets the default role.',
  }),
  emailDomains: z
    .array(emailDomainSchema)
    .max(100)
    .optional()
    .meta({ description: 'Only people with an address of one of these domains sign in. Default: all.' }),
  defaultTeam: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'The team that new members join; null for none.' }),
  defaultRole: roleOrGuestSchema.optional().meta({ description: 'The role of new members.' }),
  active: z.boolean().optional().meta({ description: 'Whether people can sign in. Default: true.' }),
};

export const oidcProviderOperations = {
  listOrganizationOIDCProviders: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/oidc',
    summary: 'List the OpenID Connect providers of an organization',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    query: pageQuery,
    status: 200,
    response: listOf(oidcProviderSchema),
  }),
  createOrganizationOIDCProvider: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/oidc',
    summary: 'Create an OpenID Connect provider',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    body: z.object({ label, issuer, clientId, ...settings }).meta({
      examples: [
        {
          label: 'Keycloak',
          issuer: 'https://keycloak.example.com/realms/docs',
          clientId: 'bindery',
          clientSecret: 'of the client',
          groupsClaim: 'groups',
          groups: [{ group: 'writers', team: exampleId('team'), role: 'edit' }],
          defaultRole: 'read',
        },
      ],
    }),
    status: 201,
    response: oidcProviderSchema,
  }),
  getOrganizationOIDCProvider: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/oidc/{oidcProviderId}',
    summary: 'Get an OpenID Connect provider',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    status: 200,
    response: oidcProviderSchema,
  }),
  updateOrganizationOIDCProvider: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/oidc/{oidcProviderId}',
    summary: 'Update an OpenID Connect provider',
    description: 'Lists are replaced as a whole. Sessions of a provider that is switched off are refused.',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    body: z
      .object({ label: label.optional(), issuer: issuer.optional(), clientId: clientId.optional(), ...settings })
      .meta({
        examples: [{ emailDomains: ['example.com'], defaultRole: null }, { active: false }],
      }),
    changesCaller: true,
    status: 200,
    response: oidcProviderSchema,
  }),
  deleteOrganizationOIDCProvider: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/oidc/{oidcProviderId}',
    summary: 'Delete an OpenID Connect provider',
    description: 'Its sessions, and the tokens made with them, are refused from then on.',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    changesCaller: true,
    status: 204,
  }),
};
