import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';
import { spaceSchema } from '../../content/resources.js';
import { conditionSchema, iconSchema } from '../site/resources.js';

const published = z.object({
  published: urlSchema.optional().meta({ description: 'Present while the site is published.' }),
});

/** No part of a site is a draft: each is live with its site. */
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
    description: z.string().max(256).optional(),
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

export const siteSectionGroupSchema = z
  .object({
    object: z.literal('site-section-group'),
    id: z.string(),
    title: z.string().min(1).max(100),
    icon: iconSchema.optional(),
    draft,
    sections: z.array(siteSectionSchema).meta({ deprecated: true }),
    children: z.array(siteSectionSchema).meta({ description: 'The same as `sections`.' }),
  })
  .meta({ id: 'SiteSectionGroup' });
export type SiteSectionGroup = z.output<typeof siteSectionGroupSchema>;

export const siteStructureSchema = z
  .union([
    z.object({ type: z.literal('sections'), structure: z.array(z.union([siteSectionSchema, siteSectionGroupSchema])) }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(siteSpaceSchema) }),
  ])
  .meta({ id: 'SiteStructure' });
export type SiteStructure = z.output<typeof siteStructureSchema>;
