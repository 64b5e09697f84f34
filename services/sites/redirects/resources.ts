import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';

/** Characters of the longest source. */
export const maxSource = 512;

export const redirectSourceSchema = z
  .string()
  .max(maxSource)
  .regex(
    /^(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)+(?:\/?\*)?$/,
    'must be a path such as /old/page, or one with a wildcard at its end such as /old/*; percent-encoded, without a query, empty segments or a trailing slash',
  );

export const redirectDestinationSchema = z.union([
  z.object({ kind: z.literal('site-section'), siteSectionId: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('site-space'), siteSpaceId: z.string().min(1).max(100) }),
  z.object({
    kind: z.literal('site-page'),
    siteSpaceId: z.string().min(1).max(100),
    pageId: z.string().min(1).max(100),
  }),
]);
export type RedirectDestination = z.output<typeof redirectDestinationSchema>;

export const redirectFlags = {
  draft: z.boolean().meta({ description: 'It is not live: no path leads to it.' }),
  captureWildcard: z
    .boolean()
    .meta({ description: 'What the `*` of the source stands for is appended to the address of the destination.' }),
  permanent: z
    .boolean()
    .meta({ description: 'Renderers answer public visitors with 308; else, and in previews, with 307.' }),
};

export const siteRedirectSchema = z
  .object({
    object: z.literal('site-redirect'),
    id: z.string(),
    source: z.string(),
    ...redirectFlags,
    destination: redirectDestinationSchema,
    createdAt: timestampSchema.meta({
      description: 'When it was created; of a redirect that nobody created, when the site was.',
    }),
    updatedAt: timestampSchema.optional().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'SiteRedirect' });
export type SiteRedirect = z.output<typeof siteRedirectSchema>;

const done = { source: z.string(), draft: z.boolean() };

export const redirectResultSchema = z
  .union([
    z.object({ status: z.enum(['created', 'updated', 'published']), ...done, id: z.string() }),
    z.object({ status: z.literal('deleted'), ...done }),
    z.object({ status: z.literal('error'), ...done, error: z.string().meta({ description: 'Why nothing was done.' }) }),
  ])
  .meta({ id: 'SiteRedirectResult' });
