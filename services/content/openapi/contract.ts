import { specContentOperations, specOperations, specVersionOperations } from './contract/specs.js';

export const openAPIOperations = { ...specOperations, ...specVersionOperations, ...specContentOperations };
