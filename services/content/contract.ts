import { defineContract } from '../../shared/contract/operation.js';
import { registerInviteTarget } from '../identity/resources.js';
import { assistanceOperations } from './assistance/contract.js';
import { coreOperations } from './core/contract.js';
import { exchangeOperations } from './exchange/contract.js';
import { openAPIOperations } from './openapi/contract.js';
import { readingOperations } from './reading/contract.js';
import { collectionKind, collectionSchema, spaceKind, spaceSchema } from './resources.js';
import { writingOperations } from './writing/contract.js';

export * from './assistance/contract.js';
export * from './core/contract.js';
export * from './exchange/contract.js';
export * from './format/contract.js';
export * from './reading/contract.js';
export * from './writing/contract.js';

export const contentContract = defineContract('content', {
  ...coreOperations,
  ...readingOperations,
  ...writingOperations,
  ...exchangeOperations,
  ...openAPIOperations,
  ...assistanceOperations,
});

registerInviteTarget('space', {
  kind: spaceKind,
  schema: spaceSchema,
  read: (call, spaceId) => call(contentContract.getSpaceById, { path: { spaceId } }),
});
registerInviteTarget('collection', {
  kind: collectionKind,
  schema: collectionSchema,
  read: (call, collectionId) => call(contentContract.getCollectionById, { path: { collectionId } }),
});
