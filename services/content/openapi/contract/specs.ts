import { z } from 'zod';
import { by } from '../../../../shared/contract/access.js';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import {
  specContentSchema,
  specKind,
  specRawContentSchema,
  specSchema,
  specSlugSchema,
  specVersionSchema,
  visibilities,
} from '../resources.js';

const tag = 'OpenAPI specifications';
const specPath = '/orgs/{organizationId}/openapi/{specSlug}';

/** For members, visitors of its sites and integrations. */
const readingContent = {
  ...by(['user', 'content'], 'openapi:read'),
  on: specKind,
  id: 'organizationId',
  need: 'view',
} as const;

const contentOfVisitors =
  'Also for visitors of a site: of specifications that pages which the visitor sees refer to, and of public ones.';

const sourceSchema = z
  .object({
    url: z.string().min(1).max(2048).optional().meta({
      description: 'Read now and then every six hours. May contain basic auth credentials; they are never returned.',
    }),
    text: z.string().min(1).optional().meta({ description: 'JSON or YAML, at most 16 MiB.' }),
  })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), 'must be either { url } or { text }')
  .meta({ description: 'Swagger 2.0, OpenAPI 3.0 or OpenAPI 3.1.' });

/** Texts of 16 MiB, in which JSON escapes each quote and each line. */
const bodyLimit = 32 * 1024 * 1024;

const example = { url: 'https://example.com/openapi.json' };

const cacheTags = ({ path }: { path: { organizationId: string; specSlug: string } }) => [
  `organization:${path.organizationId}:openapi:${path.specSlug}`,
];

export const specOperations = {
  listOpenAPISpecs: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/openapi',
    summary: 'List the OpenAPI specifications of an organization',
    description: 'In the order of their slugs.',
    tag,
    access: onOrganization('view', 'openapi:read'),
    query: pageQuery,
    status: 200,
    response: listOf(specSchema),
  }),
  createOpenAPISpec: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/openapi',
    summary: 'Create an OpenAPI specification',
    description: 'Its source is processed in the background: `processingState` tells when that is done.',
    tag,
    access: onOrganization('createOpenAPISpec', 'openapi:write'),
    body: z
      .object({ slug: specSlugSchema, source: sourceSchema })
      .meta({ examples: [{ slug: 'petstore', source: example }] }),
    bodyLimit,
    status: 201,
    response: specSchema,
  }),
  getOpenAPISpecBySlug: operation({
    method: 'GET',
    path: specPath,
    summary: 'Get an OpenAPI specification',
    tag,
    access: onOrganization('view', 'openapi:read'),
    status: 200,
    response: specSchema,
  }),
  createOrUpdateOpenAPISpecBySlug: operation({
    method: 'PUT',
    path: specPath,
    summary: 'Create an OpenAPI specification, or give it a source',
    description:
      'Processes the source, also when it is the same as before. A new version is made only of content that is not that of the latest.',
    tag,
    access: onOrganization('createOpenAPISpec', 'openapi:write'),
    body: z.object({ source: sourceSchema }).meta({ examples: [{ source: example }] }),
    bodyLimit,
    status: 200,
    response: specSchema,
  }),
  updateOpenAPISpecBySlug: operation({
    method: 'PATCH',
    path: specPath,
    summary: 'Set who may read an OpenAPI specification',
    tag,
    access: onOrganization('createOpenAPISpec', 'openapi:write'),
    body: z
      .object({
        visibility: z.enum(visibilities).meta({
          description: '`public`: anyone can read the latest version at `urls.published`, without a token.',
        }),
      })
      .meta({ examples: [{ visibility: 'public' }] }),
    status: 200,
    response: specSchema,
  }),
  deleteOpenAPISpecBySlug: operation({
    method: 'DELETE',
    path: specPath,
    summary: 'Delete an OpenAPI specification with its versions',
    tag,
    access: onOrganization('createOpenAPISpec', 'openapi:write'),
    status: 205,
  }),
};

export const specVersionOperations = {
  listOpenAPISpecVersions: operation({
    method: 'GET',
    path: `${specPath}/versions`,
    summary: 'List the versions of an OpenAPI specification',
    description: 'The latest first. The last 20 are kept.',
    tag,
    access: onOrganization('view', 'openapi:read'),
    query: pageQuery,
    status: 200,
    response: listOf(specVersionSchema),
  }),
  getLatestOpenAPISpecVersion: operation({
    method: 'GET',
    path: `${specPath}/versions/latest`,
    summary: 'Get the latest version of an OpenAPI specification',
    tag,
    access: onOrganization('view', 'openapi:read'),
    status: 200,
    response: specVersionSchema,
  }),
  getOpenAPISpecVersionById: operation({
    method: 'GET',
    path: `${specPath}/versions/{versionId}`,
    summary: 'Get a version of an OpenAPI specification',
    tag,
    access: onOrganization('view', 'openapi:read'),
    status: 200,
    response: specVersionSchema,
  }),
};

/** Operations that read the content of specifications, for members and visitors. */
export const specContentOperations = {
  getPublishedOpenAPISpec: operation({
    method: 'GET',
    path: `${specPath}/published`,
    summary: 'Read a public OpenAPI specification',
    description: 'The latest version: one file of OpenAPI 3.1, as JSON. 404 for a private specification.',
    tag,
    access: 'public',
    status: 200,
    response: encodedAnswer(z.record(z.string(), z.unknown())),
    cache: 'versioned',
  }),
  getLatestOpenAPISpecVersionContent: operation({
    method: 'GET',
    path: `${specPath}/versions/latest/content`,
    summary: 'Get the content of the latest version of an OpenAPI specification',
    description: contentOfVisitors,
    tag,
    access: readingContent,
    status: 200,
    response: encodedAnswer(specContentSchema),
    cache: 'versioned',
    cacheTags,
  }),
  getLatestOpenAPISpecVersionContentRaw: operation({
    method: 'GET',
    path: `${specPath}/versions/latest/content/raw`,
    summary: 'Get the text of the latest version of an OpenAPI specification',
    description:
      'As it was given: the text, or the file at the URL. 404 for a version that an earlier release processed.',
    tag,
    access: onOrganization('view', 'openapi:read'),
    status: 200,
    response: encodedAnswer(specRawContentSchema),
    cache: 'versioned',
    cacheTags,
  }),
  getOpenAPISpecVersionContentById: operation({
    method: 'GET',
    path: `${specPath}/versions/{versionId}/content`,
    summary: 'Get the content of a version of an OpenAPI specification',
    description: contentOfVisitors,
    tag,
    access: readingContent,
    status: 200,
    response: encodedAnswer(specContentSchema),
    cache: 'versioned',
    cacheTags,
  }),
};
