export type GitReason =
  | 'invalid'
  | 'refused'
  | 'authentication'
  | 'not-found'
  | 'ref-not-found'
  | 'too-large'
  | 'unsafe'
  | 'timeout'
  | 'network'
  | 'corrupt'
  | 'no-room'
  | 'aborted'
  | 'moved'
  | 'rejected'
  | 'conflict'
  | 'priority';

/** Why access to a repository failed. The message is safe to show; a retry may help for `network` and `corrupt`. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';

  constructor(
    readonly reason: GitReason,
    message: string,
    /** The error output of git, for the log. */
    readonly words?: string,
  ) {
    super(message);
  }

  /** Makes it a full disk for those who look at codes. */
  get code(): string | undefined {
    return this.reason === 'no-room' ? 'ENOSPC' : undefined;
  }
}

const noRoom = 'this server has no room on its disk for the repository';

/** The failure of a fetch for which the disk has no room. */
export const roomFailure = () => new GitFailure('no-room', noRoom);

/** Levels of folders in a repository; git itself counts them since 2.42. */
export const maxFolderDepth = 256;
const nestsTooDeep = `the repository nests its folders more than ${maxFolderDepth} levels deep`;
export const tooDeepFailure = () => new GitFailure('too-large', nestsTooDeep);

/** Error messages of git in the C locale, matched in this order. */
const SAYINGS: [RegExp, GitReason, string][] = [
  [/No space left on device|Disk quota exceeded/, 'no-room', noRoom],
  [/Permission denied \(|Too many authentication failures/, 'authentication', 'the deploy key was not accepted'],
  [
    /Host key verification failed/,
    'refused',
    'the server shows another host key than before; set the address of the repository again to trust the new one',
  ],
  [/^ERROR: (Repository not found|The project you were looking for)/m, 'not-found', 'the repository was not found'],
  [/Could not read from remote repository/, 'network', 'the connection to the repository failed'],
  [
    /couldn't find remote ref|Remote branch .* not found|not our ref|unadvertised object/,
    'ref-not-found',
    'the repository has no such branch',
  ],
  [
    /could not read (Username|Password)/,
    'authentication',
    'the repository is private or does not exist; a private one takes a URL with credentials',
  ],
  [/Authentication failed|error: 401/, 'authentication', 'the credentials were not accepted'],
  [/returned error: 403/, 'authentication', 'access to the repository was denied'],
  [/repository '.*' not found|returned error: 404|error: 410/, 'not-found', 'the repository was not found'],
  [
    /not valid: is this a git repository|dumb http transport/,
    'not-found',
    'there is no Git repository at this address',
  ],
  [/update url base from redirection/, 'refused', 'the repository redirects to another place'],
  [/fsck error|Malformed|badTree/, 'unsafe', 'the repository holds damaged or unsafe objects'],
  [/maximum allowed tree depth/, 'too-large', nestsTooDeep],
  [/over limit/, 'too-large', 'the repository needs too much memory to unpack'],
  [/certificate|SSL|TLS/, 'network', 'the secure connection to the repository failed'],
  [
    /unable to access|Could not resolve|RPC failed|early EOF|hung up|disconnect|error: 5\d\d|HTTP|remote error/,
    'network',
    'the connection to the repository failed',
  ],
];

const maxWords = 1000;

/** The end of git's error output, without progress and without the credentials of URLs. */
export function errorWordsOf(stderr: string, secrets: readonly string[] = []): string {
  const words = stderr
    .split(/[\r\n]+/)
    .filter((line) => line !== '' && !/^(remote: )?[\w ]+:\s+\d+% /.test(line))
    .join('\n')
    .replace(/(\w+:\/\/)[^\s/@']*@/g, '$1')
    .replace(/(\w+:\/\/[^\s'?#]*)[?#][^\s']*/g, '$1')
    .replace(/[^\P{Cc}\n]/gu, ' ');
  const hidden = secrets.filter(Boolean).reduce((text, secret) => text.replaceAll(secret, '***'), words);
  return hidden.slice(-maxWords).trim();
}

/** The failure that git's error output describes; undefined when the remote side is not the cause. */
export function recognizeFailure(stderr: string): GitFailure | undefined {
  // Lines from the remote side are left out: they could imitate git's own messages.
  const own = stderr
    .split(/[\r\n]/)
    .filter((line) => !line.startsWith('remote:'))
    .join('\n');
  const saying = SAYINGS.find(([pattern]) => pattern.test(own));
  return saying && new GitFailure(saying[1], saying[2]);
}

/** The lines of what a remote says that is shown to people, and their characters. */
const shown = { lines: 4, length: 400 };

/**
 * The failure that the answer to a push describes, from the output of `git push --porcelain` and its error output; undefined when no
 * answer came.
 */
export function recognizeRejection(
  { porcelain, stderr }: { porcelain: string; stderr: string },
  secrets: readonly string[],
): GitFailure | undefined {
  const [, flag, reason = ''] = /^!\t[^\t]*\t\[(remote rejected|rejected)\](?: \((.*)\))?/m.exec(porcelain) ?? [];
  if (flag === undefined) return undefined;
  const isMoved =
    flag === 'rejected' || /cannot lock ref|failed to update ref|fetch first|incorrect old value/.test(reason);
  if (isMoved) return new GitFailure('moved', 'the branch changed while it was written');
  const answer = errorWordsOf(stderr, secrets)
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter(Boolean)
    .slice(0, shown.lines)
    .join(' ')
    .slice(0, shown.length);
  const why = errorWordsOf(reason, secrets).slice(0, 200) || 'without a reason';
  return new GitFailure('rejected', `the repository refused the push: ${why}${answer ? `; it says: ${answer}` : ''}`);
}
