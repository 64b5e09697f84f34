export * from './history/resources.js';
export * from './merging/resources.js';
