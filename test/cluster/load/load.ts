import { setTimeout as delay } from 'node:timers/promises';
import type { Asked, Balancer, Sent } from './balancer.js';
import { type Kind, kindsOf, newScene, type Scene } from './scene.js';

/** Of each service. */
const readsASecond = Number(process.env.CLUSTER_READS ?? 10);
const writesASecond = Number(process.env.CLUSTER_WRITES ?? 3);
/** Requests in flight; beyond it the load waits, so that the machine that also runs the cluster is not drowned. */
const mostInFlight = 2_000;

/** A request of the load, with its answer. */
export interface Sample {
  service: string;
  isRead: boolean;
  /** When it was sent, in milliseconds of `performance.now`. */
  at: number;
  sent: Sent;
}

/** What a client knows of a write. */
export interface Written {
  service: string;
  name: string;
  /** 0 where no answer came. */
  status: number;
  /** The first answer left open whether it was applied, so it was repeated with its key. */
  isRepeated: boolean;
  /** It was applied, but its answer is lost. */
  isLost: boolean;
}

/** Nobody knows what became of the write. */
export const isUnknown = (status: number): boolean => status === 0 || status === 504;
const lost = /was applied, but its answer is lost/;
const pauseMs = 500;
const longestRepeatMs = 30_000;

let loads = 0;

/** A constant load of reads and writes of every service, with all its answers and a ledger of its writes. */
export class Load {
  readonly samples: Sample[] = [];
  readonly ledger: Written[] = [];
  readonly kinds: Kind[];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private readonly id = loads++;
  private count = 0;

  private constructor(
    private readonly balancer: Balancer,
    readonly scene: Scene,
  ) {
    this.kinds = kindsOf(scene);
  }

  static async start(balancer: Balancer, url: string, token: string): Promise<Load> {
    const load = new Load(balancer, await newScene(url, token));
    for (const kind of load.kinds) {
      load.timers.push(setInterval(() => load.follow(load.read(kind)), 1000 / (readsASecond * kind.share)));
      load.timers.push(setInterval(() => load.follow(load.write(kind)), 1000 / writesASecond));
    }
    return load;
  }

  /** Resolves when every request is answered. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.inFlight);
  }

  private follow(work: Promise<void>): void {
    if (this.inFlight.size > mostInFlight) return;
    this.inFlight.add(work);
    void work.finally(() => this.inFlight.delete(work));
  }

  private async read({ service, read }: Kind): Promise<void> {
    const at = performance.now();
    this.samples.push({ service, isRead: true, at, sent: await this.balancer.send(read) });
  }

  private async write({ service, write }: Kind): Promise<void> {
    const at = performance.now();
    const name = `w${this.id}-${service}-${this.count++}`;
    const asked = { ...write(name), key: `${process.pid}-${name}` };
    const sent = await this.balancer.send(asked);
    this.samples.push({ service, isRead: false, at, sent });
    const { status, body } = isUnknown(sent.status) ? await this.repeated(asked) : sent;
    this.ledger.push({ service, name, status, isRepeated: isUnknown(sent.status), isLost: lost.test(body) });
  }

  /** The key lets a client repeat a write whose outcome it does not know, until it does. */
  private async repeated(asked: Asked): Promise<Sent> {
    for (const end = performance.now() + longestRepeatMs; ; ) {
      await delay(pauseMs);
      const sent = await this.balancer.send(asked);
      const isOpen = isUnknown(sent.status) || sent.status === 503;
      if (!isOpen || performance.now() > end) return sent;
    }
  }
}
