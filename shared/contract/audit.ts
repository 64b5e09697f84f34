import { z } from 'zod';
import { isApplied } from '../store/applied.js';
import { type Write, write } from '../store/port.js';
import { newId, timestamp } from '../values/ids.js';
import { type Caller, system } from './caller.js';
import { domainEvent } from './event.js';

/** One audited act: its actor, its resource and its time. */
export interface AuditRecord {
  id: string;
  organization: string;
  /** The operationId. */
  operation: string;
  actor: { type: Caller['kind']; id?: string; token?: string };
  resource: AuditedResource;
  /** The changes, without secrets. */
  details?: Record<string, unknown>;
  requestId: string;
  createdAt: string;
}

export interface AuditedResource {
  /** The `object` of the resource. */
  type: string;
  id: string;
}

export interface AuditOptions {
  /** The organization, where the path of the operation does not name it. */
  organization?: string;
  details?: Record<string, unknown>;
}

/** Carries an audit record from its service to the audit trail. */
export const auditRecorded = domainEvent('audit', 'recorded', z.custom<AuditRecord>());

/** Makes the write of an audit record, for the batch of its change. */
export type Audit = (type: string, id: string, options?: AuditOptions) => Write;

const auditActorOf = (caller: Caller): AuditRecord['actor'] => {
  switch (caller.kind) {
    case 'user':
      return { type: 'user', id: caller.user, token: caller.token };
    case 'integration':
      return { type: 'integration', id: caller.integration };
    case 'installation':
      return { type: 'installation', id: caller.installation };
    default:
      return { type: caller.kind };
  }
};

/** Makes the write that brings a record into the audit trail, for the batch of the change. */
export type AuditTrail = (record: AuditRecord) => Write;

/** The audit of one call of an operation. */
export interface Auditing {
  audit: Audit;
  /** Whether a change with its record was made. */
  isApplied(): boolean;
}

/**
 * Audits one call of an operation, by its context. What belongs to no organization is not audited. `mark` makes what goes into the batch
 * of the change, with each record, by its organization.
 */
export function openAudit(
  operation: string,
  { caller, requestId, access }: { caller: Caller; requestId: string; access: { organization: string } },
  { trail, mark }: { trail: AuditTrail; mark?: ((organization: string) => Write) | undefined },
): Auditing {
  const records: Write[] = [];
  const { organization } = access;
  return {
    audit(type, id, options) {
      const made = auditRecord({ operation, caller, organization, requestId }, { type, id }, options);
      const record = trail(made);
      records.push(record);
      return mark ? write.all([record, mark(made.organization)]) : record;
    },
    isApplied: () => records.some(isApplied),
  };
}

export interface Audited {
  operation: string;
  caller: Caller;
  organization: string;
  requestId: string;
}

export const auditRecord = (
  { operation, caller, organization, requestId }: Audited,
  resource: AuditedResource,
  options: AuditOptions = {},
): AuditRecord => ({
  id: newId(),
  organization: options.organization ?? organization,
  operation,
  actor: auditActorOf(caller),
  resource,
  ...(options.details && Object.keys(options.details).length > 0 ? { details: options.details } : {}),
  requestId,
  createdAt: timestamp(),
});

/** The audit of an operation that the house runs itself: its actor is the system, and it belongs to no request. */
export const auditBySystem =
  (trail: AuditTrail, { operation, organization }: Pick<Audited, 'operation' | 'organization'>): Audit =>
  (type, id, options) =>
    trail(auditRecord({ operation, caller: system, organization, requestId: '' }, { type, id }, options));
