export * from './access/resources.js';
export * from './change-requests/resources.js';
export * from './merging/resources.js';
export * from './reading/resources.js';
export * from './revisions/resources.js';
export * from './search/resources.js';
export * from './storage/resources.js';
export * from './tree/resources.js';
