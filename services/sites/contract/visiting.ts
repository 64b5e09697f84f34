import { z } from 'zod';
import { by } from '../../../shared/contract/access.js';
import { exampleId } from '../../../shared/contract/examples.js';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation, pieceSchema } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  changeRequestSchema,
  collectionSchema,
  pageSchema,
  searchSpaceResultSchema,
  spaceSchema,
} from '../../content/resources.js';
import {
  customizationSchema,
  type PublishedContent,
  publishedContentSchema,
  siteSchema,
  siteStructureSchema,
} from '../resources.js';
import { onSite, openingSite, site, visitingSite } from './access-rules.js';

const tag = 'Published content';
const url = z.string().min(1).max(2048).meta({ description: 'The URL that a visitor requests.' });
const jwtToken = z.string().max(8192).meta({ description: 'JWT signed with the private key of the site.' });
const redirectOnError = z
  .boolean()
  .default(false)
  .meta({ description: 'Answers an invalid JWT with the redirect to the fallback URL instead of a 401.' });
const id = z.string().min(1).max(100);
const ids = z.array(id).max(1000);
const query = z.string().max(512);

/** Where something is looked for in a site. */
export const searchScope = z.union([
  z.object({ mode: z.literal('default'), includedSiteSpaces: ids.optional() }),
  z.object({ mode: z.literal('specific'), siteSpaceIds: ids.min(1) }),
  z.object({ mode: z.literal('all') }),
]);

/** Tags of the requested host, and of the site and the space found there. */
const lookupTags = (asked: string, answer: PublishedContent) => [
  `url:${new URL(asked).hostname}`,
  ...('site' in answer ? [`site:${answer.site}`] : []),
  ...('space' in answer ? [`space:${answer.space}`] : []),
];

export const contentUrlOperations = {
  getContentByUrl: operation({
    method: 'GET',
    path: '/urls/content',
    summary: 'Find the content that a URL names',
    description:
      'An address of the app, of the API or of a site: a collection, or a space with the change request and the page that it names. 404 for what the caller may not read.',
    tag,
    access: by(['user'], 'space:metadata:read'),
    query: z.object({ url: url.meta({ description: 'The URL.' }) }),
    status: 200,
    response: z.union([
      z.object({ collection: collectionSchema }),
      z.object({
        space: spaceSchema,
        changeRequest: changeRequestSchema.optional(),
        page: pageSchema.optional(),
      }),
    ]),
  }),
};

export const publishedOperations = {
  resolvePublishedContentByUrl: operation({
    method: 'POST',
    path: '/urls/published',
    summary: 'Resolve a URL of a published site',
    description: 'Answers, for one visitor, the content with a token that reads it, or where to redirect.',
    tag,
    access: 'public',
    safe: true,
    body: z
      .object({
        url,
        redirectOnError,
        visitor: z
          .object({ jwtToken: jwtToken.optional(), unsignedClaims: z.record(z.string(), z.unknown()).optional() })
          .optional(),
      })
      .meta({
        examples: [{ url: 'https://docs.example.com/getting-started', visitor: { unsignedClaims: { plan: 'pro' } } }],
      }),
    bodyLimit: 65_536,
    status: 200,
    response: publishedContentSchema,
    cacheTags: ({ body }, answer) => lookupTags(body.url, answer),
  }),
  getPublishedContentByUrl: operation({
    method: 'GET',
    path: '/urls/published',
    summary: 'Resolve a URL of a published site, without unsigned claims',
    tag,
    access: 'public',
    query: z.object({ url, visitorAuthToken: jwtToken.optional(), redirectOnError }),
    status: 200,
    response: publishedContentSchema,
    cacheTags: ({ query }, answer) => lookupTags(query.url, answer),
  }),
  getPublishedContentSite: operation({
    method: 'GET',
    path: `${site}/published`,
    summary: 'Get everything needed to render a site',
    description: 'With a content token: what its visitor sees.',
    tag,
    access: visitingSite('site:metadata:read'),
    query: z.object({ shareKey: z.string().max(100).optional().meta({ description: 'The key of a share link.' }) }),
    status: 200,
    response: z.object({
      object: z.literal('published-content-site'),
      site: siteSchema,
      structure: siteStructureSchema,
      customizations: z.object({ site: customizationSchema, siteSpaces: z.record(z.string(), customizationSchema) }),
      scripts: z.array(
        z.object({ script: z.string(), contentSecurityPolicy: z.string().optional(), cookies: z.boolean() }),
      ),
    }),
  }),
  searchSiteContent: operation({
    method: 'POST',
    path: `${site}/search`,
    summary: 'Search the pages of a site',
    description:
      'Answers spaces with hits, best first. A content token finds what its visitor sees, a user what it may read itself. For visitors, pages with conditions or expressions are evaluated for at most three seconds; those that are not evaluated by then are left out, and found when the search is repeated.',
    tag,
    access: visitingSite(),
    safe: true,
    query: pageQuery,
    body: z
      .union([
        z.object({
          query,
          scope: searchScope,
        }),
        z.object({ query, mode: z.literal('specific').optional(), siteSpaceIds: ids.min(1) }),
        z.object({ query, mode: z.literal('current'), siteSpaceId: id }),
        z.object({ query, mode: z.literal('all') }),
      ])
      .meta({
        examples: [
          { query: 'getting started', scope: { mode: 'default' } },
          { query: 'getting started', scope: { mode: 'specific', siteSpaceIds: [exampleId('siteSpace')] } },
        ],
      }),
    status: 200,
    response: listOf(searchSpaceResultSchema),
    cacheTags: ({ path }) => [`site:${path.siteId}`],
  }),
  prewarmSiteSearch: operation({
    method: 'POST',
    path: `${site}/search/prewarm`,
    summary: 'Announce that a site is searched soon',
    description:
      'Has the spaces ready that the caller would search, so that the first search of a visitor does not wait for them.',
    tag,
    access: visitingSite(),
    safe: true,
    status: 204,
  }),
};

export const previewOperations = {
  getSitePublishingPreviewById: operation({
    method: 'GET',
    path: `${site}/publishing/preview`,
    summary: 'Get a URL to preview a site',
    description:
      'The URL is valid for an hour, also while the site is unpublished. Anyone who has it sees the site, and the change requests of the spaces that it shows.',
    tag,
    access: openingSite(),
    query: z.object({
      siteSpace: z.string().min(1).max(100).optional().meta({ description: 'Default: the default site space.' }),
      claims: z
        .string()
        .max(4096)
        .optional()
        .meta({ description: 'Claims of the visitor to preview as, in Rison or JSON.' }),
      changeRequest: id.optional().meta({
        description:
          'Shows this change request, by its id or number, of the space of `siteSpace` instead of its current content.',
      }),
    }),
    status: 200,
    response: z.object({ url: webUrlSchema.max(12_288) }),
  }),
};

export const copyingOperations = {
  exportSiteHTML: operation({
    method: 'GET',
    path: `${site}/html`,
    summary: 'Export a site as static HTML',
    description:
      'A ZIP archive of all pages that visitors see who bring no claims and do not sign in, which any web server can serve. 409 for a site that has none: unpublished, or behind a share link or a sign-in. 422 for more than 20,000 pages. 412 where `READER` is false.',
    tag,
    access: onSite('admin'),
    query: z.object({
      after: z
        .string()
        .regex(/^\d{1,7}$/, 'must be a number of pages')
        .optional()
        .meta({
          description: 'Leaves out as many of the first pages: an archive that broke off goes on with another.',
        }),
    }),
    status: 200,
    response: pieceSchema,
    zip: 'site.zip',
  }),
};
