export * from './access/resources.js';
export * from './change-requests/resources.js';
export * from './fonts/resources.js';
export * from './nodes/resources.js';
export * from './revisions/resources.js';
export * from './storage/resources.js';
export * from './storage/uploads/resources.js';
export * from './translations/resources.js';
