import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { onOrganization } from '../../identity/resources.js';
import {
  agentsContexts,
  customHostnameSchema,
  proxyOriginSchema,
  segmentSchema,
  siteSchema,
  siteTypes,
  titleSchema,
  visibilities,
} from '../resources.js';
import { onSite, openingSite } from './access-rules.js';

const id = z.string().min(1).max(100);

export const siteOperations = {
  listSites: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites',
    summary: 'List the sites of an organization',
    tag: 'Sites',
    access: onOrganization('view', 'site:metadata:read'),
    query: pageQuery.extend({
      space: id.optional().meta({ description: 'Only sites that show this space.' }),
      title: z.string().max(128).optional().meta({ description: 'Part of the title.' }),
      published: z.boolean().optional(),
      type: z.array(z.enum(siteTypes)).optional(),
    }),
    status: 200,
    response: listOf(siteSchema),
  }),
  createSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites',
    summary: 'Create a site',
    description: 'It starts unpublished.',
    tag: 'Sites',
    access: onOrganization('createContent'),
    body: z
      .object({
        type: z.enum(siteTypes).default('basic'),
        title: titleSchema.optional(),
        visibility: z.enum(visibilities).default('public'),
        spaces: z
          .union([z.array(id).max(1000), z.enum(['sample', 'empty'])])
          .default([])
          .meta({ description: 'Spaces that the site shows, in order; or one new space, with sample pages or empty.' }),
      })
      .default({ type: 'basic', visibility: 'public', spaces: [] })
      .meta({
        examples: [
          { title: 'Product documentation', visibility: 'unlisted', spaces: [exampleId('space')] },
          { title: 'Help center', spaces: 'sample' },
        ],
      }),
    status: 201,
    response: siteSchema,
  }),
  applyTemplateToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/template',
    summary: 'Fill a site that shows nothing',
    description:
      'With sections for documentation, an API reference, a help center and a changelog, each with a new space. 409 for a site that shows spaces.',
    tag: 'Sites',
    access: onSite('admin'),
    status: 200,
  }),
  getSiteById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Get a site',
    tag: 'Sites',
    access: onSite('view', 'site:metadata:read'),
    status: 200,
    response: siteSchema,
  }),
  updateSiteById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Update a site',
    tag: 'Sites',
    access: onSite('admin'),
    body: z
      .object({
        title: titleSchema.optional(),
        visibility: z.enum(visibilities).optional(),
        basename: segmentSchema.toLowerCase().optional(),
        hostname: customHostnameSchema
          .nullable()
          .optional()
          .meta({ description: 'The host name of the site itself; unique.' }),
        adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
        agentsContext: z.enum(agentsContexts).optional(),
        defaultSiteSpace: id.optional().meta({ description: 'Only for a site without sections.' }),
        defaultSiteSection: id.optional(),
        proxy: proxyOriginSchema
          .toLowerCase()
          .nullable()
          .optional()
          .meta({ description: 'Host and path at which your proxy shows the site.' }),
      })
      .meta({
        examples: [{ title: 'Product documentation', hostname: 'docs.example.com' }, { visibility: 'share-link' }],
      }),
    status: 200,
    response: siteSchema,
  }),
  deleteSiteById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Delete a site',
    description: 'Its spaces are kept.',
    tag: 'Sites',
    access: onSite('admin'),
    status: 205,
  }),
  publishSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/publish',
    summary: 'Publish a site',
    tag: 'Sites',
    access: openingSite(),
    status: 200,
    response: siteSchema,
  }),
  unpublishSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/unpublish',
    summary: 'Unpublish a site',
    tag: 'Sites',
    access: onSite('admin'),
    status: 200,
    response: siteSchema,
  }),
};
