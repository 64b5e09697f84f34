import type { MongoClient, TopologyDescription } from 'mongodb';
import type { Log } from '../../../log.js';
import { unanswered } from './outages.js';

export interface ReachOptions {
  /** After so long without a writable server, MongoDB counts as down. */
  graceMs: number;
  log?: Log | undefined;
}

/** Tracks whether MongoDB can be reached, by the driver's monitors. */
export class Reach {
  private reachable = false;
  private down = false;
  /** How often a server was found. */
  private found = 0;
  private cause: Error | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    client: MongoClient,
    private readonly options: ReachOptions,
  ) {
    client.on('topologyDescriptionChanged', ({ newDescription }) => this.see(newDescription));
    client.on('serverHeartbeatFailed', ({ failure }) => {
      this.cause = failure;
    });
    client.on('topologyClosed', () => clearTimeout(this.timer));
  }

  /** Throws while MongoDB is down, so that calls fail at once. */
  check(): void {
    if (this.down) throw unanswered('read', this.cause);
  }

  /** Returns a function that says whether a call that begins now was certainly never sent: no server was reachable since. */
  watchSending(): () => boolean {
    const { reachable, found } = this;
    return () => !reachable && found === this.found;
  }

  private see({ servers }: TopologyDescription): void {
    const reachable = [...servers.values()].some(({ isWritable }) => isWritable);
    if (reachable === this.reachable) return;
    this.reachable = reachable;
    clearTimeout(this.timer);
    if (reachable) this.find();
    else this.timer = setTimeout(() => this.lose(), this.options.graceMs).unref();
  }

  private find(): void {
    this.found += 1;
    if (this.down) this.options.log?.info('MongoDB can be reached again');
    this.down = false;
  }

  private lose(): void {
    this.down = true;
    this.options.log?.error({ err: this.cause }, 'MongoDB cannot be reached');
  }
}
