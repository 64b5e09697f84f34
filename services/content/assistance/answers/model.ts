import { collection } from '../../../../shared/store/port.js';

/** A section that an answer may be made from. */
export interface SourceRef {
  space: string;
  revision: string;
  page: string;
  /** As search names it. */
  section: string;
  /** The title and the path of the page as the asker saw it, with the anchor of the section. */
  title: string;
  path: string;
}

/** A question that was asked before, and what was answered. */
export interface Turn {
  question: string;
  answer: string;
}

/** A question and its answer, as far as it is made. */
export interface AnswerDocument {
  _id: string;
  organization: string;
  /** The site where it was asked. */
  site?: string;
  /** Who asked; nobody else reads it. */
  asker: string;
  question: string;
  /** Questions before this one in the conversation. */
  before: Turn[];
  sources: SourceRef[];
  state: 'running' | 'done' | 'failed';
  /** The text of the model so far. */
  text: string;
  /** Grows with each change of text and state. */
  version: number;
  /** Until when the process that makes it is taken to live. */
  aliveUntil: string;
  /** When somebody last asked for it in another process than the one that makes it. */
  seenAt?: string;
  createdAt: string;
  expiresAt: string;
}

export const answers = collection<AnswerDocument>('content_answers', [{ on: { expiresAt: 1 } }]);
