import { defineContract } from '../../shared/contract/operation.js';
import { coreOperations } from './core/contract.js';
import { exchangeOperations } from './exchange/contract.js';
import { openAPIOperations } from './openapi/contract.js';
import { readingOperations } from './reading/contract.js';
import { writingOperations } from './writing/contract.js';

export * from './core/contract.js';
export * from './exchange/contract.js';
export * from './format/contract.js';
export * from './reading/contract.js';

export const contentContract = defineContract('content', {
  ...coreOperations,
  ...openAPIOperations,
  ...readingOperations,
  ...writingOperations,
  ...exchangeOperations,
});
