import { question } from '../../../shared/contract/verb.js';
import type { ReadText, Text } from './resources.js';

export interface ReadTexts {
  organization: string;
  texts: Text[];
}

/** Texts in both forms, in the order of the question; `refused` says why a text is not taken. */
export const readTexts = question<ReadTexts, (ReadText | { refused: string })[]>('content', 'readTexts');
