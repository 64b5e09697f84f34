import { changeOperations } from './contract/changes.js';
import { computedOperations } from './contract/computed.js';
import { historyOperations } from './contract/history.js';
import { mergingOperations } from './contract/merging.js';

export const writingOperations = {
  ...changeOperations,
  ...mergingOperations,
  ...historyOperations,
  ...computedOperations,
};
