import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { customizationOverridesSchema, customizationSchema } from '../resources.js';
import { onSite } from './access.js';

const query = z.object({
  unmasked: z
    .boolean()
    .default(false)
    .meta({ deprecated: true, description: 'Nothing is masked here, whatever it says.' }),
});

export const customizationOperations = {
  getSiteCustomizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Get how a site looks',
    description: 'Complete, with defaults for everything unset.',
    tag: 'Site customization',
    access: onSite('view'),
    query,
    status: 200,
    response: customizationSchema,
  }),
  updateSiteCustomizationById: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Set how a site looks',
    description: 'Takes the whole of it: an optional field that is left out is unset.',
    tag: 'Site customization',
    access: onSite('admin'),
    body: customizationSchema,
    status: 200,
    response: customizationSchema,
  }),
  getSiteSpaceCustomizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Get how a site space looks',
    description: 'That of the site with the overrides of the site space.',
    tag: 'Site customization',
    access: onSite('view'),
    query,
    status: 200,
    response: customizationSchema,
  }),
  overrideSiteSpaceCustomizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Let a site space look otherwise than its site',
    description: 'Null resets a field to that of the site.',
    tag: 'Site customization',
    access: onSite('admin'),
    body: customizationOverridesSchema,
    status: 200,
    response: customizationSchema,
  }),
  deleteSiteSpaceCustomizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Let a site space look like its site',
    tag: 'Site customization',
    access: onSite('admin'),
    status: 205,
  }),
};
