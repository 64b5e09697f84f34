import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import {
  customizationOverridesSchema,
  customizationSchema,
  defaultCustomization,
  sentCustomizationSchema,
} from '../resources.js';
import { onSite } from './access-rules.js';

const query = z.object({
  unmasked: z.boolean().default(false).meta({ deprecated: true, description: 'Has no effect: nothing is masked.' }),
});

export const customizationOperations = {
  getSiteCustomizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Get the customization of a site',
    description: 'Complete, with defaults for everything unset.',
    tag: 'Site customization',
    access: onSite('view', 'site:metadata:read'),
    query,
    status: 200,
    response: customizationSchema,
  }),
  updateSiteCustomizationById: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Set the customization of a site',
    description: 'Replaces the whole customization: an absent optional field is unset.',
    tag: 'Site customization',
    access: onSite('admin'),
    body: sentCustomizationSchema.meta({ examples: [defaultCustomization] }),
    status: 200,
    response: customizationSchema,
  }),
  getSiteSpaceCustomizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Get the customization of a site space',
    description: 'The customization of the site with the overrides of the site space.',
    tag: 'Site customization',
    access: onSite('view', 'site:metadata:read'),
    query,
    status: 200,
    response: customizationSchema,
  }),
  overrideSiteSpaceCustomizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Override the customization of a site for a site space',
    description: 'Null resets a field to the value of the site.',
    tag: 'Site customization',
    access: onSite('admin'),
    body: customizationOverridesSchema.meta({ examples: [{ title: 'API reference', themes: { default: 'dark' } }] }),
    status: 200,
    response: customizationSchema,
  }),
  deleteSiteSpaceCustomizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Delete the customization overrides of a site space',
    tag: 'Site customization',
    access: onSite('admin'),
    status: 205,
  }),
};
