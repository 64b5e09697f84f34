import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../shared/process/free-port.js';

const run = promisify(execFile);

/** The sshd of the system, for the user that runs the tests, who may use git alone. */
export async function sshServer() {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-sshd-'));
  const port = await freePort();
  const [hostKey, authorized, config] = ['host_key', 'authorized_keys', 'config'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const makeHostKey = async () => {
    await rm(hostKey, { force: true });
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  };
  await makeHostKey();
  await writeFile(authorized, '');
  await writeFile(
    config,
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${hostKey}\nAuthorizedKeysFile ${authorized}\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n`,
  );
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
  const { stdout: sshd } = await run('sh', ['-c', 'command -v sshd || echo /usr/sbin/sshd']);
  const start = async () => {
    const child = spawn(sshd.trim(), ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('Server listening')) resolve();
      });
    });
    return child;
  };
  let server = await start();
  const stop = () => new Promise<void>((resolve) => server.once('exit', () => resolve()).kill());
  return {
    /** The address of a folder of this machine. */
    urlOf: (path: string) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
    authorize: (publicKey: string) => appendFile(authorized, `${publicKey}\n`),
    /** Comes back with another host key, as somebody else's server would. */
    async change() {
      await stop();
      await makeHostKey();
      server = await start();
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
