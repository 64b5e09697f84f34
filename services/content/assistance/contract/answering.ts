import { actingUser, type Caller } from '../../../../shared/contract/caller.js';
import { question, verb } from '../../../../shared/contract/verb.js';
import { sha256 } from '../../../../shared/values/ids.js';
import type { AnswerFormat, ShownAnswer } from '../resources.js';

export interface AskedSpaces {
  organization: string;
  /** Spaces that the asker may read. */
  spaces: string[];
  /** The claims of a visitor; without them no page is left out. */
  claims?: Record<string, unknown> | undefined;
  asker: Asker;
}

export interface Asker {
  /** Names who asks: nobody else reads the answer. */
  id: string;
  /** Names those whose questions are counted together. */
  counted: string;
}

/** The asker behind a call. Visitors may say of themselves what they like, so that they are counted by their network. */
export function askerOf(caller: Caller, network: string): Asker {
  if (caller.kind !== 'content') {
    const id = caller.kind === 'installation' ? `installation ${caller.installation}` : `user ${actingUser(caller)}`;
    return { id, counted: id };
  }
  const { site, claims, shareKey } = caller;
  return {
    id: `visitor ${sha256(JSON.stringify([site, claims, shareKey, network]))}`,
    counted: `visitor ${sha256(`${site} ${network}`)}`,
  };
}

export interface BeginAnswer extends AskedSpaces {
  /** The site where it is asked. */
  site?: string;
  question: string;
  /** Questions that were asked before, the last one last. */
  before?: string[];
  /** The id of the answer that the question goes on with. */
  previous?: string | undefined;
  /** The page that the asker reads. */
  page?: { space: string; page: string } | undefined;
}

/** Begins an answer that is made from pages of the spaces, and returns its id. The caller checks access to the spaces. */
export const beginAnswer = verb<BeginAnswer, string>('content', 'beginAnswer');

export interface FollowAnswer {
  id: string;
  /** The `id` of the asker. */
  asker: string;
  /** The version that the asker knows; 0 for none. */
  known: number;
  /** Spaces that the asker may read now. */
  spaces: string[];
  format: AnswerFormat;
}

export interface FollowedAnswer {
  isComplete: boolean;
  version: number;
  answer: ShownAnswer;
  /** The pages of its sources, in their order. */
  pages: SourcePage[];
}

/** A page that an answer cites, by its first section. */
export interface SourcePage {
  space: string;
  page: string;
  title: string;
  /** Within the space, with the anchor of the section. */
  path: string;
}

/** An answer as far as it is made, once that is more than the asker knows or a second is over. */
export const followAnswer = question<FollowAnswer, FollowedAnswer>('content', 'followAnswer');

/** Questions that pages of the spaces answer. The caller checks access to the spaces. */
export const recommendQuestions = verb<AskedSpaces, string[]>('content', 'recommendQuestions');
