import { apiError } from '../../../../../shared/errors/errors.js';
import type { Outbound } from '../../../../../shared/outbound/client.js';
import type { GitHost } from '../resources.js';

/** How content of a commit fared. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure';
  description: string;
  /** Where people see it. */
  url: string;
  /** Tells this status from others of the same commit. */
  context: string;
}

/** The part of a host's API that a connection writes to. */
export interface HostApi {
  setStatus(commit: string, status: CommitStatus): Promise<void>;
  /** Writes a comment on a pull request, in place of the one with the id; returns its id. */
  comment(number: number, text: string, id?: string): Promise<string>;
}

interface Host {
  /** The address of the API of a host. */
  api(site: Pick<URL, 'origin' | 'hostname'>): string;
  /** Where the API has a repository. */
  repository(path: string): string;
  headers(token: string): Record<string, string>;
  status(commit: string, status: CommitStatus): { path: string; body: object };
  comments(number: number): string;
  commentAt(number: number, id: string): { method: string; path: string };
  /** The body of a comment. */
  commentBody(text: string): object;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** GitHub and what follows its forms. */
const github: Host = {
  api: ({ origin, hostname }) => (hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`),
  repository: (path) => `/repos/${path}`,
  headers: (token) => ({ ...bearer(token), accept: 'application/vnd.github+json' }),
  status: (commit, { state, description, url, context }) => ({
    path: `/statuses/${commit}`,
    body: { state, description, target_url: url, context },
  }),
  comments: (number) => `/issues/${number}/comments`,
  commentAt: (_, id) => ({ method: 'PATCH', path: `/issues/comments/${id}` }),
  commentBody: (body) => ({ body }),
};

const hosts: Record<Exclude<GitHost, 'git'>, Host> = {
  github,
  gitea: {
    ...github,
    api: ({ origin }) => `${origin}/api/v1`,
    headers: (token) => ({ authorization: `token ${token}` }),
  },
  gitlab: {
    api: ({ origin }) => `${origin}/api/v4`,
    repository: (path) => `/projects/${encodeURIComponent(path)}`,
    headers: bearer,
    status: (commit, { state, description, url, context }) => ({
      path: `/statuses/${commit}`,
      body: { state: state === 'failure' ? 'failed' : state, description, target_url: url, name: context },
    }),
    comments: (number) => `/merge_requests/${number}/notes`,
    commentAt: (number, id) => ({ method: 'PUT', path: `/merge_requests/${number}/notes/${id}` }),
    commentBody: (body) => ({ body }),
  },
  bitbucket: {
    api: ({ origin, hostname }) => `${hostname === 'bitbucket.org' ? 'https://api.bitbucket.org' : origin}/2.0`,
    repository: (path) => `/repositories/${path}`,
    headers: bearer,
    status: (commit, { state, description, url, context }) => ({
      path: `/commit/${commit}/statuses/build`,
      body: { key: context, state: bitbucketStates[state], description, url },
    }),
    comments: (number) => `/pullrequests/${number}/comments`,
    commentAt: (number, id) => ({ method: 'PUT', path: `/pullrequests/${number}/comments/${id}` }),
    commentBody: (raw) => ({ content: { raw } }),
  },
};

const bitbucketStates = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const;

/** The address of the API of the host at a URL, and the headers that it is asked with. */
export const apiAccess = (provider: Exclude<GitHost, 'git'>, url: string, token: string) => ({
  api: hosts[provider].api(new URL(url)),
  headers: { ...hosts[provider].headers(token), 'user-agent': 'Bindery' },
});

interface Repository {
  owner: string;
  provider: GitHost;
  /** http(s), without credentials. */
  url: string;
  token: string | undefined;
}

/** The API of a repository's host; undefined where it has none or nothing is known to sign in with. */
export function hostApiOf(outbound: Outbound, { owner, provider, url, token }: Repository): HostApi | undefined {
  if (provider === 'git' || token === undefined || !/^https?:/.test(url)) return undefined;
  const host = hosts[provider];
  const { hostname, pathname } = new URL(url);
  const base = host.api(new URL(url)) + host.repository(pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, ''));
  const send = async (method: string, path: string, body: object): Promise<unknown> => {
    const answer = await outbound.fetch(`${base}${path}`, {
      owner,
      method,
      headers: { ...host.headers(token), 'content-type': 'application/json', 'user-agent': 'Bindery' },
      body: JSON.stringify(body),
      maxRedirects: 0,
    });
    if (answer.status >= 300) throw refusalOf(answer.status, hostname);
    return JSON.parse(answer.body.toString('utf8') || 'null');
  };
  return {
    async setStatus(commit, status) {
      const { path, body } = host.status(commit, status);
      await send('POST', path, body);
    },
    async comment(number, text, id) {
      const { method, path } =
        id === undefined ? { method: 'POST', path: host.comments(number) } : host.commentAt(number, id);
      const made = (await send(method, path, host.commentBody(text))) as { id?: number | string } | null;
      return String(made?.id ?? id ?? '');
    },
  };
}

/** A host that refuses for good is not asked again. */
const refusalOf = (status: number, hostname: string): Error =>
  Object.assign(apiError('UNPROCESSABLE', `${hostname} answered ${status}`), {
    permanent: status < 500 && status !== 429,
    expected: true,
  });
