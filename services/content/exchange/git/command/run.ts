import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { isTurnOver, nextTurn } from '../../../../../shared/work/slices.js';
import { type Child, startChild } from '../../../../../shared/workers/children.js';
import { inBackground } from '../../../../../shared/workers/process-priority.js';
import { maxFolderDepth } from './failure.js';

export type GitConfig = readonly (readonly [key: string, value: string])[];

export interface GitPlace {
  /** A bare repository; its own configuration file is the only one git reads. */
  gitDir: string;
  /** An empty directory: git looks for nothing in the operator's home. */
  home: string;
}

export interface GitOptions {
  config?: GitConfig;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Stops git (and answers `overflow`, with what fits) when it prints more. 1 MiB by default. */
  maxOutput?: number;
  onOutput?: (chunk: Buffer) => void;
  onError?: (text: string) => void;
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  /** Its last 64 KiB. */
  stderr: string;
  overflow: boolean;
}

const KEPT_STDERR = 64 * 1024;
const TERM_GRACE_MS = scaleMs(1000);
/** The variables of the operator's environment that git needs: where programs and trusted certificates are. */
const INHERITED = [
  'PATH',
  'GIT_EXEC_PATH',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'TMPDIR',
];

const ALWAYS: GitConfig = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pack.threads', '1'],
  ['init.defaultBranch', 'main'],
  ['core.maxTreeDepth', String(maxFolderDepth)],
];

/**
 * Starts git in a process group of its own, without the user's or the system's configuration. Configuration is passed in the
 * environment, which other users cannot read, unlike arguments.
 */
export async function startGit(args: readonly string[], place: GitPlace, options: GitOptions = {}): Promise<Child> {
  const env: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  Object.assign(env, {
    HOME: place.home,
    XDG_CONFIG_HOME: place.home,
    GIT_DIR: place.gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
    ...options.env,
  });
  const config = [...ALWAYS, ...(options.config ?? [])];
  env.GIT_CONFIG_COUNT = String(config.length);
  for (const [index, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  const spec = { command: 'git', args, cwd: place.home, env, niceness: inBackground };
  return startChild(spec).catch((error) => {
    throw new Error(`git could not be started: ${error.message}`);
  });
}

/** Ends git and everything it started: first with a signal that lets it clean up, then with SIGKILL. */
export function stopGit({ pid, closed }: Child): void {
  if (!signalGroup(pid, 'SIGTERM')) return;
  const last = setTimeout(() => signalGroup(pid, 'SIGKILL'), TERM_GRACE_MS);
  void closed.then(() => {
    clearTimeout(last);
    // A helper may outlive git itself.
    signalGroup(pid, 'SIGKILL');
  });
}

const nothingDone = { code: -1, stdout: Buffer.alloc(0), stderr: '', overflow: false };

/** Runs git to its end and resolves with any exit code. Rejects when git cannot be started. */
export async function runGit(args: readonly string[], place: GitPlace, options: GitOptions = {}): Promise<GitResult> {
  const { signal, maxOutput = 1024 * 1024, onOutput, onError } = options;
  if (signal?.aborted) return nothingDone;
  const child = await startGit(args, place, options);
  const stop = () => stopGit(child);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const chunks: Buffer[] = [];
  let [printed, stderr, overflow] = [0, '', false];
  child.stdout.on('data', (chunk: Buffer) => {
    if (overflow) return;
    const room = maxOutput - printed;
    printed += chunk.length;
    if (onOutput) onOutput(chunk);
    else chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) {
      overflow = true;
      stop();
    } else if (onOutput && isTurnOver()) {
      // What is made of the output takes long: it waits in the pipe while others have their turn.
      child.stdout.pause();
      void nextTurn().then(() => child.stdout.resume());
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
    onError?.(text);
  });
  child.stdin.end();
  const end = await child.closed;
  signal?.removeEventListener('abort', stop);
  return { code: typeof end === 'number' ? end : -1, stdout: Buffer.concat(chunks), stderr, overflow };
}

function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
