import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/lists/paging.js';
import { auditEventSchema, onOrganization } from '../resources.js';

export const auditOperations = {
  listAuditEvents: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-events',
    summary: 'List the audit events of an organization',
    description: 'Every successful write, kept for `AUDIT_RETENTION_DAYS`.',
    tag: 'Audit',
    access: onOrganization('admin'),
    query: pageQuery.extend({
      order: orderSchema,
      actor: z.string().max(100).optional().meta({ description: 'The id of a user.' }),
      operation: z.string().max(100).optional().meta({ description: 'An operationId.' }),
      resource: z.string().max(100).optional().meta({ description: 'The id of a resource.' }),
      since: timestampSchema.optional().meta({ description: 'Only events at this time or later.' }),
      until: timestampSchema.optional().meta({ description: 'Only events before this time.' }),
    }),
    status: 200,
    response: listOf(auditEventSchema),
  }),
};
