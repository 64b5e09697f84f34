import { groupBy } from '../../../shared/group-by.js';
import { newId, timestamp } from '../../../shared/ids.js';
import { type Write, write } from '../../../shared/store/port.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { IntegrationsDependencies } from '../dependencies.js';
import { type EventDocument, type EventPlace, events, lanes } from './model.js';
import { storedPayload } from './payloads.js';

export const deliverKind = 'deliver';
/** A lane is the installation whose events it holds, or the integration for events outside of any installation. */
export interface DeliverPayload {
  lane: string;
}

/** An event that is to be delivered to the script of an integration, after those that wait for the same installation. */
export interface NewEvent {
  /** A new one by default. An event whose id is in the store already is not written again. */
  id?: string;
  integration: Pick<IntegrationDocument, '_id' | 'publication'>;
  installation?: string;
  /** Whose turn it takes: organizations take turns. */
  organization: string;
  place?: EventPlace;
  type: string;
  /** What the payload holds besides `eventId` and `type`. */
  data: object;
  /** When it is due. Such an event is in a lane of its own: it holds up no other, and no other holds it up. */
  runAt?: string;
  /** The installation as it was before it was removed, as JSON. */
  before?: string;
}

type Dependencies = Pick<IntegrationsDependencies, 'store' | 'deliveries' | 'secrets'>;

const laneOf = ({ installation, integration }: Pick<NewEvent, 'installation' | 'integration'>): string =>
  installation ?? integration.publication;

/** The writes that queue events in this order, for the batch of what they tell; call `deliveries.wake` after it. */
export async function queueEvents(deps: Dependencies, added: NewEvent[]): Promise<Write[]> {
  const writes: Write[] = [];
  for (const event of added.filter(({ runAt }) => runAt !== undefined)) {
    const id = event.id ?? newId();
    const made = newEvent(deps, event, { id, lane: id, sequence: 0 });
    writes.push(made, laneJob(deps, { lane: id, share: event.organization, runAt: event.runAt }));
  }
  const inOrder = added.filter(({ runAt }) => runAt === undefined);
  for (const [lane, group] of groupBy(inOrder, laneOf)) {
    const last = await lastInLane(deps, lane, group.length);
    for (const [at, event] of group.entries())
      writes.push(newEvent(deps, event, { id: event.id ?? newId(), lane, sequence: last - group.length + 1 + at }));
    writes.push(laneJob(deps, { lane, share: group[0]?.organization ?? lane }));
  }
  return writes;
}

/** The write that has the events of a lane delivered. */
export const laneJob = (
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  { lane, share, runAt }: DeliverPayload & { share: string; runAt?: string | undefined },
): Write =>
  deliveries.enqueueStanding<DeliverPayload>(
    lane,
    deliverKind,
    { lane },
    { share, ...(runAt === undefined ? {} : { runAt }) },
  );

/** The last of so many new sequence numbers. */
export async function lastInLane({ store }: Pick<Dependencies, 'store'>, lane: string, count = 1): Promise<number> {
  const { last } = await store.upsert(lanes, { _id: lane }, { $inc: { last: count } });
  return last;
}

function newEvent(
  deps: Pick<Dependencies, 'secrets'>,
  { integration, installation, place, type, data, before, runAt }: NewEvent,
  { id: _id, lane, sequence }: { id: string; lane: string; sequence: number },
): Write {
  const made: Omit<EventDocument, '_id'> = {
    integration: integration._id,
    publication: integration.publication,
    ...(installation === undefined ? {} : { installation }),
    ...(place === undefined ? {} : { place }),
    type,
    ...storedPayload(deps, { eventId: _id, type, ...data }),
    createdAt: timestamp(),
    lane,
    sequence,
    attempts: 0,
    ...(runAt === undefined ? {} : { runAt }),
    logs: [],
    ...(before === undefined ? {} : { before }),
  };
  return write.upsert(events, { _id }, { $setOnInsert: made });
}
