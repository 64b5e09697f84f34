import { consumersOf } from '../shared/contract/event.js';
import { commentsConsumes } from './comments/subscriptions.js';
import { contentConsumes } from './content/subscriptions.js';
import { identityConsumes } from './identity/subscriptions.js';
import { insightsConsumes } from './insights/subscriptions.js';
import { integrationsConsumes } from './integrations/subscriptions.js';
import { sitesConsumes } from './sites/subscriptions.js';

/** The consumers of every event, including those that run in other processes. Add a new service here. */
export const consumers = consumersOf({
  identity: identityConsumes,
  content: contentConsumes,
  comments: commentsConsumes,
  sites: sitesConsumes,
  insights: insightsConsumes,
  integrations: integrationsConsumes,
});
