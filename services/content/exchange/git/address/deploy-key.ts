import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apiError } from '../../../../../shared/errors/errors.js';

const run = promisify(execFile);

/** A key pair for ssh, both in OpenSSH's form. */
export interface DeployKey {
  privateKey: string;
  publicKey: string;
}

/** Makes a key pair with OpenSSH. Throws 422 where the server has none. */
export async function makeDeployKey(): Promise<DeployKey> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-key-'));
  const path = join(folder, 'key');
  try {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'bindery', '-f', path]);
    const [privateKey, publicKey] = await Promise.all([readFile(path, 'utf8'), readFile(`${path}.pub`, 'utf8')]);
    return { privateKey, publicKey: publicKey.trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw apiError(
      'UNPROCESSABLE',
      'This server has no OpenSSH: connect by https:// with a token, or ask its operator',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
