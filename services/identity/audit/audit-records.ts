import type { AuditRecord } from '../../../shared/contract/audit.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { members } from '../organizations/model.js';
import { type AuditDocument, auditEvents } from './model.js';

const documentOf = ({ id, organization, ...record }: AuditRecord & { organization: string }): AuditDocument => ({
  _id: id,
  organization,
  ...record,
  by: record.actor.id ?? null,
  on: record.resource.id,
});

const isPlaced = (record: AuditRecord): record is AuditRecord & { organization: string } =>
  record.organization !== null;

/** Writes identity's own records together with their change. `later` writes those that belong to no single organization. */
export const auditWrite = (record: AuditRecord, later: (record: AuditRecord) => Write): Write =>
  isPlaced(record) ? write.insert(auditEvents, documentOf(record)) : later(record);

/** Returns the user whom a record without an organization is about. */
const userOf = ({ actor, resource }: AuditRecord): string => actor.id ?? (resource.type === 'user' ? resource.id : '');

/** A record of a user alone is kept in each organization of the user. */
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

/** Stores delivered records. Those stored before are skipped. */
export async function keepAuditRecords(store: Store, records: AuditRecord[]): Promise<void> {
  const found = (await Promise.all(records.map((record) => placed(store, record)))).flat();
  if (found.length > 0) await store.insertMany(auditEvents, found.map(documentOf), { skipExisting: true });
}

const dayMs = 24 * 3600_000;

/** Deletes audit events older than `days`. */
export async function sweepAudit(store: Store, days: number): Promise<void> {
  const until = new Date(Date.now() - days * dayMs).toISOString();
  await store.deleteMany(auditEvents, { createdAt: { $lt: until } });
}
