import { notFound } from '../../../../shared/errors/errors.js';
import { listPage, type Page, type PageRequest } from '../../../../shared/lists/paging.js';
import type { Secrets } from '../../../../shared/secrets/secrets.js';
import type { Filter, PageQuery, Store } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type EventDocument, events } from '../queue/model.js';
import { readPayload } from '../queue/payloads.js';
import type { QueueDependencies } from '../queue/queue.js';
import type { IntegrationEvent, TracedEvent } from '../queue/resources.js';

/** The owner of events: an integration, by its publication, or an installation. */
export type Owner = { publication: string } | { installation: string; integration: string };

export interface Wanted {
  status?: IntegrationEvent['status'] | undefined;
  dead?: boolean | undefined;
}

type Result = NonNullable<EventDocument['result']>;

/** The results that a list shows. */
function wantedResults({ status, dead }: Wanted): Result[] {
  const all: Result[] = ['success', 'failed', 'dead'];
  return all.filter(
    (result) =>
      (status === undefined || (result === 'success') === (status === 'success')) &&
      (dead === undefined || (result === 'dead') === dead),
  );
}

const fields = [
  'integration',
  'installation',
  'createdAt',
  'payload',
  'sealed',
  'result',
  'attempts',
  'lane',
  'runAt',
] satisfies (keyof EventDocument)[];

/** Characters of the payloads on a page. */
const sizes = { max: 4_000_000, of: ({ payload }: EventDocument) => payload.length };

/** The query for a list of events: the latest first, without those that were not tried yet. */
export const listQuery = (owner: Owner, wanted: Wanted): Pick<PageQuery<EventDocument>, 'filter' | 'sort'> => ({
  filter: { ...ownerFilter(owner), result: { $in: wantedResults(wanted) } },
  sort: { createdAt: -1 },
});

const ownerFilter = (owner: Owner): Filter<EventDocument> =>
  'publication' in owner ? { publication: owner.publication } : { installation: owner.installation };

/** A page of the events of an integration or an installation. */
export const eventsPage = (
  deps: Pick<QueueDependencies, 'store' | 'secrets'>,
  owner: Owner,
  request: PageRequest & Wanted,
): Promise<Page<IntegrationEvent>> =>
  listPage(deps.store, events, { ...listQuery(owner, request), request, fields, sizes }, (items) =>
    items.map((event) => presentEvent(deps, event)),
  );

/** An event that was tried. Throws 404. */
export async function findEvent(store: Store, owner: Owner, id: string): Promise<EventDocument> {
  const event = await store.get(events, id);
  const isOwn = event && Object.entries(owner).every(([field, value]) => event[field as keyof Owner] === value);
  if (!isOwn || event.result === undefined) throw notFound('Event');
  return event;
}

/** An event with what was written while it was handled. */
export const tracedEvent = (deps: { secrets: Secrets }, event: EventDocument): TracedEvent => ({
  event: presentEvent(deps, event),
  trace: { logs: event.logs },
});

/** An event that was tried, as the API shows it. */
function presentEvent(deps: { secrets: Secrets }, event: EventDocument): IntegrationEvent {
  const { _id: id, integration, installation, createdAt, result, attempts, lane, runAt } = event;
  return omitUndefined({
    id,
    integrationId: integration,
    installationId: installation,
    createdAt,
    payload: readPayload(deps, event),
    status: result === 'success' ? 'success' : 'failed',
    attempts,
    nextAttemptAt: lane === undefined || runAt === undefined ? undefined : runAt,
    dead: result === 'dead' ? true : undefined,
  });
}
