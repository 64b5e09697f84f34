import { question } from '../../../shared/contract/verb.js';
import { changeOperations } from './contract/changes.js';
import { computedOperations } from './contract/computed.js';
import { historyOperations } from './contract/history.js';
import { mergingOperations } from './contract/merging.js';

export * from './contract/differences.js';
export * from './contract/drafts.js';

export const writingOperations = {
  ...changeOperations,
  ...mergingOperations,
  ...historyOperations,
  ...computedOperations,
};

export interface ComputeContent {
  organization: string;
  space: string;
  integration: string;
  /** The id of one of its content sources. */
  contentSource: string;
  kind: 'document' | 'revision';
  props: object;
  dependencies: object;
}

/**
 * Asks integrations for what the script of one computes (events `content_compute_document` and `content_compute_revision`), as it answers it. Throws 404
 * where the integration is not installed on the space, or has no such content source.
 */
export const computeContent = question<ComputeContent, unknown>('integrations', 'computeContent');
