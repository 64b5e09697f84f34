import { auditRecorded } from '../../shared/contract/audit.js';
import type { Subscribers } from '../../shared/contract/event.js';
import { keepAuditRecords } from './audit/audit-records.js';
import type { IdentityDependencies } from './dependencies.js';

/** The events that identity consumes. */
export const identityConsumes = { auditRecorded };

export const identitySubscribers = ({
  store,
}: Pick<IdentityDependencies, 'store'>): Subscribers<typeof identityConsumes> => ({
  auditRecorded: (records) => keepAuditRecords(store, records),
});
