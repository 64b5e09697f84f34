import { question } from '../../../../shared/contract/verb.js';

// Content declares what it asks of the service of sites, which implements it: sites stand on content.

/** Finds which of the spaces a site of their organization shows. */
export const findShownSpaces = question<{ organization: string; spaces: string[] }, string[]>(
  'sites',
  'findShownSpaces',
);

/** Finds the spaces that a site shows; null where the organization has no such site that the caller may view. */
export const findSpacesOfSite = question<{ organization: string; site: string }, string[] | null>(
  'sites',
  'findSpacesOfSite',
);
