import { contentImportOperations } from './contract/content-imports.js';
import { exportOperations } from './contract/git-exports.js';
import { importOperations } from './contract/git-imports.js';

export * from './contract/pasted-text.js';

export const exchangeOperations = { ...importOperations, ...exportOperations, ...contentImportOperations };
