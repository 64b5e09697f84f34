export * from './imports/content-import/resources.js';
