import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/paging.js';
import { redirectDestinationSchema, redirectSourceSchema, siteRedirectSchema } from '../resources.js';
import { onSite, site, visitingSite } from './access-rules.js';

const tag = 'Site redirects';
const redirect = `${site}/redirects/{siteRedirectId}` as const;

export const redirectOperations = {
  listSiteRedirects: operation({
    method: 'GET',
    path: `${site}/redirects`,
    summary: 'List the redirects of a site',
    tag,
    access: onSite('view'),
    query: pageQuery,
    status: 200,
    response: listOf(siteRedirectSchema),
  }),
  createSiteRedirect: operation({
    method: 'POST',
    path: `${site}/redirects`,
    summary: 'Create a redirect',
    description: 'An existing page takes precedence over a redirect.',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        source: redirectSourceSchema.meta({ description: 'Path below the start of the site; unique, ignoring case.' }),
        destination: redirectDestinationSchema,
      })
      .meta({
        examples: [
          { source: '/old-guide', destination: { kind: 'site-section', siteSectionId: exampleId('siteSection') } },
          {
            source: '/faq',
            destination: { kind: 'site-page', siteSpaceId: exampleId('siteSpace'), pageId: exampleId('page') },
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
      .object({ source: redirectSourceSchema.optional(), destination: redirectDestinationSchema.optional() })
      .meta({
        examples: [
          { source: '/older-guide' },
          { destination: { kind: 'site-space', siteSpaceId: exampleId('siteSpace') } },
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
