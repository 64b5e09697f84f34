import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';

export const redirectSourceSchema = z
  .string()
  .max(512)
  .regex(
    /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/,
    'must be a path such as /old/page, percent-encoded, without a trailing slash',
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

export const siteRedirectSchema = z
  .object({
    object: z.literal('site-redirect'),
    id: z.string(),
    source: z.string(),
    draft: z.literal(false),
    captureWildcard: z.literal(false),
    permanent: z.literal(false),
    destination: redirectDestinationSchema,
    createdAt: timestampSchema.meta({
      description: 'When it was created; of a redirect that nobody created, when the site was.',
    }),
  })
  .meta({ id: 'SiteRedirect' });
export type SiteRedirect = z.output<typeof siteRedirectSchema>;
