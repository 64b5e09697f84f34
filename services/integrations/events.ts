import { z } from 'zod';
import { domainEvent } from '../../shared/contract/event.js';

/** An integration has a new version, or is published no longer: what it rendered is out of date. */
export const integrationChanged = domainEvent(
  'integrations',
  'integrationChanged',
  z.object({ integration: z.string() }),
);

/** Other scripts than before may belong to the pages of a site, or of all sites of an organization. */
export const siteScriptsChanged = domainEvent(
  'integrations',
  'siteScriptsChanged',
  z.object({ organization: z.string(), site: z.string().optional() }),
);

/** The events that integrations emits, besides audit records. */
export const integrationsEvents = [integrationChanged, siteScriptsChanged];
