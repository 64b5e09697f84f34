import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../../../../shared/process/package-root.js';

/** A key that ssh proves itself with, and the server's key that it must see. */
export interface SshKey {
  /** In OpenSSH's form. */
  privateKey: string;
  /** Lines of a known_hosts file; without them, the key that the server shows first is taken. */
  hostKey?: string | undefined;
}

/** The form in which a key stands in place of a password in the address of a repository. */
export const sshKeyText = (key: SshKey): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** Undefined for any other text. */
export function readSshKey(text: string): SshKey | undefined {
  try {
    const { privateKey, hostKey } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<SshKey>;
    return typeof privateKey === 'string' ? { privateKey, hostKey } : undefined;
  } catch {
    return undefined;
  }
}

/** The files of one run of ssh, which takes keys from files alone. */
export interface SshRun {
  /** For GIT_SSH_COMMAND. */
  command: string;
  /** The keys of the servers that were seen. */
  hostKeys(): string;
  close(): void;
}

/** Makes ssh use a key and no other, trust one server, and connect by way of the guarded proxy (`BINDERY_GIT_PROXY`). */
export function openSsh({ privateKey, hostKey }: SshKey): SshRun {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-ssh-'));
  const [keyFile, knownHosts] = [join(folder, 'key'), join(folder, 'known_hosts')];
  mkdirSync(join(folder, 'home'));
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
  writeFileSync(knownHosts, hostKey ?? '', { mode: 0o600 });
  const tunnel = packageFile('dist/services/content/exchange/git/address/ssh-tunnel.js');
  const options = {
    BatchMode: 'yes',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    UserKnownHostsFile: knownHosts,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: hostKey === undefined ? 'accept-new' : 'yes',
    HashKnownHosts: 'no',
    UpdateHostKeys: 'no',
    CheckHostIP: 'no',
    ClearAllForwardings: 'yes',
    PermitLocalCommand: 'no',
    ProxyCommand: `${quote(process.execPath)} ${quote(tunnel)} %h %p`,
  };
  const flags = Object.entries(options).map(([name, value]) => `-o ${quote(`${name}=${value}`)}`);
  return {
    command: `ssh -F none -i ${quote(keyFile)} ${flags.join(' ')}`,
    hostKeys: () => readFileSync(knownHosts, 'utf8'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** For the shell that git starts ssh with. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
