import { question, verb } from '../../../../shared/contract/verb.js';

export interface NoteVisit {
  space: string;
  /** The revision that was read. */
  revision: string;
}

/** Notes that the caller, a user, reads the current content of a space. 404 for a space that the caller may not view. */
export const noteVisit = verb<NoteVisit, void>('content', 'noteVisit');

export interface SetFavourite {
  space: string;
  favourite: boolean;
}

/** Makes a space a favourite of the caller, a user. 404 for a space that the caller may not view, 409 above 1,000 favourites. */
export const setFavourite = verb<SetFavourite, void>('content', 'setFavourite');

/** A space that a user has read, or that is a favourite. */
export interface Visit {
  space: string;
  favourite: boolean;
  /** The revision that the user read last; absent where the user has not read the space. */
  seen?: string;
  /** When that was. */
  seenAt?: string;
  /** Whether the space has other content by now. False for one that was not read. */
  changed: boolean;
}

/**
 * Favourites of the caller in an organization, and the spaces read last whose content has changed since: spaces that the caller may
 * view, at most 1,000 of each, those read last first.
 */
export const listVisits = question<{ organization: string }, Visit[]>('content', 'listVisits');

/** Whether a space is a favourite of the caller. */
export const isFavourite = question<{ space: string }, boolean>('content', 'isFavourite');
