import { checkUrl } from '../../../../../shared/outbound/address.js';
import { percentDecode } from '../../../format/space/paths.js';
import { GitFailure, type GitReason, recognizeFailure } from '../command/failure.js';
import type { GitConfig } from '../command/run.js';
import type { GuardedProxy, ProxyPass } from './proxy.js';
import type { ProxyProblem } from './proxy-run.js';
import { openSsh, readSshKey, type SshKey } from './ssh.js';

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
  /** The keys of the servers that were seen, for ssh. */
  hostKeys?(): string;
  close(): void;
}

export interface RemoteUrl {
  href: string;
  origin: string;
  username: string;
  password: string;
  /** For ssh. */
  key?: SshKey;
}

/** Whether a repository is reached by ssh. */
export const isSshUrl = (url: string): boolean => url.startsWith('ssh://');

/** `git@host:path` as `ssh://git@host/path`. */
export const withoutScpForm = (url: string): string => {
  const [, user, host, path] = /^([^:/@\s]+)@([^:/@\s]+):(?!\/\/)(\S+)$/.exec(url) ?? [];
  return user === undefined ? url : `ssh://${user}@${host}/${path?.replace(/^\/+/, '')}`;
};

const sshNeedsKey =
  'SSH needs a deploy key: connect the space with the repository, or use its https:// URL, with a token if it is private';

/**
 * Checks a repository's URL and separates its credentials. The password of one of ssh is its key (`sshKeyText`). Throws GitFailure `invalid` or
 * `refused`.
 */
export function parseRemote(url: string, allowCidrs: readonly string[]): RemoteUrl {
  if (isSshUrl(withoutScpForm(url))) return parseSsh(withoutScpForm(url));
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

/** The proxy checks where the host leads when ssh connects. */
function parseSsh(url: string): RemoteUrl {
  const bare = URL.canParse(url) ? new URL(url) : undefined;
  const { hostname = '', port = '', pathname = '', username = '', password = '' } = bare ?? {};
  if (!bare || !/^[a-z0-9.[\]:-]+$/i.test(hostname) || hostname.startsWith('-') || pathname.length < 2)
    throw new GitFailure('invalid', "the repository's URL must be ssh://<user>@<host>/<path>");
  if (!/^[\w.-]{1,64}$/.test(username) || username.startsWith('-'))
    throw new GitFailure('invalid', "the repository's URL must name the user, such as git");
  const key = readSshKey(password);
  if (!key) throw new GitFailure('invalid', sshNeedsKey);
  bare.password = '';
  bare.hash = '';
  bare.search = '';
  return { href: bare.href, origin: new URL(`https://${hostname}:${port || 22}`).origin, username: '', password, key };
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
  if (url.key) return openSshRemote(url, url.key, pass);
  return {
    href: url.href,
    config: [
      ['http.proxy', pass.url],
      ['http.proxyAuthMethod', 'basic'],
      // Hosts redirect renamed repositories and addresses without .git. The proxy checks the new address; with credentials it
      // allows only their own origin, because git versions differ in what they send after a redirect.
      ['http.followRedirects', 'initial'],
      ...checkedTransfers,
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

function openSshRemote({ href }: RemoteUrl, key: SshKey, pass: ProxyPass): Remote {
  const ssh = openSsh(key);
  return {
    href,
    config: checkedTransfers,
    env: {
      GIT_ALLOW_PROTOCOL: 'ssh',
      GIT_ALLOC_LIMIT: '256m',
      GIT_SSH_COMMAND: ssh.command,
      GIT_SSH_VARIANT: 'ssh',
      BINDERY_GIT_PROXY: pass.url,
    },
    failure: (stderr) => passFailure(pass) ?? recognizeFailure(stderr),
    heard: pass.heard,
    hostKeys: ssh.hostKeys,
    close() {
      pass.revoke();
      ssh.close();
    },
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

const checkedTransfers: GitConfig = [
  ['protocol.version', '2'],
  ['transfer.fsckObjects', 'true'],
  ...HARMLESS.map((id) => [`fetch.fsck.${id}`, 'ignore'] as const),
  ['transfer.bundleURI', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.recurseSubmodules', 'false'],
  ['core.fsync', 'none'],
  ['core.bigFileThreshold', '100m'],
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
