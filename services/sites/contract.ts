import { defineContract, verb } from '../../shared/contract/operation.js';
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

/** A space is gone for good: sites do not show it any more. */
export const spaceGone = verb<{ organization: string; space: string }, void>('sites', 'spaceGone');

/** Whether an organization has a site. */
export const hasSite = verb<{ organization: string; site: string }, boolean>('sites', 'hasSite');
