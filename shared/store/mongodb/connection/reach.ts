import type { MongoClient, TopologyDescription } from 'mongodb';
import type { Log } from '../../../monitoring/log.js';
import { noAnswerError } from './outages.js';

export interface ReachOptions {
  /** Milliseconds without a writable server after which MongoDB counts as down. */
  graceMs: number;
  /** Longer than the driver's monitor can be silent: its check has ended by then. */
  silenceMs: number;
  log?: Log | undefined;
}

const LOOK_MS = 1_000;

/** Tracks whether MongoDB can be reached, by the driver's monitors; starts them anew when they fall silent. */
export class Reach {
  private reachable = false;
  private down = false;
  /** How often a server was found. */
  private found = 0;
  private cause: Error | undefined;
  private timer: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  /** When the monitor of each server, by its address, was last heard. */
  private readonly heard = new Map<string, number>();
  private disconnected = false;
  private reviving: Promise<void> | undefined;

  constructor(
    private readonly client: MongoClient,
    private readonly options: ReachOptions,
  ) {
    client.on('topologyDescriptionChanged', ({ newDescription }) => this.noteServers(newDescription));
    client.on('serverHeartbeatFailed', ({ failure }) => {
      this.cause = failure;
    });
    for (const event of ['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const)
      client.on(event, ({ connectionId }: { connectionId: string }) => this.heard.set(connectionId, performance.now()));
    client.on('serverClosed', ({ address }) => this.heard.delete(address));
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    clearInterval(this.watch);
    await this.reviving;
    await this.client.close();
    clearTimeout(this.timer);
  }

  /** Throws while MongoDB is down, so that calls fail at once. */
  throwIfDown(): void {
    if (this.down) throw noAnswerError('read', this.cause);
  }

  /** Returns a function that says whether a call that begins now was certainly never sent: no server was reachable since. */
  watchSending(): () => boolean {
    const { reachable, found } = this;
    return () => !reachable && found === this.found;
  }

  private noteServers({ servers }: TopologyDescription): void {
    const reachable = [...servers.values()].some(({ isWritable }) => isWritable);
    if (reachable === this.reachable) return;
    this.reachable = reachable;
    clearTimeout(this.timer);
    if (reachable) this.noteFound();
    else this.timer = setTimeout(() => this.noteLost(), this.options.graceMs).unref();
  }

  private noteFound(): void {
    this.found += 1;
    if (this.down) this.options.log?.info('MongoDB can be reached again');
    this.down = false;
    clearInterval(this.watch);
  }

  private noteLost(): void {
    this.down = true;
    this.options.log?.error({ err: this.cause }, 'MongoDB cannot be reached');
    this.watch = setInterval(() => this.reviveMonitor(), LOOK_MS).unref();
  }

  /**
   * A monitor that writes to a connection in the moment it breaks waits for ever (driver 7.8, 7.9): `write` of a destroyed
   * socket returns false, and its 'drain' never comes.
   */
  private reviveMonitor(): void {
    if (this.reviving || !(this.disconnected || this.isSilent())) return;
    if (!this.disconnected) this.options.log?.warn('the driver does not look for MongoDB any more; connecting anew');
    this.reviving = this.connectAnew().finally(() => {
      this.reviving = undefined;
    });
  }

  private isSilent(): boolean {
    const since = performance.now() - this.options.silenceMs;
    return [...this.heard.values()].some((heard) => heard < since);
  }

  private async connectAnew(): Promise<void> {
    this.disconnected = true;
    try {
      await this.client.close();
      this.heard.clear();
      await this.client.connect();
      this.disconnected = false;
    } catch (error) {
      this.cause = error as Error;
    }
  }
}
