import type { AuditRecord } from '../../../shared/contract/audit.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { type AuditDocument, auditEvents } from './model.js';

const newAuditDocument = ({ id, ...record }: AuditRecord): AuditDocument => ({
  _id: id,
  ...record,
  by: record.actor.id ?? null,
  on: record.resource.id,
});

/** Writes one of identity's own records together with its change. */
export const auditWrite = (record: AuditRecord): Write => write.insert(auditEvents, newAuditDocument(record));

/** Stores delivered records. Those stored before are skipped. */
export const storeAuditRecords = (store: Store, records: AuditRecord[]): Promise<void> =>
  store.insertMany(auditEvents, records.map(newAuditDocument), { skipExisting: true });

const dayMs = 24 * 3600_000;

/** Deletes audit events older than `days`. */
export async function sweepOldAuditEvents(store: Store, days: number): Promise<void> {
  const until = new Date(Date.now() - days * dayMs).toISOString();
  await store.deleteMany(auditEvents, { createdAt: { $lt: until } });
}
