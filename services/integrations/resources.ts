export * from './catalogue/resources.js';
export * from './events/resources.js';
export * from './installations/resources.js';
export * from './serving/resources.js';
