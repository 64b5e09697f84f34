import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../../shared/process/package-root.js';

export interface Ended {
  code: number | null;
  output: string;
}

export interface Command {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts a command of the built product with only these settings. */
export function startCommand(
  name: 'backup' | 'restore' | 'import-archive',
  args: string[],
  env: Record<string, string>,
): Command {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [packageFile(`dist/services/commands/${name}.js`), ...args], {
    cwd: env.DATA_DIR ? '/' : undefined,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { process: child, ended };
}

export const runCommand = (
  name: 'backup' | 'restore' | 'import-archive',
  args: string[],
  env: Record<string, string>,
): Promise<Ended> => startCommand(name, args, env).ended;
