import { z } from 'zod';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { question, verb } from '../../../shared/contract/verb.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  communityTypes,
  emailDomainSchema,
  hostnameSchema,
  onOrganization,
  organizationSchema,
  organizationTypes,
  roleOrGuestSchema,
  subdomainSchema,
  useCases,
} from '../resources.js';
import { anyUser, onKnownOrganization } from './access-rules.js';

const emailDomains = z.array(emailDomainSchema).max(100);

export const organizationOperations = {
  listOrganizationsForAuthenticatedUser: operation({
    method: 'GET',
    path: '/orgs',
    summary: 'List the organizations of the user',
    tag: 'Organizations',
    access: anyUser,
    query: pageQuery,
    status: 200,
    response: listOf(organizationSchema),
  }),
  createOrganization: operation({
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organization',
    description: 'The caller becomes its first admin. 403 for a token of a single sign-on, which could not access it.',
    tag: 'Organizations',
    access: anyUser,
    body: z
      .object({
        title: z.string().min(2).max(255),
        emailDomains: emailDomains.default([]),
        type: z.enum(organizationTypes).default('business'),
        useCase: z.enum(useCases).optional(),
        communityType: z.enum(communityTypes).optional(),
      })
      .meta({
        examples: [{ title: 'Example Inc', emailDomains: ['example.com'], type: 'business', useCase: 'productDocs' }],
      }),
    changesCaller: true,
    status: 201,
    response: organizationSchema,
  }),
  getOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}',
    summary: 'Get an organization',
    tag: 'Organizations',
    access: onKnownOrganization,
    status: 200,
    response: organizationSchema,
  }),
  updateOrganizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}',
    summary: 'Update an organization',
    tag: 'Organizations',
    access: onOrganization('admin'),
    body: z
      .object({
        title: z.string().min(2).max(255).optional(),
        emailDomains: emailDomains
          .optional()
          .meta({ description: 'People with an address of one of these domains may join.' }),
        hostname: hostnameSchema.optional(),
        defaultRole: roleOrGuestSchema
          .optional()
          .meta({ description: 'Role of people who join by their e-mail domain.' }),
        defaultContent: z
          .object({ type: z.literal('site'), site: z.string().min(1).max(100) })
          .nullable()
          .optional(),
        logo: webUrlSchema.nullable().optional(),
        sso: z.boolean().optional().meta({ description: 'Whether all members except admins must use single sign-on.' }),
        ai: z.boolean().optional(),
        inviteLinks: z.boolean().optional().meta({ description: 'Whether people may join by invite links.' }),
      })
      .meta({ examples: [{ title: 'Example Inc', emailDomains: ['example.com'], defaultRole: 'read' }] }),
    changesCaller: true,
    status: 200,
    response: organizationSchema,
  }),
  getOrganizationsForEmailDomain: operation({
    method: 'GET',
    path: '/email-domains/{emailDomain}/orgs',
    summary: 'List the organizations that people of an e-mail domain may join',
    description:
      'Organizations of this domain that the caller is a member of, and all of them when its own address is of this domain.',
    tag: 'Organizations',
    access: anyUser,
    status: 200,
    response: z.object({ organizations: z.array(organizationSchema) }),
  }),
  getSubdomain: operation({
    method: 'GET',
    path: '/subdomains/{subdomain}',
    summary: 'Get the target of a subdomain',
    tag: 'Organizations',
    access: anyUser,
    status: 200,
    response: subdomainSchema,
  }),
};

/** An archive of an organization, by its hash. */
export interface ImportedArchive {
  organization: string;
  archive: string;
}

/**
 * Asks whether an archive may be imported: its organization is not here, or an earlier import of the same archive did not end. Throws 409 with
 * the reason where it may not.
 */
export const checkArchiveImport = question<ImportedArchive & { hostname?: string | undefined }, void>(
  'identity',
  'checkArchiveImport',
);

/** Somebody who belongs to an organization that is imported. */
export interface ArchivedPerson {
  user: string;
  email: string;
  displayName: string;
}

/**
 * Makes the accounts of people who have none: those with an account for their address keep it. Returns the ids of the others' accounts, by the ids
 * that the archive has.
 */
export const makeAccounts = verb<{ people: ArchivedPerson[] }, Record<string, string>>('identity', 'makeAccounts');

/** Ends an import: the organization is as any other from now on. */
export const endArchiveImport = verb<ImportedArchive, void>('identity', 'endArchiveImport');
