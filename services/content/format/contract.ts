import { question } from '../../../shared/contract/verb.js';
import type { ContentRef, ReadText, Text } from './resources.js';

export interface ReadTexts {
  organization: string;
  texts: Text[];
}

/** Texts in both forms, in the order of the question; `refused` says why a text is not taken. */
export const readTexts = question<ReadTexts, (ReadText | { refused: string })[]>('content', 'readTexts');

export interface ShowTexts extends ReadTexts {
  /** The space that they are about. */
  space: string;
}

/** A text as HTML, with marks: see `html/marks.ts`. It runs nothing. */
export interface ShownText {
  html: string;
  /** References that marks name by their position: pages with their space, people, and anything else that is not in a text. */
  outside: ContentRef[];
}

/** Texts as HTML, in the order of the question: empty for one that is not taken, and as it is written for one that takes too much. */
export const showTexts = question<ShowTexts, ShownText[]>('content', 'showTexts');
