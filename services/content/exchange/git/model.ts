import { collection } from '../../../../shared/store/port.js';
import type { Conflict } from '../../writing/merging/resources.js';

/** Something that both sides changed differently: neither side takes it from the other until it is settled. */
export interface HeldItem extends Pick<Conflict, 'kind' | 'id' | 'title' | 'path'> {
  /** The revision that holds what both sides agreed on last. */
  agreed: string;
}

/** The content that a space and a folder on a branch of a repository last had in common: later changes of either side are new. */
export interface SharedState {
  _id: string;
  space: string;
  directory: string;
  commit: string;
  /** The revision with the content of the commit. */
  revision: string;
  /** Whether the commit holds changes of the branch that the revision lacks: an import has yet to bring them. */
  isAhead: boolean;
  /** Items that wait to be settled; absent where none ever did. */
  held?: HeldItem[];
  at: string;
}

export const sharedStates = collection<SharedState>('content_git_shared_states', [{ on: { space: 1 } }]);
