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

/** Where an act began: a request of a user, a script of an integration, or Bindery itself. */
const sourceOf = ({ type }: AuditDocument['actor']): AuditEvent['source'] => {
  if (type === 'system') return 'workflow';
  return type === 'integration' || type === 'installation' ? 'integration' : 'api';
};

export function presentAuditEvent(baseUrl: string, event: AuditDocument, user: User | undefined): AuditEvent {
  const { _id: id, organization, operation, actor, resource, details, requestId, createdAt } = event;
  return {
    object: 'audit-event',
    id,
    organization,
    operation,
    action: operation,
    actor: { ...actor, id: actor.id ?? actor.type, ...(user ? { label: user.displayName, user } : {}) },
    source: sourceOf(actor),
    resource,
    target: resource,
    ...(details ? { details } : {}),
    requestId,
    createdAt,
    occurredAt: createdAt,
    urls: { location: `${baseUrl}/v1/orgs/${organization}/audit-events/${id}` },
  };
}
