import type { Log } from '../../../../shared/monitoring/log.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { installations } from '../../installations/model.js';
import { removeEvents, trimKept } from '../queue/kept-events.js';
import { type EventDocument, events } from '../queue/model.js';
import { laneJob, type QueueDependencies } from '../queue/queue.js';

type Dependencies = Pick<QueueDependencies, 'store' | 'deliveries'> & { log: Log };

const everyMs = 60_000;
const keepMs = 7 * 24 * 3_600_000;
/** Maximum number of batches of old events that one sweep removes. */
const maxSlices = 20;
/** Lanes that are looked at in one sweep; the next one goes on after them. */
const maxLanes = 1000;

/** Looks once a minute for what has to be tidied up; every process may do so. */
export class Sweep {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private isStopped = false;
  /** The last lane that was looked at. */
  private after = '';

  constructor(private readonly deps: Dependencies) {}

  start(): void {
    this.timer = setInterval(() => this.sweepNow(), everyMs).unref();
    this.sweepNow();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  private sweepNow(): void {
    const { log } = this.deps;
    this.sweeping ??= Promise.all([this.forsakenLanes(), this.removeKept()])
      .then(() => undefined)
      .catch((err) => log.warn({ err }, 'tidying up the events of integrations failed; will retry in a minute'))
      .finally(() => {
        this.sweeping = undefined;
      });
  }

  /** Removes events that are over: those older than a week, and the oldest of organizations that have too many. */
  private async removeKept(): Promise<void> {
    const { store } = this.deps;
    const isStopped = () => this.isStopped;
    await removeOld(store, isStopped);
    await trimKept(store, isStopped);
  }

  /** Has the events of lanes delivered that no job is for. There should be none. */
  private async forsakenLanes(): Promise<void> {
    const { store, deliveries, log } = this.deps;
    const waiting = await this.nextLanes();
    const standing = await deliveries.findStanding(waiting.map(({ lane = '' }) => lane));
    for (const { lane = '', installation, runAt } of waiting) {
      if (standing.has(lane)) continue;
      log.warn({ lane }, 'events waited without a job; they will be delivered now');
      const found = installation === undefined ? null : await store.get(installations, installation);
      await store.batch([laneJob(this.deps, { lane, share: found?.organization ?? lane, runAt })]);
    }
  }

  /** The first event of each of the next lanes. */
  private async nextLanes(): Promise<EventDocument[]> {
    const found: EventDocument[] = [];
    while (found.length < maxLanes && !this.isStopped) {
      const first = await this.deps.store.findOne(
        events,
        { lane: { $gt: this.after } },
        { sort: { lane: 1, sequence: 1 }, fields: ['lane', 'installation', 'runAt'] },
      );
      this.after = first?.lane ?? '';
      if (!first) break;
      found.push(first);
    }
    return found;
  }
}

/** Removes events that are over and older than a week. */
async function removeOld(store: Dependencies['store'], isStopped: () => boolean): Promise<void> {
  const createdAt = { $lt: timestamp(new Date(Date.now() - keepMs)) };
  for (let slice = 0; slice < maxSlices && !isStopped(); slice++)
    if (!(await removeEvents(store, { filter: { createdAt, lane: null as never } }))) return;
}
