import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../shared/process/free-port.js';
import { packageFile } from '../shared/process/package-root.js';

export interface Running {
  url: string;
  process: ChildProcess;
  /** Resident memory, MiB. */
  memory(): number;
  stop(): Promise<void>;
}

/** Processor time of a process so far, in microseconds; it is counted in hundredths of a second. */
export function cpuMicros(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10_000;
}

/** Starts a built program, of this build where it is no absolute path, that says `"msg":"started"` once it listens on PORT. */
export async function start(
  program: string,
  env: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<Running> {
  const port = env.PORT ?? (await freePort());
  // As `npm start` does.
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=32', ...nodeOptions, resolve(packageFile('dist'), program)],
    {
      env: { ...process.env, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  await new Promise<void>((started, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.includes('"msg":"started"') && started());
    child.once('exit', (code) => failed(new Error(`${program} ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
