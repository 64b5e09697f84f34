import type { AuditRecord } from '../../../shared/contract/audit.js';
import { type Collection, collection } from '../../../shared/store/port.js';
import type { User } from '../users/resources.js';
import type { AuditEvent } from './resources.js';

export interface AuditDocument extends Omit<AuditRecord, 'id' | 'organization'> {
  _id: string;
  organization: string;
  /** Copies of `actor.id` and `resource.id`, which lists filter by. */
  by: string | null;
  on: string;
}

export const auditEvents = collection<AuditDocument>('identity_audit_events', [
  { on: { organization: 1, createdAt: 1 } },
  { on: { organization: 1, by: 1, createdAt: 1 } },
  { on: { organization: 1, operation: 1, createdAt: 1 } },
  { on: { organization: 1, on: 1, createdAt: 1 } },
  { on: { createdAt: 1 } },
]);

export const auditCollections = [auditEvents] as Collection<never>[];

export function presentAuditEvent(event: AuditDocument, user: User | undefined): AuditEvent {
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
