import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  redirectDestinationSchema,
  redirectFlags,
  redirectResultSchema,
  redirectSourceSchema,
  siteRedirectSchema,
} from '../resources.js';
import { onSite, site, visitingSite } from './access-rules.js';

const tag = 'Site redirects';
const { draft, captureWildcard, permanent } = redirectFlags;
const redirect = `${site}/redirects/{siteRedirectId}` as const;

export const redirectOperations = {
  listSiteRedirects: operation({
    method: 'GET',
    path: `${site}/redirects`,
    summary: 'List the redirects of a site',
    tag,
    access: onSite('view'),
    query: pageQuery.extend({
      draft: z.boolean().default(false).meta({ description: 'Lists the drafts instead of those that are live.' }),
      search: z
        .string()
        .max(512)
        .optional()
        .meta({ description: 'Only those with this in their source, in any case.' }),
      orderBy: z.enum(['createdAt', 'updatedAt', 'source']).default('createdAt').meta({
        description: 'The latest first; sources by the alphabet. One that was never changed counts by its creation.',
      }),
    }),
    status: 200,
    response: listOf(siteRedirectSchema),
  }),
  createSiteRedirect: operation({
    method: 'POST',
    path: `${site}/redirects`,
    summary: 'Create a redirect',
    description:
      'An existing page takes precedence over a redirect, and a redirect without a wildcard over one with it; of those, the longest.',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        source: redirectSourceSchema.meta({
          description:
            'Path below the start of the site; unique, ignoring case. With `*` at its end it also stands for the longer paths.',
        }),
        destination: redirectDestinationSchema,
        draft: draft.default(false),
        captureWildcard: captureWildcard.default(false),
        permanent: permanent.default(false),
      })
      .meta({
        examples: [
          { source: '/old-guide', destination: { kind: 'site-section', siteSectionId: exampleId('siteSection') } },
          {
            source: '/faq',
            destination: { kind: 'site-page', siteSpaceId: exampleId('siteSpace'), pageId: exampleId('page') },
          },
          {
            source: '/v1',
            permanent: true,
            destination: { kind: 'site-space', siteSpaceId: exampleId('siteSpace') },
          },
        ],
      }),
    status: 201,
    response: siteRedirectSchema,
  }),
  updateSiteRedirectById: operation({
    method: 'PATCH',
    path: redirect,
    summary: 'Update a redirect',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        source: redirectSourceSchema.optional(),
        destination: redirectDestinationSchema.optional(),
        draft: draft.optional(),
        captureWildcard: captureWildcard.optional(),
        permanent: permanent.optional(),
      })
      .meta({
        examples: [
          { source: '/older-guide' },
          { destination: { kind: 'site-space', siteSpaceId: exampleId('siteSpace') }, permanent: true },
        ],
      }),
    status: 200,
    response: siteRedirectSchema,
  }),
  deleteSiteRedirectById: operation({
    method: 'DELETE',
    path: redirect,
    summary: 'Delete a redirect',
    tag,
    access: onSite('admin'),
    status: 205,
  }),
  bulkUpsertSiteRedirects: operation({
    method: 'PUT',
    path: `${site}/redirects`,
    summary: 'Create, change, delete and publish redirects',
    description:
      'Each item is done by itself, in order, and has a result; one that is refused hinders no other. A `destination` of null deletes; `publish` makes a draft live.',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        redirects: z
          .array(
            z.union([
              z.object({ source: redirectSourceSchema, intent: z.literal('publish') }),
              z.object({
                source: redirectSourceSchema,
                intent: z.enum(['live', 'draft']).default('live'),
                captureWildcard: captureWildcard.default(false),
                permanent: permanent.optional(),
                destination: z.union([
                  redirectDestinationSchema,
                  z.object({
                    kind: z.literal('path'),
                    spaceId: z.string().min(1).max(100),
                    path: z.string().max(2048).meta({ description: 'Of a page in this space.' }),
                  }),
                  z.null(),
                ]),
              }),
            ]),
          )
          .min(1)
          .max(500),
      })
      .meta({
        examples: [
          {
            redirects: [
              { source: '/old-guide', destination: { kind: 'site-section', siteSectionId: exampleId('siteSection') } },
              { source: '/older-guide', destination: null },
              { source: '/v1', intent: 'publish' },
            ],
          },
        ],
      }),
    bodyLimit: 4 * 1024 * 1024,
    status: 200,
    response: z.object({ results: z.array(redirectResultSchema) }),
  }),
  getSiteRedirectBySource: operation({
    method: 'GET',
    path: `${site}/redirect`,
    summary: 'Find where a path of a site redirects to',
    description: 'By the redirects of the site and of its content, and by former paths of sections and site spaces.',
    tag,
    access: visitingSite(),
    query: z.object({
      source: z.string().min(1).max(2048).meta({ description: 'Path below the start of the site.' }),
      shareKey: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'The key of a share link: the target then contains it.' }),
    }),
    status: 200,
    response: z.object({ redirect: siteRedirectSchema, target: z.string() }),
  }),
};
