import { z } from 'zod';
import { urlSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { spaceSchema } from '../../content/resources.js';
import { conditionSchema, iconSchema, localizedSchema } from '../site/resources.js';

const published = z.object({
  published: urlSchema.optional().meta({ description: 'Present while the site is published.' }),
});

/** No section, group or site space is a draft: each is live with its site. */
const draft = z.literal(false);

export const siteSpaceSchema = z
  .object({
    object: z.literal('site-space'),
    id: z.string(),
    path: z.string().min(1).max(100),
    section: z.string().optional(),
    space: spaceSchema,
    title: z.string(),
    default: z.boolean().optional(),
    draft,
    condition: conditionSchema.optional(),
    hasAdvancedCustomizationFeature: z.boolean().optional(),
    urls: published,
  })
  .meta({ id: 'SiteSpace' });
export type SiteSpace = z.output<typeof siteSpaceSchema>;

/** The copy of a site space that has no content yet. */
export const siteSpaceCopySchema = z
  .object({
    object: z.literal('site-space-copy'),
    id: z.string().meta({ description: 'The id of the site space that shows the copy.' }),
    space: z.string().meta({ description: 'The id that the copy of the space will have.' }),
    urls: z.object({ location: urlSchema.meta({ description: 'Where the copy of the space will be.' }) }),
  })
  .meta({ id: 'SiteSpaceCopy' });
export type SiteSpaceCopy = z.output<typeof siteSpaceCopySchema>;

export const siteSectionSchema = z
  .object({
    object: z.literal('site-section'),
    id: z.string(),
    title: z.string().min(1).max(128),
    localizedTitle: localizedSchema(128).optional(),
    description: z.string().max(256).optional(),
    localizedDescription: localizedSchema(256).optional(),
    default: z.boolean().optional(),
    draft,
    path: z.string().min(1).max(100),
    condition: conditionSchema.optional(),
    sectionGroup: z.string().optional(),
    icon: iconSchema.optional(),
    siteSpaces: z.array(siteSpaceSchema),
    urls: published,
  })
  .meta({ id: 'SiteSection' });
export type SiteSection = z.output<typeof siteSectionSchema>;

export const siteExternalLinkSchema = z
  .object({
    object: z.literal('site-external-link'),
    id: z.string(),
    title: z.string().min(2).max(128),
    localizedTitle: localizedSchema(128).optional(),
    description: z.string().max(256).optional(),
    localizedDescription: localizedSchema(256).optional(),
    icon: iconSchema.optional(),
    url: webUrlSchema,
    sectionGroup: z.string().optional().meta({ description: 'The group that it stands in; absent at the top level.' }),
    draft: z.boolean().meta({ description: 'Visitors do not see it.' }),
    condition: conditionSchema.optional(),
  })
  .meta({ id: 'SiteExternalLink' });
export type SiteExternalLink = z.output<typeof siteExternalLinkSchema>;

export const siteSectionGroupSchema = z
  .object({
    object: z.literal('site-section-group'),
    id: z.string(),
    title: z.string().min(1).max(100),
    localizedTitle: localizedSchema(128).optional(),
    icon: iconSchema.optional(),
    draft,
    sections: z.array(siteSectionSchema).meta({ deprecated: true }),
    children: z
      .array(z.union([siteSectionSchema, siteExternalLinkSchema]))
      .meta({ description: 'The sections and external links, in order.' }),
  })
  .meta({ id: 'SiteSectionGroup' });
export type SiteSectionGroup = z.output<typeof siteSectionGroupSchema>;

/** The sections that are an entry of a structure, or are in it. */
export function sectionsIn(entry: PartOfSite): SiteSection[] {
  if (entry.object === 'site-section-group') return entry.sections;
  return entry.object === 'site-section' ? [entry] : [];
}

/** An entry of a structure. */
export type PartOfSite = SiteSection | SiteSectionGroup | SiteExternalLink;

export const siteStructureSchema = z
  .union([
    z.object({
      type: z.literal('sections'),
      structure: z.array(z.union([siteSectionSchema, siteSectionGroupSchema, siteExternalLinkSchema])),
    }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(siteSpaceSchema) }),
  ])
  .meta({ id: 'SiteStructure' });
export type SiteStructure = z.output<typeof siteStructureSchema>;
