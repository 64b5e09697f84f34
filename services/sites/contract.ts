import type { ContentCaller } from '../../shared/contract/caller.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question } from '../../shared/contract/verb.js';
import { customizationOperations } from './contract/customization.js';
import { publishedOperations } from './contract/published.js';
import { publishingOperations } from './contract/publishing.js';
import { redirectOperations } from './contract/redirects.js';
import { siteOperations } from './contract/sites.js';
import { structureOperations } from './contract/structure.js';

export const sitesContract = defineContract('sites', {
  ...siteOperations,
  ...structureOperations,
  ...publishingOperations,
  ...redirectOperations,
  ...publishedOperations,
  ...customizationOperations,
});

/** Whether an organization has a site. */
export const hasSite = question<{ organization: string; site: string }, boolean>('sites', 'hasSite');

/**
 * What the visitor of a content token reads now, and by which claims; null when what the token was given out for is gone:
 * the site, its publication, the share link, the key of the visitor's JWT, the site space.
 */
export const standingOf = question<{ visitor: ContentCaller }, Pick<ContentCaller, 'spaces' | 'claims'> | null>(
  'sites',
  'standingOf',
);
