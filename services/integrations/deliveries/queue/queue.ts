import type { Jobs } from '../../../../shared/jobs/jobs.js';
import type { Secrets } from '../../../../shared/secrets/secrets.js';
import { type Store, type Write, write } from '../../../../shared/store/port.js';
import { groupBy } from '../../../../shared/values/group-by.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { echoesDue, leftOutLine } from './echoes.js';
import { countFinished } from './kept-events.js';
import { type EventDocument, type EventPlace, events, lanes } from './model.js';
import { sealPayload } from './payloads.js';

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
  /** The organization whose turn the event takes: organizations take turns. */
  organization: string;
  place?: EventPlace;
  type: string;
  /** The payload besides `eventId` and `type`. */
  data: object;
  /** The installation caused it itself, so that its script may be answering its own changes. */
  isEcho?: boolean;
  /** When it is due. A scheduled event gets its own lane, so it neither blocks nor waits for others. */
  runAt?: string;
  /** The installation as it was before it was removed, as JSON. */
  before?: string;
}

export interface QueueDependencies {
  store: Store;
  secrets: Secrets;
  /** Runs the lanes of deliveries, many at a time because they mostly wait for others. */
  deliveries: Jobs;
}

const eventLane = ({ installation, integration }: Pick<NewEvent, 'installation' | 'integration'>): string =>
  installation ?? integration.publication;

/** The writes that queue events in this order, for the batch of the changes that they report. */
export async function queueEvents(deps: QueueDependencies, added: NewEvent[]): Promise<Write[]> {
  const writes: Write[] = [];
  const { paced, leftOut } = await pacedEchoes(deps, added);
  for (const event of leftOut) writes.push(newEvent(deps, event, { id: event.id ?? newId(), sequence: 0 }));
  for (const event of paced.filter(({ runAt }) => runAt !== undefined)) {
    const id = event.id ?? newId();
    const made = newEvent(deps, event, { id, lane: id, sequence: 0 });
    writes.push(made, laneJob(deps, { lane: id, share: event.organization, runAt: event.runAt }));
  }
  const inOrder = paced.filter(({ runAt }) => runAt === undefined);
  for (const [lane, group] of groupBy(inOrder, eventLane)) {
    const last = await lastInLane(deps, lane, group.length);
    for (const [at, event] of group.entries())
      writes.push(newEvent(deps, event, { id: event.id ?? newId(), lane, sequence: last - group.length + 1 + at }));
    writes.push(laneJob(deps, { lane, share: group[0]?.organization ?? lane }));
  }
  return writes;
}

/** The events with the time at which echoes are due, and the echoes that are left out. */
async function pacedEchoes(
  { store }: { store: Store },
  added: NewEvent[],
): Promise<{ paced: NewEvent[]; leftOut: NewEvent[] }> {
  const due = new Map<NewEvent, string | undefined | null>();
  const echoes = added.filter(({ isEcho, runAt }) => isEcho && runAt === undefined);
  for (const [installation, group] of groupBy(echoes, eventLane)) {
    const times = await echoesDue(store, installation, group.length);
    for (const [at, event] of group.entries()) due.set(event, times[at]);
  }
  return {
    paced: added.flatMap((event) => {
      const runAt = due.get(event);
      if (runAt === null) return [];
      return runAt === undefined ? event : { ...event, runAt };
    }),
    leftOut: added.filter((event) => due.get(event) === null),
  };
}

/** The write that has the events of a lane delivered. */
export const laneJob = (
  { deliveries }: { deliveries: Jobs },
  { lane, share, runAt }: DeliverPayload & { share: string; runAt?: string | undefined },
): Write =>
  deliveries.enqueueStanding<DeliverPayload>(
    lane,
    deliverKind,
    { lane },
    { share, ...(runAt === undefined ? {} : { runAt }) },
  );

/** Reserves `count` sequence numbers in the lane and returns the last. */
export async function lastInLane({ store }: { store: Store }, lane: string, count = 1): Promise<number> {
  const { last } = await store.upsert(lanes, { _id: lane }, { $inc: { last: count } });
  return last;
}

function newEvent(
  deps: { secrets: Secrets },
  { integration, installation, organization, place, type, data, before, runAt, isEcho }: NewEvent,
  { id: _id, lane, sequence }: { id: string; lane?: string; sequence: number },
): Write {
  const made: Omit<EventDocument, '_id'> = omitUndefined({
    integration: integration._id,
    publication: integration.publication,
    installation,
    place,
    type,
    ...sealPayload(deps, { eventId: _id, type, ...data }),
    createdAt: timestamp(),
    // Without a lane, it is not sent.
    ...(lane === undefined ? { result: 'dead' as const } : { lane }),
    sequence,
    attempts: 0,
    ...(runAt === undefined ? {} : { runAt }),
    ...(isEcho && runAt !== undefined ? { delayed: true as const } : {}),
    logs: lane === undefined ? [leftOutLine()] : [],
    ...(before === undefined ? {} : { before }),
  });
  if (lane !== undefined) return write.upsert(events, { _id }, { $setOnInsert: made });
  const { fields, count } = countFinished(organization, made);
  return write.all([write.upsert(events, { _id }, { $setOnInsert: { ...made, ...fields } }), count]);
}
