export * from './access/resources.js';
export * from './change-requests/resources.js';
export * from './nodes/resources.js';
export * from './revisions/resources.js';
export * from './storage/resources.js';
export * from './translations/resources.js';
