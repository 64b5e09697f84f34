import { type ChildProcess, exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { Wire } from '../../shared/testing/wire.js';
import { endWithThis, ofTests } from './children.js';

/** A server behind Bindery that can be away and come back on the same address with what it has stored. */
export interface Engine {
  /** Where it is: `host:port`. */
  address: string;
  /** Undefined where it is not a process of ours that runs. */
  pid(): number | undefined;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

async function listening(child: ChildProcess, at: NetConnectOpts): Promise<void> {
  await eventually(`${child.spawnfile} that listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode} before it listened`);
    const socket = connect(at);
    const reached = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return reached;
  });
}

/** The runner of scripts of the compose file, at its socket in `folder`. */
export async function scriptRunner(folder: string): Promise<{ socket: string; close(): Promise<void> }> {
  const socket = join(folder, 'socket');
  const child = spawn(process.execPath, [packageFile('dist/services/commands/script-runner.js')], {
    env: { ...ofTests(), INTEGRATION_RUNNER: socket },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await listening(endWithThis(child), { path: socket });
  return { socket, close: () => kill(child) };
}

/** A server process that a stop kills with `kill -9`. */
function processOf(port: number, launch: () => ChildProcess): Engine {
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child) await kill(child);
  };
  return {
    address: `127.0.0.1:${port}`,
    pid: () => child?.pid,
    stop,
    async start() {
      child = endWithThis(launch());
      await listening(child, { host: '127.0.0.1', port });
    },
    close: stop,
  };
}

/** NATS with the configuration of the compose file, and the password of `url`. */
export async function nats(url: string): Promise<Engine> {
  const [port, monitoring] = [await freePort(), await freePort()];
  const configuration = packageFile('deploy/nats/nats-server.conf');
  const flags = ['-c', configuration, '-a', '127.0.0.1', '-p', String(port), '-m', String(monitoring)];
  const env = { ...ofTests(), NATS_PASSWORD: new URL(url).password };
  return processOf(port, () => spawn('nats-server', flags, { env, stdio: 'ignore' }));
}

/** ClickHouse's HTTP interface with the login and the database of `url`, on files in `folder`. */
export async function clickHouse(url: string, folder: string): Promise<Engine> {
  const port = await freePort();
  const own = new URL(url);
  own.host = `127.0.0.1:${port}`;
  return processOf(port, () => {
    const child = spawn(process.execPath, [packageFile('dist/test/support/clickhouse-main.js')], {
      env: { ...process.env, CLICKHOUSE_URL: own.href, DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    createInterface({ input: child.stderr }).on('line', (line) => process.stderr.write(`clickhouse: ${line}\n`));
    return child;
  });
}

const nothing = async () => {};

/**
 * The MongoDB of `MONGODB_URL`. The commands of `CLUSTER_MONGODB_STOP` and `CLUSTER_MONGODB_START` stop and start it; without them
 * a proxy before it refuses connections instead, unless it is `direct`.
 */
export async function mongodb(url: string, direct: boolean): Promise<Engine> {
  const { host, hostname, port } = new URL(url);
  const pid = () => undefined;
  if (direct) return { address: host, pid, stop: nothing, start: nothing, close: nothing };
  const { CLUSTER_MONGODB_STOP: stop, CLUSTER_MONGODB_START: start } = process.env;
  if (stop && start) {
    const run = async (command: string) => void (await promisify(exec)(command));
    return { address: host, pid, stop: () => run(stop), start: () => run(start), close: nothing };
  }
  const wire = new Wire(hostname, Number(port || 27017));
  return {
    address: `127.0.0.1:${await wire.listen()}`,
    pid,
    stop: async () => wire.refuse(),
    start: async () => wire.go(),
    close: () => wire.close(),
  };
}
