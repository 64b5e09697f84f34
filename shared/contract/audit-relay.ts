import type { OutboxEvent } from '../outbox.js';
import type { AuditRecord } from './audit.js';

/** The outbox event that carries an audit record. */
export const auditEvent = 'audit';

/** A bus message holds no more than a megabyte. */
const messageBytes = 256 * 1024;

/** Sends the audit records among these events in their order, in messages of a size that the bus takes. */
export async function deliverAudit(
  events: OutboxEvent[],
  send: (records: AuditRecord[]) => Promise<void>,
): Promise<void> {
  let records: AuditRecord[] = [];
  let size = 0;
  const flush = async () => {
    if (records.length > 0) await send(records);
    records = [];
    size = 0;
  };
  for (const { payload } of events.filter(({ event }) => event === auditEvent)) {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (size + bytes > messageBytes) await flush();
    records.push(payload as AuditRecord);
    size += bytes;
  }
  await flush();
}
