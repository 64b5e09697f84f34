import { z } from 'zod';
import { domainEvent, hint } from '../../shared/contract/event.js';

/** A site was deleted, with its structure and its settings. */
export const siteDeleted = domainEvent(
  'sites',
  'siteDeleted',
  z.object({ organization: z.string(), site: z.string() }),
);

/** A site was published: visitors, and their events, may come. */
export const sitePublished = hint('sites', 'sitePublished');

/** The events that sites emits, besides audit records. */
export const sitesEvents = [siteDeleted, sitePublished];
