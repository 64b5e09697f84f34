import { verb } from '../../../../shared/contract/verb.js';

/** The headers of a webhook that say what it tells and who signed it, in lower case. */
export const hookHeaders = [
  'x-github-event',
  'x-gitea-event',
  'x-gitlab-event',
  'x-event-key',
  'x-hub-signature-256',
  'x-hub-signature',
  'x-gitea-signature',
  'x-gitlab-token',
  'authorization',
] as const;

export interface GitHook {
  installation: string;
  headers: Partial<Record<(typeof hookHeaders)[number], string>>;
  /** Base64. */
  body: string;
}

/**
 * Takes a webhook of a repository: it only makes both sides be looked at, so that what it says need not be true. Throws 404 for an unknown
 * connection, 401 for a wrong signature.
 */
export const receiveGitHook = verb<GitHook, { taken: boolean }>('content', 'receiveGitHook');
