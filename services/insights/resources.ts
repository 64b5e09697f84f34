export * from './aggregation/resources.js';
export * from './events/resources.js';
export * from './segments/resources.js';
