import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { endWithThis, newFolder, ofTests } from './children.js';
import type { Deployed, Environment } from './compose.js';

const mostLines = 2_000;
/** A folder that keeps the whole log of every process. */
const logs = process.env.CLUSTER_LOGS;

const ticksASecond = 100;

/** Seconds of processor time that a process has taken. */
export function processorTime(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
  return (Number(user) + Number(system)) / ticksASecond;
}

/** One process of a service, with its ports and its folder, which it keeps over restarts. */
export class Node {
  private child: ChildProcess | undefined;
  private readonly lines: string[] = [];

  private constructor(
    readonly name: string,
    /** Milliseconds that a stop may take. */
    readonly graceMs: number,
    private readonly environment: Environment,
  ) {}

  static async create(name: string, { environment, graceMs }: Deployed): Promise<Node> {
    const [port, metrics] = [await freePort(), await freePort()];
    const folder = await newFolder(name);
    const own = { PORT: String(port), METRICS_PORT: String(metrics), DATA_DIR: folder };
    return new Node(name, graceMs, { ...environment, ...own });
  }

  /** Its name in the compose file. */
  get service(): string {
    return this.name.replace(/-\d+$/, '');
  }

  get url(): string {
    return `http://127.0.0.1:${this.environment.PORT}`;
  }

  private get health(): string {
    return `http://127.0.0.1:${this.environment.METRICS_PORT}`;
  }

  get pid(): number {
    return this.child?.pid as number;
  }

  /** How it is deployed, with other settings. */
  deployed(settings: Environment): Deployed {
    return { environment: { ...this.environment, ...settings }, graceMs: this.graceMs };
  }

  /** Seconds of processor time that it has taken. */
  processorTime(): number {
    return processorTime(this.pid);
  }

  /** Changes settings for the next start. */
  set(settings: Environment): void {
    Object.assign(this.environment, settings);
  }

  /** Starts the built program as the image does, and resolves when it says that it has started. */
  async start(): Promise<void> {
    const { DATA_DIR: cwd } = this.environment;
    const flags = ['--enable-source-maps', '--max-semi-space-size=32', packageFile('dist/services/main.js')];
    const child = spawn(process.execPath, flags, {
      cwd,
      env: { ...ofTests(), ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    endWithThis(child);
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => {
          this.lines.push(line);
          if (logs) appendFileSync(join(logs, `${this.name}.log`), `${line}\n`);
          if (this.lines.length > mostLines) this.lines.shift();
          if (line.includes('"msg":"started"')) resolve();
        });
      child.once('exit', (code) => reject(new Error(`${this.name} ended with ${code}:\n${this.lastWords()}`)));
    });
  }

  /** Its last lines of log. */
  output(): string {
    return this.lines.join('\n');
  }

  lastWords(): string {
    return this.output().slice(-2_000);
  }

  isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resident memory in MiB. */
  memory(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }

  /** The status of its readiness about itself alone; 0 where nothing answers. */
  async readiness(): Promise<number> {
    return fetch(`${this.health}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  async ready(): Promise<void> {
    const readiness = () => {
      if (!this.isRunning()) throw new Error(`${this.name} ended:\n${this.lastWords()}`);
      return this.readiness();
    };
    await eventually(`the readiness of ${this.name}`, readiness, (status) => status === 200);
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Sends a signal and resolves to the exit code. */
  async end(name: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || !this.isRunning()) return null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(name);
    const [code] = await exited;
    return code;
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL');
    await rm(String(this.environment.DATA_DIR), { recursive: true, force: true });
  }
}
