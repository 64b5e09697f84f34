import type { AnyOperation, Contract } from '../../shared/contract/operation.js';
import { contentContract } from '../content/contract.js';
import { identityContract } from '../identity/contract.js';
import { sitesContract } from '../sites/contract.js';
import { gatewayContract } from './contract.js';

/** Every contract of the house. A service that is down answers 503, for its routes are known here. */
const contracts: Contract[] = [gatewayContract, identityContract, contentContract, sitesContract];

export const operations: AnyOperation[] = contracts.flatMap((contract) => Object.values(contract));
