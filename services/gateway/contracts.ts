import type { AnyOperation, Contract } from '../../shared/contract/operation.js';
import { commentsContract } from '../comments/contract.js';
import { contentContract } from '../content/contract.js';
import { identityContract } from '../identity/contract.js';
import { insightsContract } from '../insights/contract.js';
import { integrationsContract } from '../integrations/contract.js';
import { sitesContract } from '../sites/contract.js';
import { gatewayContract } from './contract.js';

/** Every contract. The gateway knows the routes of all services, so it answers 503 for a service that is down. */
const contracts: Contract[] = [
  gatewayContract,
  identityContract,
  contentContract,
  commentsContract,
  sitesContract,
  insightsContract,
  integrationsContract,
];

export const operations: AnyOperation[] = contracts.flatMap((contract) => Object.values(contract));
