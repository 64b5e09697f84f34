import { askingOperations } from './contract/asking.js';
import { translatingOperations } from './contract/translating.js';

export * from './contract/answering.js';
export { answerPiece, beginningPiece, placeIn, questionsPiece } from './contract/asking.js';

export const assistanceOperations = { ...askingOperations, ...translatingOperations };
