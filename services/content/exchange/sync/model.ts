import { collection } from '../../../../shared/store/port.js';
import type { GitHost, syncDirections, syncPriorities } from './resources.js';

/** The means by which a repository is reached; stored encrypted, as JSON. */
export interface GitCredentials {
  username?: string;
  accessToken?: string;
  /** In OpenSSH's form. */
  privateKey?: string;
  publicKey?: string;
}

/** The connection of a space with a branch of a repository. */
export interface GitInstallationDocument {
  _id: string;
  organization: string;
  space: string;
  provider: GitHost;
  /** The address of the repository, without credentials; a connection without one waits to be configured. */
  url?: string;
  /** The number of the repository at its host; null where it was chosen by its address. */
  repositoryId?: number | null;
  /** The address of a GitLab of their own; empty for none. */
  instanceUrl?: string;
  /** `refs/heads/<branch>` */
  ref?: string;
  directory: string;
  /** Encrypted `GitCredentials`. */
  credentials?: string;
  direction: (typeof syncDirections)[number];
  commitMessage: string;
  previews: boolean;
  /** The side that the next sync takes as it is. */
  priority?: (typeof syncPriorities)[number];
  /** Encrypted. */
  webhookSecret: string;
  paused?: true;
  /** The sync that was asked for and has not ended. */
  syncing?: string;
  /** How the last sync ended; absent before the first. */
  ended?: 'connected' | 'pending' | 'broken' | 'unauthenticated';
  error?: string;
  /** Syncs and looks that failed since the last that did not. */
  failures: number;
  /** Looks since something was new. */
  quiet: number;
  /** ISO time before which nothing is tried, after failures. */
  notBefore?: string;
  /** Both sides as they were when the last sync ended. */
  synced?: { tip: string; revision: string };
  /** The tip of the branch when it was last looked at. */
  observed?: string;
  lastSyncAt?: string;
  /** The commit and the state that its host was told last. */
  toldHost?: string;
  /** The change request with what the branch says in place of what is held. */
  conflict?: {
    changeRequest: string;
    /** Its content as the sync made it: with another, somebody works on it. */
    revision: string;
    /** The revision with the content of the branch that it was made from. */
    theirs: string;
  };
  /** The host key that the server showed first, for ssh. */
  hostKey?: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

export const gitInstallations = collection<GitInstallationDocument>('content_git_installations', [
  { on: { space: 1 }, unique: true },
  { on: { organization: 1 } },
]);
