import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { contentRefSchema, documentSchema } from '../../format/resources.js';

const gitBlobSchema = z.object({ oid: z.string(), path: z.string() });

export const fileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    downloadURL: urlSchema,
    size: z.number().int(),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: gitBlobSchema.optional(),
  })
  .meta({ id: 'RevisionFile' });
export type FileResource = z.output<typeof fileSchema>;

export const layoutSchema = z.object({
  width: z.enum(['default', 'wide']),
  cover: z.boolean(),
  coverSize: z.enum(['hero', 'full']),
  title: z.boolean(),
  description: z.boolean(),
  tableOfContents: z.boolean(),
  outline: z.boolean(),
  pagination: z.boolean(),
  metadata: z.boolean(),
  coverMask: z.enum(['none', 'radial']),
  tags: z.boolean(),
  actions: z.boolean(),
  anchors: z.boolean(),
});

const pageBase = { id: z.string(), title: z.string(), emoji: z.string().optional(), icon: z.string().optional() };
const dates = { createdAt: timestampSchema.optional(), updatedAt: timestampSchema.optional() };
const indexing = { hidden: z.boolean(), noIndex: z.boolean(), noRobotsIndex: z.boolean() };

export const metaLinksSchema = z
  .object({ canonical: contentRefSchema.optional(), alternates: z.array(contentRefSchema) })
  .meta({ id: 'RevisionPageMetaLinks' });

const pageFields = z.object({
  ...pageBase,
  ...dates,
  kind: z.enum(['sheet', 'group', 'link']).optional().meta({ deprecated: true }),
  type: z.enum(['document', 'group', 'link', 'computed']),
  urls: z.object({ app: urlSchema }).optional(),
  slug: z.string().optional(),
  path: z.string().optional(),
  description: z.string().optional(),
  documentId: z.string().optional(),
  markdown: z.string().optional(),
  source: z.string().optional().meta({ description: 'The source file of the page, with `format=source`.' }),
  document: documentSchema.optional(),
  git: gitBlobSchema.optional(),
  layout: layoutSchema.optional(),
  cover: z
    .object({ ref: contentRefSchema.optional(), refDark: contentRefSchema.optional(), yPos: z.number() })
    .optional(),
  metaLinks: metaLinksSchema.optional(),
  tags: z
    .array(z.object({ tag: z.object({ kind: z.literal('tag'), tag: z.string() }), primary: z.boolean() }))
    .optional(),
  variables: z.record(z.string(), z.unknown()).optional(),
  ...z.object(indexing).partial().shape,
  target: contentRefSchema.optional(),
  href: z.string().optional(),
  computed: z.looseObject({ type: z.string() }).optional(),
  computedSeed: z.string().optional(),
});

/** A page of a revision; groups and documents hold child pages. */
export type Page = z.output<typeof pageFields> & { pages?: Page[] | undefined };
export const pageSchema: z.ZodType<Page> = pageFields.extend({ pages: z.array(z.lazy(() => pageSchema)).optional() });
z.globalRegistry.add(pageSchema, { id: 'RevisionPage' });

export const reusableContentSchema = z
  .object({ id: z.string(), title: z.string(), document: z.string().optional(), git: gitBlobSchema.optional() })
  .meta({ id: 'RevisionReusableContent' });
export type ReusableContent = z.output<typeof reusableContentSchema>;

export const tagColors = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
  '$tint',
] as const;
export const tagSchema = z
  .object({ slug: z.string(), label: z.string(), color: z.enum(tagColors), icon: z.string().optional() })
  .meta({ id: 'RevisionTag' });
export type RevisionTag = z.output<typeof tagSchema>;

export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;
