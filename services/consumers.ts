import { consumersOf } from '../shared/contract/event.js';
import { contentConsumes } from './content/subscriptions.js';
import { identityConsumes } from './identity/subscriptions.js';
import { sitesConsumes } from './sites/subscriptions.js';

/** The consumers of every event, also those that run in other processes. A new service is added here. */
export const consumers = consumersOf({ identity: identityConsumes, content: contentConsumes, sites: sitesConsumes });
