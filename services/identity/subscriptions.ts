import { auditRecorded } from '../../shared/contract/audit.js';
import type { Subscribers } from '../../shared/contract/event.js';
import type { HasStore } from '../../shared/store/port.js';
import { storeAuditRecords } from './audit/audit-records.js';

/** The events that identity consumes. */
export const identityConsumes = { auditRecorded };

export const identitySubscribers = ({ store }: HasStore): Subscribers<typeof identityConsumes> => ({
  auditRecorded: (records) => storeAuditRecords(store, records),
});
