import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Asked, Balancer, Sent } from './balancer.js';
import { type Kind, kindsOf, newScene, type Scene } from './scene.js';

/** Of each service. */
const readsASecond = Number(process.env.CLUSTER_READS ?? 10);
const writesASecond = Number(process.env.CLUSTER_WRITES ?? 3);
/** Reads or writes of a service in flight; beyond it they wait, so that a slow machine, which also runs the cluster, is not drowned. */
const mostInFlight = 3;

/** A request of the load, with its answer. */
export interface Sample {
  service: string;
  isRead: boolean;
  /** How many requests of the load were sent before it. */
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
/** It was applied, and the answer says so, and that nothing else of it is known. */
export const isLost = ({ body }: Pick<Sent, 'body'>): boolean => /was applied, but its answer is lost/.test(body);
const pauseMs = 500;

let loads = 0;

const isDone = ({ sent: { status } }: Sample) => status >= 200 && status < 300;

/** A constant load of reads and writes of every service, with all its answers and a ledger of its writes. */
export class Load {
  readonly samples: Sample[] = [];
  readonly ledger: Written[] = [];
  readonly kinds: Kind[];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private readonly answered = new EventEmitter().setMaxListeners(0);
  private readonly id = loads++;
  private count = 0;
  private sent = 0;

  private constructor(
    private readonly balancer: Balancer,
    readonly scene: Scene,
  ) {
    this.kinds = kindsOf(scene);
  }

  static async start(balancer: Balancer, url: string, token: string): Promise<Load> {
    const load = new Load(balancer, await newScene(url, token));
    for (const kind of load.kinds) {
      load.repeat(readsASecond * kind.share, () => load.read(kind));
      load.repeat(writesASecond, () => load.write(kind));
    }
    return load;
  }

  /** Resolves when every request is answered. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.inFlight);
  }

  /** Resolves when so many requests that were sent from now on are answered as `isIt` says; for a service, some of its own. */
  async until(count: number, isIt: (sample: Sample) => boolean): Promise<void> {
    const since = this.sent;
    for (let found = 0, seen = this.samples.length; ; await once(this.answered, 'answer')) {
      const more = this.samples.slice(seen);
      seen += more.length;
      found += more.filter((sample) => sample.at >= since && isIt(sample)).length;
      if (found >= count) return;
    }
  }

  /** Resolves when reads and writes that were sent from now on are answered well, `count` of each for each service. */
  async goesOn(count: number, isMeant: (service: string) => boolean = () => true): Promise<void> {
    const asked = this.kinds.filter(({ service }) => isMeant(service));
    await Promise.all(
      asked.flatMap(({ service }) =>
        [true, false].map((isRead) =>
          this.until(count, (each) => each.service === service && each.isRead === isRead && isDone(each)),
        ),
      ),
    );
  }

  private tell(sample: Sample): void {
    this.samples.push(sample);
    this.answered.emit('answer');
  }

  private repeat(aSecond: number, ask: () => Promise<void>): void {
    let inFlight = 0;
    const again = () => {
      if (inFlight >= mostInFlight) return;
      inFlight += 1;
      const work = ask().finally(() => {
        inFlight -= 1;
        this.inFlight.delete(work);
      });
      this.inFlight.add(work);
    };
    this.timers.push(setInterval(again, 1000 / aSecond));
  }

  private async read({ service, read }: Kind): Promise<void> {
    const at = this.sent++;
    this.tell({ service, isRead: true, at, sent: await this.balancer.send(read) });
  }

  private async write({ service, write }: Kind): Promise<void> {
    const at = this.sent++;
    const name = `w${this.id}-${service}-${this.count++}`;
    const asked = { ...write(name), key: `${process.pid}-${name}` };
    const sent = await this.balancer.send(asked);
    this.tell({ service, isRead: false, at, sent });
    const last = isUnknown(sent.status) ? await this.repeated(asked) : sent;
    const { status } = last;
    this.ledger.push({ service, name, status, isRepeated: isUnknown(sent.status), isLost: isLost(last) });
  }

  /** The key lets a client repeat a write whose outcome it does not know, until it does. */
  private async repeated(asked: Asked): Promise<Sent> {
    for (;;) {
      await delay(pauseMs);
      const sent = await this.balancer.send(asked);
      const isOpen = isUnknown(sent.status) || sent.status === 503;
      if (!isOpen) return sent;
    }
  }
}
