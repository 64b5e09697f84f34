export * from './catalogue/resources.js';
export * from './deliveries/queue/resources.js';
export * from './installations/resources.js';
export * from './serving/resources.js';
