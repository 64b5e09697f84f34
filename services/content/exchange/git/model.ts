import { collection } from '../../../../shared/store/port.js';

/** What a space and a folder on a branch of a repository were last known to share: what the one or the other changed since is new. */
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
