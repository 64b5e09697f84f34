import { execFile } from 'node:child_process';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import type { End } from './launched.js';

/** System files that a process can see: only libraries, and the certificates that it loads when it starts. */
const visible = [
  ...['/lib', '/lib64', '/usr/lib', '/usr/lib64'],
  ...['/etc/ssl/certs', '/usr/share/ca-certificates', '/etc/pki/ca-trust', '/etc/pki/tls/certs'],
];

/**
 * [bubblewrap](https://github.com/containers/bubblewrap): a process behind it has neither network nor rights, sees no other process, and no file but
 * its folder and what is listed here. It ends with bubblewrap, and cannot have user namespaces of its own, where much of the kernel could be reached.
 */
const bubblewrap = [
  ...['bwrap', '--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL', '--die-with-parent'],
  ...visible.flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--dev-bind', '/dev/urandom', '/dev/urandom'],
];

/** The arguments that start a program behind the walls; `parsePid` reads what bubblewrap writes to the descriptor `info`. */
export const behindWalls = (program: string, folder: string, info: number): string[] => [
  ...bubblewrap,
  ...['--ro-bind', program, program, '--bind', folder, folder, '--chdir', folder],
  // As the first process of its own, it is what is measured and killed, without another beside it.
  ...['--as-pid-1', '--info-fd', String(info), '--', program],
];

/** The process that bubblewrap has started, from what it wrote; undefined while that is not complete. */
export const parsePid = (info: string): number | undefined => {
  const pid = /"child-pid": (\d+)/.exec(info)?.[1];
  return pid === undefined ? undefined : Number(pid);
};

const signals = new Map<number, string>(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Bubblewrap exits with the code of the program, or with 128 plus the number of the signal, as shells do. */
export const endBehind = (code: number | null): End =>
  code !== null && code > 128 ? ((signals.get(code - 128) as NodeJS.Signals | undefined) ?? code) : code;

/** Why there are no walls on this machine; undefined where there are. */
export async function missingWalls(program: string): Promise<string | undefined> {
  const [command = '', ...args] = [...bubblewrap, '--ro-bind', program, program, '--', program, '--version'];
  try {
    await promisify(execFile)(command, args, { env: {} });
    return undefined;
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    return code === 'ENOENT'
      ? 'bubblewrap is not installed'
      : stderr?.trim().split('\n')[0] || (error as Error).message;
  }
}
