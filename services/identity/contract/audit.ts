import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/lists/paging.js';
import { auditEventDetailsSchema, auditEventSchema, onOrganization } from '../resources.js';

const named = z.string().max(100).optional();

export const auditOperations = {
  listOrganizationAuditEvents: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-events',
    summary: 'List the audit events of an organization',
    formerly: 'listAuditEvents',
    description: 'Every successful write, kept for `AUDIT_RETENTION_DAYS`. Filters combine.',
    tag: 'Audit',
    access: onOrganization('admin'),
    query: pageQuery.extend({
      order: orderSchema,
      actor: named.meta({ description: 'The id of an actor.' }),
      operation: named.meta({ description: 'An operationId.' }),
      action: named.meta({ description: 'The same as `operation`.' }),
      resource: named.meta({ description: 'The id of a resource.' }),
      target: named.meta({ description: 'The same as `resource`.' }),
      since: timestampSchema.optional().meta({ description: 'Only events at this time or later.' }),
      from: timestampSchema.optional().meta({ description: 'The same as `since`.' }),
      until: timestampSchema.optional().meta({ description: 'Only events before this time.' }),
      to: timestampSchema.optional().meta({ description: 'Only events at this time or before.' }),
    }),
    status: 200,
    response: listOf(auditEventSchema),
  }),
  getOrganizationAuditEvent: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-events/{auditEventId}',
    summary: 'Get an audit event of an organization',
    tag: 'Audit',
    access: onOrganization('admin'),
    status: 200,
    response: auditEventDetailsSchema,
  }),
};
