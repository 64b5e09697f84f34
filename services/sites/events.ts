import { z } from 'zod';
import { domainEvent, hintEvent } from '../../shared/contract/event.js';

/** A site was deleted, with its structure and its settings. */
export const siteDeleted = domainEvent(
  'sites',
  'siteDeleted',
  z.object({ organization: z.string(), site: z.string() }),
);

/** A site was published: visitors, and their events, may come. */
export const sitePublished = hintEvent('sites', 'sitePublished');

/** From integrations: an integration has a new version, or is published no longer: what it rendered is out of date. */
export const integrationChanged = domainEvent(
  'integrations',
  'integrationChanged',
  z.object({ integration: z.string() }),
);

/** From integrations: other scripts than before may belong to the pages of a site, or of all sites of an organization. */
export const siteScriptsChanged = domainEvent(
  'integrations',
  'siteScriptsChanged',
  z.object({ organization: z.string(), site: z.string().optional() }),
);

/** The events that sites emits, besides audit records. */
export const sitesEvents = [siteDeleted, sitePublished];
