import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { urlSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { onOrganization, roleOrGuestSchema, samlProviderSchema } from '../resources.js';
import { onKnownOrganization } from './access-rules.js';

const label = z.string().min(1).max(30);
const settings = {
  entityID: z.string().min(1).max(1024).optional().meta({ description: 'The entity id of the identity provider.' }),
  certificate: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: 'X.509 certificate that the identity provider signs with; PEM or bare base64.' }),
  ssoURL: webUrlSchema
    .optional()
    .meta({ description: 'Address at which the identity provider accepts sign-in requests.' }),
  defaultTeam: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'The team that new members join; null for none.' }),
  defaultRole: roleOrGuestSchema.optional().meta({ description: 'The role of new members.' }),
};

export const samlProviderOperations = {
  listSAMLProvidersInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/saml',
    summary: 'List the SAML providers of an organization',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    query: pageQuery,
    status: 200,
    response: listOf(samlProviderSchema),
  }),
  createOrganizationSAMLProvider: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/saml',
    summary: 'Create a SAML provider',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    body: z
      .object({ label, ...settings })
      .meta({ examples: [{ label: 'Okta', defaultTeam: exampleId('team'), defaultRole: 'read' }] }),
    status: 201,
    response: samlProviderSchema,
  }),
  getOrganizationSAMLProviderById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Get a SAML provider',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    status: 200,
    response: samlProviderSchema,
  }),
  updateOrganizationSAMLProvider: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Update a SAML provider',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    body: z.object({ label: label.optional(), ...settings }).meta({
      examples: [{ entityID: 'https://idp.example.com/saml', ssoURL: 'https://idp.example.com/saml/sign-in' }],
    }),
    status: 200,
    response: samlProviderSchema,
  }),
  deleteOrganizationSAMLProvider: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/saml/{samlProviderId}',
    summary: 'Delete a SAML provider',
    description: 'Tokens that it issued, and those made with them, are refused from then on.',
    tag: 'Single sign-on',
    access: onOrganization('admin'),
    changesCaller: true,
    status: 204,
  }),
  listSSOProviderLoginsInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sso',
    summary: 'List the sign-in addresses of an organization',
    description: 'One for each active provider.',
    tag: 'Single sign-on',
    access: onKnownOrganization,
    status: 200,
    response: z.object({ items: z.array(z.object({ id: z.string(), label: z.string(), startURL: urlSchema })) }),
  }),
};
