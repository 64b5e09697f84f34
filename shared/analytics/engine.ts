import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Log } from '../monitoring/log.js';
import { scaleMs } from '../settings/time-scale.js';
import type { EngineMessage } from './engine-process.js';

/** The embedded analytics engine, in a child process: whatever happens to it, this process goes on. */
export interface Engine {
  /** Connects to the engine, which starts with the first connection and again after it ended. */
  agent: Agent;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('./engine-process.js', import.meta.url));
/** The engine gets no secret of this process. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TZ'];
/** Three threads wait for statements; the others are for the files of the process. */
const threads = '8';
/** Requests that wait for their turn must not keep those of another lane from it. */
const maxConnections = 1000;
const beatMs = 1000;
/** Missing answers after which the engine is killed: a crashed one may hang in its own signal handlers for minutes. */
const missedBeats = 10;
const startMs = scaleMs(60_000);
const retryMs = 1000;

/** Opens the engine on the files in `path`, which are created if missing. `signal` ends a start that nobody waits for any more. */
export async function openEngine(path: string, log: Log, signal?: AbortSignal): Promise<Engine> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // The path of a socket may have 100 characters: too few for some data folders.
  const folder = await mkdtemp(join(tmpdir(), 'bindery-analytics-'));
  const engine = new EngineProcess(path, join(folder, 'socket'), log);
  const stop = () => void engine.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await engine.awaitSocketPath();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return {
    agent: new EngineAgent(engine),
    async close() {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

class EngineAgent extends Agent {
  constructor(private readonly engine: EngineProcess) {
    super({ keepAlive: true, maxSockets: maxConnections });
  }

  override createConnection(_: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.engine.awaitSocketPath().then(
      (socket) => done?.(null, connect(socket)),
      (error) => done?.(error, undefined as never),
    );
  }
}

class EngineProcess {
  private child: ChildProcess | undefined;
  private started: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly socket: string,
    private readonly log: Log,
  ) {}

  /** The path of its socket, as soon as the engine listens there. */
  async awaitSocketPath(): Promise<string> {
    if (this.closed) throw new Error('the analytics engine is closed');
    this.started ??= this.start().catch((error) => {
      // A failure is the answer for a while, so that an engine that cannot start is not started without end.
      setTimeout(() => {
        this.started = undefined;
      }, retryMs).unref();
      throw error;
    });
    await this.started;
    return this.socket;
  }

  /** The engine keeps what it acknowledged however it ends, so it is killed. */
  async close(): Promise<void> {
    this.closed = true;
    const { child } = this;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  private async start(): Promise<void> {
    await rm(this.socket, { force: true });
    if (this.closed) throw new Error('the analytics engine is closed');
    const child = fork(program, [this.path, this.socket], {
      execArgv: [],
      env: { ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])), UV_THREADPOOL_SIZE: threads },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    let listening = false;
    child.once('exit', (code, signal) => {
      this.child = undefined;
      if (!listening || this.closed) return;
      this.started = undefined;
      this.log.error({ code, signal }, 'the analytics engine ended; it will start again when it is needed');
    });
    await awaitListening(child);
    listening = true;
    killWhenSilent(child);
  }
}

/** Resolves when the engine listens; else ends it, and rejects with the reason. */
async function awaitListening(child: ChildProcess): Promise<void> {
  const timeout = AbortSignal.timeout(startMs);
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  try {
    const [{ failure }] = (await once(child, 'message', { signal: AbortSignal.any([timeout, ended.signal]) })) as [
      EngineMessage,
    ];
    if (failure === undefined) return;
    throw new Error(
      `the embedded analytics engine cannot be loaded (${failure}); install the optional packages with npm ci, or set CLICKHOUSE_URL`,
    );
  } catch (error) {
    child.kill('SIGKILL');
    if (ended.signal.aborted) throw new Error('the embedded analytics engine ended while it started');
    throw timeout.aborted ? new Error('the embedded analytics engine did not start in time') : error;
  }
}

/** Kills an engine that does not answer any more. */
function killWhenSilent(child: ChildProcess): void {
  let missed = 0;
  const beat = setInterval(() => {
    missed += 1;
    if (missed > missedBeats) child.kill('SIGKILL');
    else if (child.connected) child.send('beat', () => undefined);
  }, beatMs).unref();
  child.on('message', () => {
    missed = 0;
  });
  child.once('exit', () => clearInterval(beat));
}
