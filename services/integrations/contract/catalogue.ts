import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { onOrganization } from '../../identity/resources.js';
import {
  configurationsSchema,
  contentSecurityPolicySchema,
  contentSourceSchema,
  externalLinksSchema,
  installationStatuses,
  integrationBlockSchema,
  integrationCategories,
  integrationRuntimes,
  integrationSchema,
  integrationScopes,
  integrationTargets,
  integrationVisibilities,
  maxImageBytes,
  maxScriptLength,
} from '../resources.js';
import { everybody, integration, onIntegration, onSpace } from './access-rules.js';

const tag = 'Integrations';
/** Characters of a file in base64. */
const inBase64 = (bytes: number) => Math.ceil(bytes / 3) * 4;

const search = z.string().max(100).optional().meta({ description: 'A part of the name or title.' });
export const integrationFilters = z.object({
  search,
  category: z.enum(integrationCategories).optional(),
  blockDomain: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9-_.]+$/, 'must be a domain such as example.com')
    .optional()
    .meta({ description: 'Those with a block for URLs of this domain.' }),
  blocks: z.boolean().optional().meta({ description: 'Only those with blocks, or only those without.' }),
  contentSources: z
    .boolean()
    .optional()
    .meta({ description: 'Only those with content sources, or only those without.' }),
  owner: z.string().max(100).optional().meta({ description: 'The id of the organization that published it.' }),
  scope: z.enum(integrationScopes).optional(),
  target: z.enum(integrationTargets).optional(),
});
export const searchedPage = pageQuery.extend({ search });

/** An integration as it is published. */
export const publishedSchema = z.object({
  runtime: z.enum(integrationRuntimes).default('v1').meta({
    description: '`v1`: a classic script with a `fetch` listener; `v2`: an ES module with a default export.',
  }),
  title: z.string().min(2).max(30),
  description: z.string().max(100),
  summary: z.string().max(2048).optional().meta({ description: 'Markdown.' }),
  script: z.string().min(1).max(maxScriptLength).meta({ description: 'JavaScript, in one file.' }),
  organization: z.string().min(1).max(100).meta({ description: 'The id or the host name of its organization.' }),
  icon: z
    .base64()
    .max(inBase64(maxImageBytes.icon))
    .optional()
    .meta({ description: 'PNG, JPEG, GIF or WebP of at most 250 KB.' }),
  previewImages: z
    .array(z.base64().max(inBase64(maxImageBytes.previewImages)))
    .max(3)
    .optional()
    .meta({
      description: 'PNG, JPEG, GIF or WebP of at most 1 MB each.',
    }),
  visibility: z.enum(integrationVisibilities).default('private'),
  target: z.enum(integrationTargets).default('all'),
  scopes: z.array(z.enum(integrationScopes)).max(100).default([]),
  categories: z.array(z.enum(integrationCategories)).max(20).default([]),
  blocks: z.array(integrationBlockSchema).max(100).default([]),
  contentSources: z.array(contentSourceSchema).max(100).default([]),
  externalLinks: externalLinksSchema.default([]),
  configurations: configurationsSchema.default({}),
  secrets: z
    .record(z.string().min(1).max(100), z.string().max(20_000))
    .default({})
    .meta({ description: 'Values that only the script gets. They are never shown.' }),
  contentSecurityPolicy: contentSecurityPolicySchema.optional(),
});

export const catalogueOperations = {
  listIntegrations: operation({
    method: 'GET',
    path: '/integrations',
    summary: 'List integrations',
    description:
      'Public ones; with `owner`, for members of that organization, also its own private and unlisted ones. By name.',
    tag,
    access: { caller: everybody },
    query: pageQuery.extend(integrationFilters.shape),
    status: 200,
    response: listOf(integrationSchema),
  }),
  getIntegrationByName: operation({
    method: 'GET',
    path: integration,
    summary: 'Get an integration',
    tag,
    access: onIntegration('view', everybody),
    status: 200,
    response: integrationSchema,
  }),
  publishIntegration: operation({
    method: 'POST',
    path: integration,
    summary: 'Publish an integration',
    description:
      'Creates it, or a new version of it. Needs the role `create` in the organization that owns it. A name that another organization uses is a 403.',
    tag,
    access: { caller: ['user'] },
    body: publishedSchema.meta({
      examples: [
        {
          runtime: 'v2',
          title: 'Hello',
          description: 'Says hello.',
          script: "export default { fetch: () => new Response('hello') };",
          organization: exampleId('organization'),
          scopes: ['space:content:read'],
        },
      ],
    }),
    bodyLimit: 8 * 1024 * 1024,
    status: 200,
    response: integrationSchema,
  }),
  unpublishIntegration: operation({
    method: 'DELETE',
    path: integration,
    summary: 'Unpublish an integration',
    description: 'Removes it from every organization that installed it.',
    tag,
    access: onIntegration('admin', ['user']),
    status: 204,
  }),
  setIntegrationDevelopmentMode: operation({
    method: 'PUT',
    path: `${integration}/dev`,
    summary: 'Send the events of an integration to a developer',
    description:
      'Events go to this URL instead of to the published script: those of installations in the organization that owns it, or with `all` of all installations.',
    tag,
    access: onIntegration('admin', ['user']),
    body: z
      .object({
        tunnelUrl: z.string().min(1).max(256).meta({ description: 'A public http(s) URL.' }),
        all: z.boolean().default(false),
      })
      .meta({ examples: [{ tunnelUrl: 'https://tunnel.example.com' }] }),
    status: 204,
  }),
  disableIntegrationDevelopmentMode: operation({
    method: 'DELETE',
    path: `${integration}/dev`,
    summary: 'Send the events of an integration to its published script again',
    tag,
    access: onIntegration('admin', ['user']),
    status: 205,
  }),
};

export const organizationIntegrationOperations = {
  listOrganizationIntegrations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/integrations',
    summary: 'List the integrations that an organization may install',
    description: 'Public ones, its own, and those that it has installed. By name.',
    tag,
    access: onOrganization('listIntegrations'),
    query: pageQuery.extend(integrationFilters.shape),
    status: 200,
    response: listOf(integrationSchema),
  }),
  listOrganizationIntegrationsStatus: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/integrations/installations-status',
    summary: 'List the installed integrations of an organization with their status',
    tag,
    access: onOrganization('listIntegrations'),
    query: searchedPage,
    status: 200,
    response: listOf(
      z.object({
        status: z.enum(installationStatuses),
        integration: integrationSchema,
        target: z.object({ type: z.literal('organization'), organizationId: z.string() }),
      }),
    ),
  }),
  getOrganizationIntegrationStatus: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/integrations/{integrationName}/installation_status',
    summary: 'Get the status of the installation of an integration in an organization',
    tag,
    access: onOrganization('listIntegrations'),
    status: 200,
    response: z.object({ status: z.enum(installationStatuses) }),
  }),
};

export const spaceIntegrationOperations = {
  listSpaceIntegrations: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/integrations',
    summary: 'List the integrations of a space',
    description: 'Those with an active installation on the space. By name.',
    tag,
    access: onSpace(['user']),
    query: searchedPage,
    status: 200,
    response: listOf(integrationSchema),
  }),
};
