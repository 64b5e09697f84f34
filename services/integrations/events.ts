import { integrationChanged, siteScriptsChanged } from '../sites/events.js';

/** The events that integrations emits, besides audit records. */
export const integrationsEvents = [integrationChanged, siteScriptsChanged];
