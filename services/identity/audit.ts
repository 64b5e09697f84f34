import type { AuditRecord } from '../../shared/contract/audit.js';
import { timestamp } from '../../shared/ids.js';
import { listPage, type Order, type Page, type PageRequest } from '../../shared/paging.js';
import { type Filter, type Store, type Write, write } from '../../shared/store/port.js';
import { type AuditDocument, auditEvents, members, presentUser, users } from './model.js';
import type { AuditEvent } from './resources.js';
import type { IdentityRules } from './rules.js';

const documentOf = ({ id, organization, ...record }: AuditRecord & { organization: string }): AuditDocument => ({
  _id: id,
  organization,
  ...record,
  by: record.actor.id ?? null,
  on: record.resource.id,
});

const isPlaced = (record: AuditRecord): record is AuditRecord & { organization: string } =>
  record.organization !== null;

/** Identity's own records are kept with the change itself; `later` takes those that are of no one organization. */
export const auditWrite = (record: AuditRecord, later: (record: AuditRecord) => Write): Write =>
  isPlaced(record) ? write.insert(auditEvents, documentOf(record)) : later(record);

/** The user that a record of no one organization is about. */
const userOf = ({ actor, resource }: AuditRecord): string => actor.id ?? (resource.type === 'user' ? resource.id : '');

/** What concerns a user alone is of interest to each of its organizations. */
async function placed(store: Store, record: AuditRecord): Promise<(AuditRecord & { organization: string })[]> {
  if (isPlaced(record)) return [record];
  const { items } = await store.page(members, {
    filter: { user: userOf(record), disabled: false },
    sort: { joinedAt: 1 },
    limit: 1000,
    fields: ['organization'],
  });
  return items.map(({ organization }) => ({ ...record, id: `${record.id}:${organization}`, organization }));
}

export async function keepAuditRecords(store: Store, records: AuditRecord[]): Promise<void> {
  const found = (await Promise.all(records.map((record) => placed(store, record)))).flat();
  if (found.length > 0) await store.insertMany(auditEvents, found.map(documentOf), { skipExisting: true });
}

export interface AuditQuery extends PageRequest {
  order: Order;
  actor?: string | undefined;
  operation?: string | undefined;
  resource?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

function filterOf(organization: string, query: AuditQuery): Filter<AuditDocument> {
  const { actor, operation, resource, since, until } = query;
  const exactly = (time: string) => timestamp(new Date(time));
  const during = { ...(since ? { $gte: exactly(since) } : {}), ...(until ? { $lt: exactly(until) } : {}) };
  return {
    organization,
    ...(actor === undefined ? {} : { by: actor }),
    ...(operation === undefined ? {} : { operation }),
    ...(resource === undefined ? {} : { on: resource }),
    ...(Object.keys(during).length > 0 ? { createdAt: during } : {}),
  };
}

export function listAuditEvents(
  { store, baseUrl }: IdentityRules,
  organization: string,
  query: AuditQuery,
): Promise<Page<AuditEvent>> {
  const sort = { createdAt: query.order === 'asc' ? 1 : -1 } as const;
  return listPage(
    store,
    auditEvents,
    { filter: filterOf(organization, query), sort, request: query },
    async (items) => {
      const actors = [...new Set(items.flatMap(({ by }) => by ?? []))];
      const found = await store.getMany(users, actors);
      const byId = new Map(found.map((user) => [user._id, presentUser(baseUrl, user, true)]));
      return items.map((item) => present(item, byId.get(item.by ?? '')));
    },
  );
}

function present(event: AuditDocument, user: AuditEvent['actor']['user']): AuditEvent {
  const { _id: id, organization, operation, actor, resource, details, requestId, createdAt } = event;
  return {
    object: 'audit-event',
    id,
    organization,
    operation,
    actor: { ...actor, ...(user ? { user } : {}) },
    resource,
    ...(details ? { details } : {}),
    requestId,
    createdAt,
  };
}

const dayMs = 24 * 3600_000;

/** Forgets what is older than the days it is kept. */
export async function sweepAudit(store: Store, days: number): Promise<void> {
  const until = new Date(Date.now() - days * dayMs).toISOString();
  await store.deleteMany(auditEvents, { createdAt: { $lt: until } });
}
