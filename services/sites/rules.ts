import type { Audit } from '../../shared/contract/audit.js';
import type { Caller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import type { Config } from '../../shared/settings/config.js';
import type { Store } from '../../shared/store/port.js';
import type { Renderers } from './renderers.js';
import type { Structures } from './structures.js';

/** What the rules of sites work with. */
export interface SiteRules {
  store: Store;
  structures: Structures;
  renderers: Renderers;
  config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>;
}

/** Who acts, and how it asks other services. */
export interface Acting {
  caller: Caller;
  call: Call;
  audit: Audit;
}

/** Who looks. */
export type Looking = Pick<Acting, 'caller' | 'call'>;
