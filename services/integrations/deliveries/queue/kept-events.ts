import type { StoredKind } from '../../../../shared/contract/usage.js';
import { again } from '../../../../shared/store/again.js';
import { type Filter, type Sort, type Store, type Write, write } from '../../../../shared/store/port.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { type EventDocument, type EventUsageDocument, events, eventUsages } from './model.js';

/** Bounds on the finished events that are kept of an organization; the oldest go first. */
const maxKept = { items: 50_000, bytes: 500_000_000 };
/** Bytes that an event, and a line of its log, take besides their texts, about. */
const eventBytes = 500;
const lineBytes = 100;
/** Events that are removed together, and the maximum number of such batches for one organization in one sweep. */
const atOnce = 500;
const maxSlices = 20;
/** Organizations whose events are removed in one sweep. */
const maxOrganizations = 100;

type Counted = Pick<EventDocument, 'keptFor' | 'bytes'>;

/** The owner of an event: the installation's organization, else the integration's; for one that comes with Bindery, its publication. */
export const eventOwner = ({
  integration,
  installation,
}: {
  integration: Pick<IntegrationDocument, 'organization' | 'publication'>;
  installation?: { organization: string } | undefined;
}): string => installation?.organization ?? integration.organization ?? integration.publication;

/** Counts a finished event for an organization: the event's fields, and the write for the batch that ends it. */
export function countFinished(
  organization: string,
  { payload, logs }: Pick<EventDocument, 'payload' | 'logs'>,
): { fields: Required<Counted>; count: Write } {
  const texts = [payload, ...logs.map(({ message }) => message)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), eventBytes + lineBytes * logs.length);
  return {
    fields: { keptFor: organization, bytes },
    count: write.upsert(eventUsages, { _id: organization }, { $inc: { items: 1, bytes } }),
  };
}

/** The writes that no longer count events, for the batch that removes them or sends them again. */
export function uncountWrites(found: readonly Counted[]): Write[] {
  const sums = new Map<string, { items: number; bytes: number }>();
  for (const { keptFor: organization, bytes = 0 } of found) {
    if (organization === undefined) continue;
    const sum = sums.get(organization) ?? { items: 0, bytes: 0 };
    sums.set(organization, { items: sum.items - 1, bytes: sum.bytes - bytes });
  }
  return [...sums].map(([_id, $inc]) => write.update(eventUsages, { _id }, { $inc }));
}

interface Removing {
  filter: Filter<EventDocument>;
  sort?: Sort<EventDocument>;
  limit?: number;
}

/** Removes some of the events that match, the oldest first by default; returns how many. */
export const removeEvents = (
  store: Store,
  { filter, sort = { createdAt: 1 }, limit = atOnce }: Removing,
): Promise<number> =>
  again(async () => {
    const { items } = await store.page(events, { filter, sort, limit, fields: ['keptFor', 'bytes'] });
    if (items.length === 0) return 0;
    const these = { ...filter, _id: { $in: items.map(({ _id }) => _id) } };
    await store.batch([write.delete(events, these, { expect: items.length }), ...uncountWrites(items)]);
    return items.length;
  });

/** Removes the oldest events of organizations that have too many of them. */
export async function trimKept(store: Store, isStopped: () => boolean, max = maxKept): Promise<void> {
  const tooMany: Filter<EventUsageDocument>[] = [{ items: { $gt: max.items } }, { bytes: { $gt: max.bytes } }];
  for (const filter of tooMany) {
    const { items } = await store.page(eventUsages, { filter, sort: {}, limit: maxOrganizations, fields: [] });
    for (const { _id } of items) await trimOne(store, _id, { max, isStopped });
  }
}

async function trimOne(
  store: Store,
  organization: string,
  { max, isStopped }: { max: typeof maxKept; isStopped: () => boolean },
): Promise<void> {
  for (let slice = 0; slice < maxSlices && !isStopped(); slice++) {
    const usage = await store.get(eventUsages, organization);
    if (!usage) return;
    const { items, bytes } = usage;
    if (items <= max.items && bytes <= max.bytes) return;
    // As many as have the bytes that are too many, if all were of the same size.
    const share = Math.max((items - max.items) / items, (bytes - max.bytes) / bytes);
    const limit = Math.min(atOnce, Math.max(1, Math.ceil(share * items)));
    if (await removeEvents(store, { filter: { keptFor: organization, lane: null as never }, limit })) continue;
    // Nothing is left: what was counted twice is not there.
    const asRead = { _id: organization, items, bytes };
    await store.update(eventUsages, asRead, { $set: { items: 0, bytes: 0 } });
  }
}

/** Bytes that an organization's finished events take, with their limit. */
export async function finishedEventUsage(store: Store, organization: string): Promise<StoredKind> {
  const { bytes = 0 } = (await store.get(eventUsages, organization)) ?? {};
  return { kind: 'deliveries', unit: 'bytes', used: Math.max(0, bytes), limit: maxKept.bytes };
}
