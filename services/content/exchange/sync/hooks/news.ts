import { z } from 'zod';
import type { GitHook } from '../../contract/git-hooks.js';

/** The news that a webhook brings. */
export type HookNews =
  | { kind: 'push'; ref?: string | undefined }
  | { kind: 'pull'; pull: PullNews }
  /** A test of the webhook, or something that changes no content. */
  | { kind: 'other' };

/** A pull request, as its host tells it. */
export interface PullNews {
  number: number;
  title: string;
  isOpen: boolean;
  /** The branch that it shall be merged into. */
  into: string;
  /** The ref that holds its commits in the repository. */
  ref: string;
  commit: string;
}

const branchRef = (name: string) => `refs/heads/${name}`;

const push = z.object({ ref: z.string() }).transform(({ ref }): HookNews => ({ kind: 'push', ref }));

const github = z
  .object({
    number: z.number().int().positive(),
    pull_request: z.object({
      title: z.string(),
      state: z.string(),
      head: z.object({ sha: z.string() }),
      base: z.object({ ref: z.string() }),
    }),
  })
  .transform(({ number, pull_request: { title, state, head, base } }) =>
    pullNews({
      number,
      title,
      isOpen: state === 'open',
      into: base.ref,
      ref: `refs/pull/${number}/head`,
      commit: head.sha,
    }),
  );

const gitlab = z
  .object({
    object_attributes: z.object({
      iid: z.number().int().positive(),
      title: z.string(),
      state: z.string(),
      target_branch: z.string(),
      last_commit: z.object({ id: z.string() }),
    }),
  })
  .transform(({ object_attributes: { iid: number, title, state, target_branch, last_commit } }) =>
    pullNews({
      number,
      title,
      isOpen: state === 'opened',
      into: target_branch,
      ref: `refs/merge-requests/${number}/head`,
      commit: last_commit.id,
    }),
  );

const bitbucketPush = z
  .object({ push: z.object({ changes: z.array(z.object({ new: z.object({ name: z.string() }).nullish() })) }) })
  .transform(({ push: { changes } }): HookNews => {
    const [only, ...others] = changes.flatMap((change) => (change.new ? [branchRef(change.new.name)] : []));
    return { kind: 'push', ref: others.length > 0 ? undefined : only };
  });

const bitbucketSide = z.object({ branch: z.object({ name: z.string() }), commit: z.object({ hash: z.string() }) });

const bitbucketPull = z
  .object({
    pullrequest: z.object({
      id: z.number().int().positive(),
      title: z.string(),
      state: z.string(),
      source: bitbucketSide,
      destination: bitbucketSide,
    }),
  })
  .transform(({ pullrequest: { id, title, state, source, destination } }) =>
    pullNews({
      number: id,
      title,
      isOpen: state === 'OPEN',
      into: destination.branch.name,
      // Bitbucket keeps no refs of pull requests.
      ref: branchRef(source.branch.name),
      commit: source.commit.hash,
    }),
  );

const pullNews = (pull: PullNews): HookNews => ({ kind: 'pull', pull: { ...pull, into: branchRef(pull.into) } });

/** The forms of bodies by the events that the hosts name. */
const forms: [header: keyof GitHook['headers'], event: RegExp, form: z.ZodType<HookNews>][] = [
  ['x-gitea-event', /^push$/, push],
  ['x-gitea-event', /^pull_request/, github],
  ['x-github-event', /^push$/, push],
  ['x-github-event', /^pull_request$/, github],
  ['x-gitlab-event', /^(Push|System) Hook$/, push],
  ['x-gitlab-event', /^Merge Request Hook$/, gitlab],
  ['x-event-key', /^repo:push$/, bitbucketPush],
  ['x-event-key', /^pullrequest:/, bitbucketPull],
];

const known = ['x-gitea-event', 'x-github-event', 'x-gitlab-event', 'x-event-key'] as const;

/** Reads what a webhook tells; one of another program, which names no event, tells of a push. */
export function readNews({ headers }: Pick<GitHook, 'headers'>, body: Buffer): HookNews {
  const named = known.find((header) => headers[header] !== undefined);
  if (named === undefined) return { kind: 'push' };
  const [, , form] = forms.find(([header, event]) => header === named && event.test(headers[header] ?? '')) ?? [];
  return form?.safeParse(parse(body.toString('utf8'))).data ?? { kind: 'other' };
}

/** GitHub may send JSON in a form, too. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text);
  } catch {
    return undefined;
  }
}
