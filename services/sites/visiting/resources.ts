import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';

/** A URL whose path is longer than the requested one, because it is encoded. */
const longURLSchema = z.url().max(32_768);

export const publishedContentSchema = z
  .union([
    z.object({ target: z.enum(['application', 'content']), redirect: longURLSchema }),
    z.object({
      target: z.literal('external'),
      site: z.string().meta({ description: 'The site that the URL leads to.' }),
      redirect: longURLSchema,
    }),
    z.object({
      site: z.string(),
      siteSection: z.string().optional(),
      siteSpace: z.string(),
      space: z.string(),
      changeRequest: z.string().optional(),
      revision: z.string().optional(),
      pathname: z.string().meta({ description: 'Path of the page in the content, without a leading slash.' }),
      basePath: z.string().meta({ description: 'The part of the URL path before `pathname`.' }),
      siteBasePath: z.string().meta({ description: 'The part of the URL path before section and site space.' }),
      apiToken: z
        .string()
        .meta({ description: 'Content token that reads what this visitor may see; valid for at least half an hour.' }),
      organization: z.string(),
      shareKey: z.string().optional(),
      complete: z.boolean().meta({ description: 'No longer path leads to another section or site space.' }),
      contextId: z.string().optional().meta({ description: 'Changes with the claims of the visitor.' }),
      canonicalUrl: longURLSchema,
    }),
  ])
  .meta({ id: 'PublishedSiteContentLookup' });
export type PublishedContent = z.output<typeof publishedContentSchema>;

/** A script that the pages of a space or site load. */
export const integrationScriptSchema = z.object({
  script: urlSchema,
  contentSecurityPolicy: z.string().optional(),
  cookies: z.boolean().meta({ description: 'Whether it may set cookies.' }),
});
export type IntegrationScript = z.output<typeof integrationScriptSchema>;
