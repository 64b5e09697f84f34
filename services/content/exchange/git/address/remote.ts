import { checkUrl } from '../../../../../shared/outbound/address.js';
import { percentDecode } from '../../../format/space/paths.js';
import { GitFailure, type GitReason, recognizeFailure } from '../command/failure.js';
import type { GitConfig } from '../command/run.js';
import type { GuardedProxy, ProxyPass } from './proxy.js';
import type { ProxyProblem } from './proxy-run.js';

/** The connection of one git run to a repository: configuration for git, and the cause of a failure. */
export interface Remote {
  /** The repository's URL without credentials; safe as an argument. */
  href: string;
  config: GitConfig;
  env: Record<string, string>;
  /** The failure that git's error output describes, if the remote side is the cause. */
  failure(stderr: string): GitFailure | undefined;
  /** Takes note that the server reports progress: it may send nothing else for long, such as while it compresses. */
  heard(): void;
  close(): void;
}

export interface RemoteUrl {
  href: string;
  origin: string;
  username: string;
  password: string;
}

/**
 * Checks a repository's URL and separates its credentials. SSH is refused: the API has no field for a private key or for
 * the host's key, and without both it would not work or not be safe. Throws GitFailure `invalid` or `refused`.
 */
export function parseRemote(url: string, allowCidrs: readonly string[]): RemoteUrl {
  if (/^ssh:|^git@|^[^:/@]+@[^:/]+:/.test(url)) {
    throw new GitFailure(
      'invalid',
      'SSH is not supported: use the https:// URL of the repository, with a token if it is private',
    );
  }
  const check = checkUrl(url, { allowCidrs });
  if (!check.ok) {
    const reason = check.problem.startsWith('is refused') ? 'refused' : 'invalid';
    throw new GitFailure(reason, `the repository's URL ${check.problem}`);
  }
  const { url: bare } = check;
  const [username, password] = [percentDecode(bare.username), percentDecode(bare.password)];
  if (/[\n\r\0]/.test(username + password))
    throw new GitFailure('invalid', "the URL's credentials hold a control character");
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return { href: bare.href, origin: bare.origin, username, password };
}

/** Opens the guarded connection for one git run. Calls `onTooLarge` when more than `maxBytes` were transferred. */
export async function openRemote({
  owner,
  url,
  proxy,
  maxBytes,
  onTooLarge,
}: {
  /** The owner of the repository, such as an organization. */
  owner: string;
  url: RemoteUrl;
  proxy: GuardedProxy;
  maxBytes: number;
  onTooLarge: () => void;
}): Promise<Remote> {
  const secret = url.username !== '' || url.password !== '';
  const pass = await proxy.issuePass({ owner, maxBytes, onTooLarge, onlyOrigin: secret ? url.origin : undefined });
  return {
    href: url.href,
    config: [
      ['http.proxy', pass.url],
      ['http.proxyAuthMethod', 'basic'],
      // Hosts redirect renamed repositories and addresses without .git. The proxy checks the new address; with credentials it
      // allows only their own origin, because git versions differ in what they send after a redirect.
      ['http.followRedirects', 'initial'],
      ['protocol.version', '2'],
      ['transfer.fsckObjects', 'true'],
      ...HARMLESS.map((id) => [`fetch.fsck.${id}`, 'ignore'] as const),
      ['transfer.bundleURI', 'false'],
      ['fetch.unpackLimit', '1'],
      ['fetch.recurseSubmodules', 'false'],
      ['core.fsync', 'none'],
      ['core.bigFileThreshold', '100m'],
      ...(secret ? [[`credential.${url.origin}.helper`, HELPER] as const] : []),
    ],
    env: {
      GIT_ALLOW_PROTOCOL: 'http:https',
      // A delta of some kilobytes can unpack to gigabytes.
      GIT_ALLOC_LIMIT: '256m',
      BINDERY_GIT_USERNAME: url.username,
      BINDERY_GIT_PASSWORD: url.password,
    },
    failure: (stderr) => passFailure(pass) ?? recognizeFailure(stderr),
    heard: pass.heard,
    close: pass.revoke,
  };
}

// Modes that old tools wrote; GitHub and GitLab accept them.
const HARMLESS = [
  'zeroPaddedFilemode',
  'badTimezone',
  'missingSpaceBeforeDate',
  'missingEmail',
  'missingNameBeforeEmail',
];

/** A constant command for git's shell; the secret stays in the environment. */
const HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$BINDERY_GIT_USERNAME" "$BINDERY_GIT_PASSWORD"; }; f';

const reasonOf: Record<ProxyProblem['kind'], GitReason> = {
  refused: 'refused',
  unreachable: 'network',
  'too-large': 'too-large',
  'too-slow': 'timeout',
};

function passFailure(pass: ProxyPass): GitFailure | undefined {
  const problem = pass.problem();
  if (!problem) return undefined;
  return new GitFailure(reasonOf[problem.kind], problem.message);
}
