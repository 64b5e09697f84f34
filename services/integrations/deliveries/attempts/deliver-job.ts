import { setTimeout as pause } from 'node:timers/promises';
import { failureOf } from '../../../../shared/errors/errors.js';
import type { JobKind, JobRun, NextRun } from '../../../../shared/jobs/jobs.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { type Store, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import {
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  installations,
} from '../../installations/model.js';
import { selectionOf } from '../../installations/reach/coverage.js';
import { RuntimeFailure } from '../../runtime/runtime.js';
import { countFinished, eventOwner } from '../queue/kept-events.js';
import { type EventDocument, events, lanes } from '../queue/model.js';
import { dropVisitor, readPayload } from '../queue/payloads.js';
import { type DeliverPayload, deliverKind, type QueueDependencies } from '../queue/queue.js';
import { type Attempt, afterAttempt } from './attempts.js';
import { type DispatchDependencies, dispatchEvent } from './dispatch.js';

const timeoutMs = scaleMs(30_000);
/** Longest wait for the log of an answered event. */
const logsMs = scaleMs(30_000);
const readAtOnce = 50;
/** Events, or milliseconds, after which a run ends, so that other lanes get their turn. */
const eventsOfRun = 200;
const runMs = 10_000;

type AttemptDependencies = DispatchDependencies & QueueDependencies & { log: Log };
type Run = JobRun<DeliverPayload>;

/** Delivers the events of a lane, one after the other, until none is due. */
export const deliverJob = (deps: AttemptDependencies): JobKind<DeliverPayload> => ({
  kind: deliverKind,
  // Retries are counted per event. A run fails only when our own store or bus is down, so it is always retried.
  attempts: Number.POSITIVE_INFINITY,
  run: (run) => drainLane(deps, run),
});

async function drainLane(deps: AttemptDependencies, run: Run): Promise<NextRun | undefined> {
  const { lane } = run.job.payload;
  const until = Date.now() + runMs;
  let delivered = 0;
  let isGone = false;
  for (;;) {
    const query = { filter: { lane }, sort: { sequence: 1 } as const, limit: readAtOnce };
    const { items } = await deps.store.page(events, query);
    if (items.length === 0) {
      if (isGone) await forgetLane(deps, lane);
      return undefined;
    }
    for (const event of items) {
      run.signal.throwIfAborted();
      if (event.runAt !== undefined && event.runAt > timestamp()) return scheduleWake(deps, event.runAt);
      if (delivered === eventsOfRun || Date.now() > until) return { runAt: timestamp() };
      const receiver = await findReceiver(deps, event);
      isGone = receiver === null || receiver.isGone;
      const waitMs = await deliverOnce(deps, run, { event, receiver });
      delivered += 1;
      if (waitMs !== undefined) return scheduleWake(deps, timestamp(new Date(Date.now() + waitMs)));
    }
  }
}

/** Deletes the lane's sequence counter after the last removal event was queued, so that numbers are never reused. */
async function forgetLane({ store }: { store: Store }, lane: string): Promise<void> {
  const isBeingRemoved = await store.findOne(contentInstallations, { installation: lane }, { fields: [] });
  if (!isBeingRemoved) await store.delete(lanes, { _id: lane });
}

/** The next run of a lane; this process looks for it at that time instead of at its next poll. */
function scheduleWake({ deliveries }: QueueDependencies, runAt: string): NextRun {
  const ms = Math.max(0, Date.parse(runAt) - Date.now()) + 1;
  if (ms < 60_000) setTimeout(() => deliveries.claimNow(), ms).unref();
  return { runAt };
}

interface Receiver {
  integration: IntegrationDocument;
  installation?: InstallationDocument;
  /** Its installation is. */
  isGone: boolean;
  /** The installation is no longer on the space or site that the event is about. */
  isOutside?: boolean;
}

/**
 * The receiver; null if the integration was unpublished, or the installation was removed and this event is not the one that says so.
 */
async function findReceiver({ store }: { store: Store }, event: EventDocument): Promise<Receiver | null> {
  const integration = await store.get(integrations, event.integration);
  if (integration?.publication !== event.publication) return null;
  if (event.installation === undefined) return { integration, isGone: false };
  const installation = await store.get(installations, event.installation);
  if (installation)
    return { integration, installation, isGone: false, isOutside: await isOutside(store, installation, event) };
  return event.before === undefined ? null : { integration, isGone: true };
}

/** Whether the installation has left the event's place; false for the event of that removal, which carries what was there before. */
async function isOutside(
  store: Store,
  installation: InstallationDocument,
  { place, before }: EventDocument,
): Promise<boolean> {
  if (!place || before !== undefined) return false;
  const kind = place.space === undefined ? 'site' : 'space';
  if (selectionOf(installation, kind) === 'all') return false;
  const id = contentInstallationId(installation._id, kind, place[kind] ?? '');
  return (await store.get(contentInstallations, id, { fields: [] })) === null;
}

interface Delivery {
  event: EventDocument;
  receiver: Receiver | null;
}

/** Delivers an event once. Milliseconds until the next attempt; undefined when it is over. */
async function deliverOnce(
  deps: AttemptDependencies,
  { job, signal }: Run,
  { event, receiver }: Delivery,
): Promise<number | undefined> {
  const { _id, lane } = event;
  const { store, deliveries } = deps;
  const own = { _id, lane: lane as string };
  const endAttempt = (end: Write) => store.batch([deliveries.stillHeld(job), end]);
  if (!receiver || receiver.isOutside) {
    await endAttempt(write.delete(events, own));
    return undefined;
  }
  const attempt = await attemptDelivery(deps, { event, receiver }, signal);
  const { update, waitMs } = afterAttempt(event, attempt, { format: receiver.integration.format });
  const changes = { ...update.$set, ...(update.$set?.result === 'success' ? dropVisitor(deps, event) : {}) };
  if (waitMs !== undefined) {
    await endAttempt(write.update(events, own, { ...update, $set: changes }));
    return waitMs;
  }
  const { fields, count } = countFinished(eventOwner(receiver), { ...event, ...changes });
  const over = write.update(events, own, { ...update, $set: { ...changes, ...fields } }, { expect: 1 });
  await endAttempt(write.all([over, count]));
  return undefined;
}

/** Reasons of failures that are none of the script. */
const ours = new Set<RuntimeFailure['reason']>(['busy', 'stopped']);

async function attemptDelivery(
  deps: AttemptDependencies,
  { event, receiver }: { event: EventDocument; receiver: Receiver },
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const { place, before } = event;
    const { integration, installation } = receiver;
    const dispatched = { integration, installation, place, before, event: readPayload(deps, event), timeoutMs, signal };
    // The body is not kept while the log is waited for.
    const { status, ended } = await unlessAborted(dispatchEvent(deps, dispatched), signal);
    const logs = await Promise.race([ended, pause(logsMs, [], { ref: false })]);
    return { status, logs };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RuntimeFailure) {
      const { message, logs, reason, bystander } = error;
      return { failure: message, fault: ours.has(reason) ? 'ours' : bystander ? 'unclear' : 'its own', logs };
    }
    const { type } = failureOf(error);
    if (type === 'UNAVAILABLE' || type === 'OUTCOME_UNKNOWN') throw error;
    deps.log.error(
      { err: error, event: event._id, integration: event.integration },
      'an event could not be dispatched',
    );
    return { failure: 'it could not be delivered: something went wrong on our side', fault: 'unclear', logs: [] };
  }
}

/** Rejects when the signal is aborted: what it waits for may take longer than the process has. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}
