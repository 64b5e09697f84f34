export * from './archive/resources.js';
export * from './imports/content-import/resources.js';
export * from './sync/hosts/resources.js';
export * from './sync/resources.js';
