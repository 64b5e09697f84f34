import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scaleMs } from '../settings/time-scale.js';
import { type Child, startChild } from '../workers/children.js';
import { inBackground } from '../workers/process-priority.js';
import { DevTools } from './devtools.js';

/** A browser for one document. */
export interface Browser {
  tools: DevTools;
  /** Ends it and everything that it started, and removes its folder. */
  close(): Promise<void>;
}

/** Kilobytes of data that each of its processes may hold. */
const maxDataKb = 2 * 1024 * 1024;
/** Milliseconds after which nobody waits for its end any more. */
const maxClosingMs = scaleMs(5_000);
/** Bytes of what it says of itself. */
const maxSaid = 16 * 1024;

/**
 * The protocol has the third and the fourth stream of the browser; those that start here have three. The kernel ends a browser before anything
 * else where memory is short.
 */
const script = `ulimit -d ${maxDataKb}; echo 1000 >/proc/self/oom_score_adj; exec "$0" "$@" 3<&0 4>&1 </dev/null >&2`;

/** It reaches nothing: names do not resolve, and connections lead to a port where nobody listens. */
const unreachable = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-pings',
];

const flags = [
  '--headless',
  '--remote-debugging-pipe',
  '--disable-gpu',
  // Shared memory of containers is small.
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--no-first-run',
  '--no-default-browser-check',
  '--mute-audio',
  ...unreachable,
];

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function startProcess(browser: string, folder: string, more: readonly string[]): Promise<Child> {
  const args = ['-c', script, browser, ...flags, ...more, `--user-data-dir=${join(folder, 'profile')}`, 'about:blank'];
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: 'C.UTF-8',
  };
  return startChild({ command: '/bin/sh', args, cwd: folder, env, niceness: inBackground });
}

/** Starts a browser with a folder of its own. Rejects when it does not come up. */
async function start(browser: string, more: readonly string[], signal: AbortSignal): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-pdf-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  const child = await startProcess(browser, folder, more).catch(async (error) => {
    await remove();
    throw error;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-maxSaid);
  });
  const tools = new DevTools(child.stdin, child.stdout);
  const stop = () => {
    signalGroup(child.pid);
    tools.end(signal.reason ?? new Error('the browser was stopped'));
  };
  signal.addEventListener('abort', stop, { once: true });
  const close = async () => {
    signal.removeEventListener('abort', stop);
    stop();
    // Something that it started may have come up meanwhile, and hold its output.
    const again = setInterval(() => signalGroup(child.pid), 100);
    await Promise.race([child.closed, pause(maxClosingMs, undefined, { ref: false })]);
    clearInterval(again);
    signalGroup(child.pid);
    await remove();
  };
  if (signal.aborted) stop();
  try {
    await tools.send('Browser.getVersion');
  } catch (error) {
    await close();
    signal.throwIfAborted();
    throw new Error(`PDF_BROWSER: ${browser} does not start: ${said.trim().split('\n').at(-1) || String(error)}`);
  }
  return { tools, close };
}

const isRoot = process.getuid?.() === 0;
const withoutSandbox = new Set<string>();

/**
 * Starts a browser. Its sandbox cannot start for root and in most containers, so that it is left out there: the browser runs no script, reaches
 * nothing, and shows HTML of ours alone, of which only texts, pictures and colors are of others.
 */
export async function startBrowser(browser: string, signal: AbortSignal): Promise<Browser> {
  const alone = ['--no-sandbox'];
  if (isRoot || withoutSandbox.has(browser)) return start(browser, alone, signal);
  return start(browser, [], signal).catch(async (error) => {
    signal.throwIfAborted();
    const started = await start(browser, alone, signal).catch(() => {
      throw error;
    });
    withoutSandbox.add(browser);
    return started;
  });
}
