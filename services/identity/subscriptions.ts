import { auditRecorded } from '../../shared/contract/audit.js';
import type { Subscribers } from '../../shared/contract/event.js';
import type { Store } from '../../shared/store/port.js';
import { keepAuditRecords } from './audit.js';

/** The events that identity consumes. */
export const identityConsumes = { auditRecorded };

export const identitySubscribers = ({ store }: { store: Store }): Subscribers<typeof identityConsumes> => ({
  auditRecorded: (records) => keepAuditRecords(store, records),
});
