import type { GuardedProxy } from './address/proxy.js';
import { openRemote, parseRemote } from './address/remote.js';
import { homeOf } from './cache.js';
import { errorWordsOf, GitFailure } from './command/failure.js';
import { runGit } from './command/run.js';

export interface LookOptions {
  /** The owner of the repository, such as an organization. */
  owner: string;
  /** May contain credentials. */
  url: string;
  proxy: GuardedProxy;
  cacheDir: string;
  /** Names of refs, `*` for any. */
  refs: readonly string[];
  signal: AbortSignal;
}

/** Bytes of the list of refs. */
const maxList = 1_000_000;

export interface SeenRefs {
  /** The commits of the refs. */
  refs: Map<string, string>;
  /** The keys that the server showed, for ssh. */
  hostKey?: string;
}

/** Asks a repository for the commits of some refs, without fetching anything. Throws GitFailure. */
export async function lookAtRefs(options: LookOptions): Promise<SeenRefs> {
  const { owner, proxy, cacheDir, refs, signal } = options;
  const url = parseRemote(options.url, proxy.allowCidrs);
  const home = await homeOf(cacheDir);
  const remote = await openRemote({ owner, url, proxy, maxBytes: 10 * maxList, onTooLarge: () => undefined });
  try {
    const list = async (more: Record<string, string> = {}) => {
      const listed = await runGit(
        ['ls-remote', '--refs', '--', remote.href, ...refs],
        { gitDir: home, home },
        { config: remote.config, env: { ...remote.env, ...more }, signal, maxOutput: maxList },
      );
      signal.throwIfAborted();
      if (listed.overflow) throw new GitFailure('too-large', 'the repository has too many branches');
      if (listed.code === 0) return listed;
      const words = errorWordsOf(listed.stderr, [url.username, url.password]);
      const { reason = 'network', message = 'the repository could not be read' } = remote.failure(listed.stderr) ?? {};
      throw new GitFailure(reason, message, words);
    };
    const listed = await list();
    // Git takes any answer without a line for the list of an empty repository, such as one of a server that is no host.
    if (listed.stdout.length === 0 && !spoken.test((await list({ GIT_TRACE_PACKET: '1' })).stderr))
      throw new GitFailure('not-found', 'there is no Git repository at this address');
    const hostKey = remote.hostKeys?.();
    return { refs: new Map(readRefs(listed.stdout.toString())), ...(hostKey ? { hostKey } : {}) };
  } finally {
    remote.close();
  }
}

/** A line of the trace about something that the other side sent. */
const spoken = / packet: +[\w-]+< /;

const readRefs = (text: string): [string, string][] =>
  text.split('\n').flatMap((line) => {
    const [, oid = '', ref = ''] = /^([0-9a-f]{40,64})\t(\S+)$/.exec(line) ?? [];
    return ref === '' ? [] : [[ref, oid] as [string, string]];
  });
