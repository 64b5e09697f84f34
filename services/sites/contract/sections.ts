import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  conditionSchema,
  iconSchema,
  localizedSchema,
  segmentSchema,
  siteExternalLinkSchema,
  siteSectionGroupSchema,
  siteSectionSchema,
  siteSpaceCopySchema,
  siteSpaceSchema,
  siteStructureSchema,
} from '../resources.js';
import { onSite } from './access-rules.js';

const id = z.string().min(1).max(100);
const shareKey = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'The key of a share link: published URLs then contain it.' });

/** Where a moved item goes: before or after another one; without either, to the end. */
const positionOf = <A extends z.ZodType>(anchor: A) =>
  z.object({ before: anchor.optional(), after: anchor.optional() }).optional();

const sectionAnchor = z.object({ type: z.literal('site-section'), siteSection: id });
const siteSpaceAnchor = z.object({ type: z.literal('site-space'), siteSpace: id });
const groupAnchor = z.object({ type: z.enum(['site-section', 'site-section-group', 'site-external-link']), id });
const item = z.object({
  type: z.enum(['site-space', 'site-section', 'site-section-group', 'site-external-link']),
  id,
});

export const structureOperations = {
  getSiteStructure: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/structure',
    summary: 'Get the structure of a site',
    tag: 'Sites',
    access: onSite('view', 'site:metadata:read'),
    query: z.object({ shareKey }),
    status: 200,
    response: siteStructureSchema,
  }),
  sortSiteStructure: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/structure/sort',
    summary: 'Move an item of a site',
    tag: 'Sites',
    access: onSite('admin'),
    body: z.object({ item, position: positionOf(item) }).meta({
      examples: [
        {
          item: { type: 'site-section', id: exampleId('siteSection') },
          position: { before: { type: 'site-section-group', id: exampleId('siteSectionGroup') } },
        },
      ],
    }),
    status: 200,
    response: z.union([siteSpaceSchema, siteSectionSchema, siteSectionGroupSchema, siteExternalLinkSchema]),
  }),
};

export const sectionOperations = {
  listSiteSections: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/sections',
    summary: 'List the sections of a site',
    tag: 'Site sections',
    access: onSite('view', 'site:metadata:read'),
    query: pageQuery.extend({ shareKey }),
    status: 200,
    response: listOf(siteSectionSchema),
  }),
  addSectionToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/sections',
    summary: 'Add a section to a site',
    description:
      'The space becomes its first site space. On a flat site, existing site spaces move into a section of their own.',
    tag: 'Site sections',
    access: onSite('admin'),
    body: z
      .object({
        spaceId: id,
        title: z
          .string()
          .min(2)
          .max(64)
          .nullable()
          .optional()
          .meta({ description: 'Default: the title of the space.' }),
        icon: iconSchema.nullable().optional(),
        siteSectionGroupId: id
          .nullable()
          .optional()
          .meta({ description: 'The group that it goes into; default: none.' }),
      })
      .meta({ examples: [{ spaceId: exampleId('space'), title: 'Guides', icon: 'book' }] }),
    status: 201,
    response: siteSectionSchema,
  }),
  updateSiteSectionById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Update a section',
    tag: 'Site sections',
    access: onSite('admin'),
    body: z
      .object({
        title: z.string().min(2).max(128).optional(),
        localizedTitle: localizedSchema(128).nullable().optional(),
        path: segmentSchema.optional(),
        defaultSiteSpace: id.optional(),
        condition: conditionSchema.nullable().optional(),
        icon: iconSchema.nullable().optional(),
        description: z.string().max(256).nullable().optional(),
        localizedDescription: localizedSchema(256).nullable().optional(),
        siteSectionGroupId: id
          .nullable()
          .optional()
          .meta({ description: 'The group that it goes into, to its end; `null` takes it out of its group.' }),
      })
      .meta({
        examples: [
          { title: 'Guides', description: 'Step by step, from installation to production.', icon: 'book' },
          { localizedTitle: { de: 'Anleitungen' }, localizedDescription: { de: 'Schritt für Schritt.' } },
        ],
      }),
    status: 200,
    response: siteSectionSchema,
  }),
  deleteSiteSectionById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Remove a section with its site spaces',
    description:
      'The spaces themselves are kept. When it is the default section, the next section becomes the default.',
    tag: 'Site sections',
    access: onSite('admin'),
    status: 205,
  }),
  moveSiteSection: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move',
    summary: 'Move a section',
    description:
      'Next to a section in a group it joins that group. Without a position it goes to the end of its group or of the top level.',
    tag: 'Site sections',
    access: onSite('admin'),
    body: z
      .object({ position: positionOf(sectionAnchor) })
      .default({})
      .meta({ examples: [{ position: { before: { type: 'site-section', siteSection: exampleId('siteSection') } } }] }),
    status: 200,
    response: siteSectionSchema,
  }),
};

export const sectionGroupOperations = {
  listSiteSectionGroups: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups',
    summary: 'List the section groups of a site',
    tag: 'Site section groups',
    access: onSite('view', 'site:metadata:read'),
    query: pageQuery,
    status: 200,
    response: listOf(siteSectionGroupSchema),
  }),
  addSectionGroupToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups',
    summary: 'Add a section group to a site',
    tag: 'Site section groups',
    access: onSite('admin'),
    body: z
      .object({
        title: z.string().min(1).max(100),
        icon: iconSchema.nullable().optional(),
        sections: z.array(id).max(1000).default([]).meta({ description: 'Sections that move into it, in order.' }),
      })
      .meta({ examples: [{ title: 'Developers', icon: 'code', sections: [exampleId('siteSection')] }] }),
    status: 201,
    response: siteSectionGroupSchema,
  }),
  updateSiteSectionGroupById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Update a section group',
    tag: 'Site section groups',
    access: onSite('admin'),
    body: z
      .object({
        title: z.string().min(1).max(100).optional(),
        localizedTitle: localizedSchema(128).nullable().optional(),
        icon: iconSchema.nullable().optional(),
      })
      .meta({ examples: [{ title: 'Developers', localizedTitle: { de: 'Entwickler' }, icon: 'code' }] }),
    status: 200,
    response: siteSectionGroupSchema,
  }),
  deleteSiteSectionGroupById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Delete a section group',
    description: 'Its sections and external links are kept and take its place.',
    tag: 'Site section groups',
    access: onSite('admin'),
    status: 205,
  }),
  addSectionToGroup: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections',
    summary: 'Move a section to the end of a group',
    tag: 'Site section groups',
    access: onSite('admin'),
    body: z.object({ sectionId: id }).meta({ examples: [{ sectionId: exampleId('siteSection') }] }),
    status: 201,
    response: siteSectionGroupSchema,
  }),
  removeSectionFromGroup: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}',
    summary: 'Move a section out of its group',
    description: 'The section goes right after the group.',
    tag: 'Site section groups',
    access: onSite('admin'),
    status: 205,
  }),
  moveSiteSectionGroup: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move',
    summary: 'Move a section group',
    description: 'Next to a section or a group of the top level. Without a position it goes to the end.',
    tag: 'Site section groups',
    access: onSite('admin'),
    body: z
      .object({ position: positionOf(groupAnchor) })
      .default({})
      .meta({ examples: [{ position: { after: { type: 'site-section-group', id: exampleId('siteSectionGroup') } } }] }),
    status: 200,
    response: siteSectionGroupSchema,
  }),
};

export const siteSpaceOperations = {
  listSiteSpaces: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces',
    summary: 'List the site spaces of a site',
    tag: 'Site spaces',
    access: onSite('view', 'site:metadata:read'),
    query: pageQuery.extend({
      shareKey,
      default: z
        .boolean()
        .optional()
        .meta({ description: 'True: only the default site space; false: all others. Default: all.' }),
    }),
    status: 200,
    response: listOf(siteSpaceSchema),
  }),
  addSpaceToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces',
    summary: 'Add a space to a site',
    tag: 'Site spaces',
    access: onSite('admin'),
    body: z
      .object({
        spaceId: id,
        sectionId: id.optional().meta({ description: 'Default: the default section; on a flat site, the root.' }),
      })
      .meta({ examples: [{ spaceId: exampleId('space'), sectionId: exampleId('siteSection') }] }),
    status: 201,
    response: siteSpaceSchema,
  }),
  updateSiteSpaceById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}',
    summary: 'Update a site space',
    tag: 'Site spaces',
    access: onSite('admin'),
    body: z
      .object({
        path: segmentSchema.optional(),
        condition: conditionSchema.nullable().optional(),
        spaceId: id.optional().meta({ description: 'The space that it shows.' }),
      })
      .meta({ examples: [{ condition: 'visitor.claims.beta == true' }, { spaceId: exampleId('space') }] }),
    status: 200,
    response: siteSpaceSchema,
  }),
  duplicateSiteSpace: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/duplicate',
    summary: 'Copy a space of a site',
    description:
      'Copies the space as `duplicateSpace` does, and shows the copy right after the site space, with its settings. Alone in its section, it is copied with the section. The copy of a large space is answered 202, and is shown when it is complete.',
    tag: 'Site spaces',
    access: onSite('admin'),
    body: z
      .object({
        draft: z.literal(false, 'must be false: no part of a site is a draft').default(false),
      })
      .default({ draft: false })
      .meta({ examples: [{ draft: false }] }),
    status: 201,
    response: z.union([siteSpaceSchema, siteSpaceCopySchema]),
    accepted: siteSpaceCopySchema,
  }),
  deleteSiteSpaceById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}',
    summary: 'Remove a space from a site',
    description:
      'The space itself is kept. When it is the default site space, the next one becomes the default. A section may become empty.',
    tag: 'Site spaces',
    access: onSite('admin'),
    status: 205,
  }),
  moveSiteSpace: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move',
    summary: 'Move a site space',
    description:
      'Next to a site space in another section it joins that section. Without a position it goes to the end of its section.',
    tag: 'Site spaces',
    access: onSite('admin'),
    body: z
      .object({ position: positionOf(siteSpaceAnchor) })
      .default({})
      .meta({ examples: [{ position: { after: { type: 'site-space', siteSpace: exampleId('siteSpace') } } }] }),
    status: 200,
    response: siteSpaceSchema,
  }),
};
