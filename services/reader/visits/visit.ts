import type { PublishedSite, SiteVisit } from '../../sites/contract.js';

/** A visit of a page, with the site as its visitor sees it. */
export type Visit = Omit<Extract<SiteVisit, { shown: object }>, 'site'> & { site: PublishedSite };

/** Where a URL leads for a visitor; `refused`: the status of a refusal. */
export type VisitOutcome =
  | { visit: Visit }
  | Extract<SiteVisit, { redirect: string }>
  | { refused: 400 | 401 | 404; message: string };

/** A change is seen within a second, also when the bus is down. */
export const freshMs = 900;
