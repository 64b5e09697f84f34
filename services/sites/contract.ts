import type { ContentCaller } from '../../shared/contract/caller.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question } from '../../shared/contract/verb.js';
import { customizationOperations } from './contract/customization.js';
import { adaptiveSchemaOperations, publishingAuthOperations, shareLinkOperations } from './contract/publishing.js';
import { redirectOperations } from './contract/redirects.js';
import {
  sectionGroupOperations,
  sectionOperations,
  siteSpaceOperations,
  structureOperations,
} from './contract/sections.js';
import { siteOperations } from './contract/sites.js';
import { previewOperations, publishedOperations } from './contract/visiting.js';

export const sitesContract = defineContract('sites', {
  ...siteOperations,
  ...structureOperations,
  ...sectionOperations,
  ...sectionGroupOperations,
  ...siteSpaceOperations,
  ...shareLinkOperations,
  ...publishingAuthOperations,
  ...previewOperations,
  ...adaptiveSchemaOperations,
  ...redirectOperations,
  ...publishedOperations,
  ...customizationOperations,
});

/** Whether an organization has a site. */
export const hasSite = question<{ organization: string; site: string }, boolean>('sites', 'hasSite');

/** Where the pages of a site are shown. */
export interface SiteAddresses {
  /** Whether visitors may see it at all. */
  published: boolean;
  /** URLs with a slash at the end; its pages are below them. */
  addresses: string[];
}

/** Where the pages of a site are shown; null when the organization has no such site. */
export const addressesOfSite = question<{ organization: string; site: string }, SiteAddresses | null>(
  'sites',
  'addressesOfSite',
);

/**
 * What the visitor of a content token may read now, and by which claims. Null when what the token was issued for is gone: the
 * site, its publication, the share link, the private key that signed the visitor's JWT, or the site space.
 */
export const standingOf = question<{ visitor: ContentCaller }, Pick<ContentCaller, 'spaces' | 'claims'> | null>(
  'sites',
  'standingOf',
);
