import type { Caller } from '../../../shared/contract/caller.js';
import type { IntegrationTokens } from '../../../shared/contract/integration-token.js';
import type { Call } from '../../../shared/contract/service.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import type { QueueDependencies } from '../deliveries/queue/queue.js';

export interface InstallationDependencies extends CatalogueDependencies, QueueDependencies {
  /** The address at which scripts reach the API, without a slash at the end. */
  apiEndpoint: string;
  tokens: IntegrationTokens;
  /** Calls other services as another caller, after the caller's own access was checked here. */
  callAs: (caller: Caller) => Call;
}
