import { defineContract } from '../../shared/contract/operation.js';
import { commenterOperations, commentOperations, replyOperations } from './contract/operations.js';

export * from './contract/block-counts.js';
export * from './contract/notifications.js';

export const commentsContract = defineContract('comments', {
  ...commentOperations.operations,
  ...replyOperations.operations,
  ...commenterOperations.operations,
});
