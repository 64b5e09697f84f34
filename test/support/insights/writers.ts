import { EventEmitter, once } from 'node:events';
import type { TrackedSite } from './tracked-site.js';

/** Writers who track events without pause, each with a URL that no other event has. */
export class Writers {
  /** Names of events that were acknowledged, and of those that nobody knows of. */
  readonly acknowledged: string[] = [];
  readonly unknown: string[] = [];
  /** How many answers had each status; `none` where no answer came. */
  readonly answers: Record<string, number> = {};
  private stopped = false;
  private rounds = 0;
  private readonly progress = new EventEmitter();

  constructor(private readonly site: TrackedSite) {}

  /** Resolves when all have stopped: after `stop`, when nobody answers any more, or when `isOver`. */
  async write(count: number, isOver = () => false): Promise<void> {
    this.stopped = false;
    this.rounds += 1;
    await Promise.all(
      Array.from({ length: count }, (_, writer) => this.writeAlone(`${this.rounds}-${writer}`, isOver)),
    );
  }

  /** Resolves when this many events more have been acknowledged. */
  async written(more: number): Promise<void> {
    const enough = this.acknowledged.length + more;
    while (this.acknowledged.length < enough) await once(this.progress, 'answer');
  }

  stop(): void {
    this.stopped = true;
  }

  private async writeAlone(writer: string, isOver: () => boolean): Promise<void> {
    for (let sent = 0; !this.stopped && !isOver(); sent++) {
      const names = Array.from({ length: 1 + (sent % 4) }, (_, at) => `${writer}-${sent}-${at}`);
      const status = await this.send(names);
      this.answers[status] = (this.answers[status] ?? 0) + 1;
      (status === 204 ? this.acknowledged : this.unknown).push(...names);
      this.progress.emit('answer');
      if (status === 'none') return;
    }
  }

  private async send(names: string[]): Promise<number | 'none'> {
    const events = names.map((name) => this.site.event({ location: { url: `${this.site.url}${name}` } }));
    const answered = await this.site.track(events).catch(() => undefined);
    return answered?.status ?? 'none';
  }
}

/** The names of the stored events, as the export of a site has them. */
export async function storedNames(site: TrackedSite): Promise<string[]> {
  const events = await site.exported();
  return events.map(({ location: { url } }) => url.slice(url.lastIndexOf('/') + 1));
}

/** Every acknowledged event is stored once, and no event more than once. */
export function expectAllOnce(stored: string[], { acknowledged, unknown }: Writers): void {
  const once = new Set(stored);
  expect(stored.length).toBe(once.size);
  expect(acknowledged.filter((name) => !once.has(name))).toEqual([]);
  const sent = new Set([...acknowledged, ...unknown]);
  expect(stored.filter((name) => !sent.has(name))).toEqual([]);
}
