import { collection } from '../../../../shared/store/port.js';

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
  at: string;
}

export const sharedStates = collection<SharedState>('content_git_shared_states', [{ on: { space: 1 } }]);
