export * from './assistance/resources.js';
export * from './core/resources.js';
export * from './exchange/resources.js';
export * from './format/resources.js';
export * from './format/texts/resources.js';
export * from './openapi/resources.js';
export * from './reading/resources.js';
export * from './writing/resources.js';
