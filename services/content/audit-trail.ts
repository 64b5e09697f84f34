import type { AuditRecord } from '../../shared/contract/audit.js';
import type { Call } from '../../shared/contract/service.js';
import type { OutboxEvent } from '../../shared/outbox.js';
import { keepAuditRecords } from '../identity/contract.js';

export const auditEvent = 'audit';

/** A bus message holds no more than a megabyte. */
const messageBytes = 256 * 1024;

/** Brings audit records to identity, in their order, in messages of a size that the bus takes. */
export async function deliverAudit(call: Call, events: OutboxEvent[]): Promise<void> {
  let records: AuditRecord[] = [];
  let size = 0;
  const send = async () => {
    if (records.length > 0) await call(keepAuditRecords, { records });
    records = [];
    size = 0;
  };
  for (const { payload } of events) {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (size + bytes > messageBytes) await send();
    records.push(payload as AuditRecord);
    size += bytes;
  }
  await send();
}
