import { verb } from '../../../shared/contract/verb.js';
import { contentImportOperations } from './contract/content-imports.js';
import { exportOperations } from './contract/git-exports.js';
import { importOperations } from './contract/git-imports.js';

export const exchangeOperations = { ...importOperations, ...exportOperations, ...contentImportOperations };

export interface ImportHandbook {
  organization: string;
  /** The user who gets the space. */
  creator: string;
  /** The id of the space. */
  space: string;
}

/** Makes a space of the handbook that ships with the product; an existing space of this id is left as it is. */
export const importHandbook = verb<ImportHandbook, void>('content', 'importHandbook');
