import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../shared/process/free-port.js';
import { type Answer, Client, type StartedServer, startServer, testToken } from '../../support/server.js';

/** What a server that goes down may answer. */
const goingDown = [503, 504];

/** A Bindery that is killed and started again at the same address, on the same data. */
export class Installation {
  readonly client: Client;
  /** Answers that no writer expects. */
  readonly surprises: string[] = [];
  isOver = false;
  isResting = false;
  private server: StartedServer | undefined;
  private up: Promise<unknown> = Promise.resolve();
  private working: Promise<unknown> = Promise.resolve();
  private wakeUp = () => {};

  private constructor(
    readonly dataDir: string,
    private readonly port: number,
  ) {
    this.client = new Client(`http://127.0.0.1:${port}`, testToken);
  }

  static async start(): Promise<Installation> {
    const installation = new Installation(await mkdtemp(join(tmpdir(), 'bindery-kills-')), await freePort());
    await installation.launch();
    return installation;
  }

  get pid(): number {
    return Number(this.server?.process.pid);
  }

  async killAndStart(): Promise<void> {
    const back = this.server?.kill().then(() => this.launch());
    this.up = back ?? this.up;
    await back;
  }

  /** Writers write no more, so that a slow machine has no more to check, until they are woken up. */
  rest(): void {
    this.isResting = true;
    this.working = new Promise<void>((resolve) => {
      this.wakeUp = resolve;
    });
  }

  wake(): void {
    this.isResting = false;
    this.wakeUp();
  }

  /** Resolves while writers do not rest. */
  isAwake = (): Promise<unknown> => this.working;

  end(): void {
    this.isOver = true;
    this.wake();
  }

  async close(): Promise<void> {
    this.end();
    expect(await this.server?.stop()).toBe(0);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Sends a request while the server is up; undefined where no answer tells whether it was done. `allowed`: what it may be refused with. */
  async send(ask: (client: Client) => Promise<Answer<any>>, allowed: number[] = []): Promise<Answer<any> | undefined> {
    await this.up;
    const answer = await ask(this.client).catch(() => undefined);
    if (!answer || goingDown.includes(answer.status)) return undefined;
    if (answer.status >= 300 && !allowed.includes(answer.status))
      this.surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** The body of an answer that says that something was done; undefined for all others. */
  async done(ask: (client: Client) => Promise<Answer<any>>, allowed: number[] = []): Promise<any> {
    const answer = await this.send(ask, allowed);
    return answer && answer.status < 300 ? (answer.body ?? {}) : undefined;
  }

  private async launch(): Promise<void> {
    const env = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', CHECK_RESPONSES: 'false' };
    this.server = await startServer({ dataDir: this.dataDir, port: this.port, env });
  }
}

/** People who write without pause, and know what was acknowledged. */
export interface Writer {
  /** Writes until all is over. */
  write(): Promise<unknown>;
  /** How much was acknowledged. */
  count(): number;
  /** Expects what was acknowledged, once, and nothing that is half. */
  check(): Promise<void>;
}

/** Runs some at the same time until all is over. */
export const several = (installation: Installation, count: number, run: (nth: number) => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      for (; !installation.isOver; await installation.isAwake()) await run(nth);
    }),
  );
