export * from './answers/resources.js';
