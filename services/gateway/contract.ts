import { z } from 'zod';
import { defineContract, operation } from '../../shared/contract/operation.js';
import { onOrganization } from '../identity/resources.js';

export const gatewayContract = defineContract('gateway', {
  getApiInformation: operation({
    method: 'GET',
    path: '/',
    summary: 'Get the version of the API',
    tag: 'System',
    access: 'public',
    status: 200,
    response: z.object({ version: z.string(), build: z.string() }).meta({ id: 'ApiInformation' }),
  }),
  listOrganizationAuditEventActions: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-event-actions',
    summary: 'List the actions that audit events may have',
    description:
      'The operations that change something, by their operationIds. Work that Bindery does by itself has names besides.',
    tag: 'Audit',
    access: onOrganization('admin'),
    status: 200,
    response: z.object({
      items: z.array(
        z
          .object({ object: z.literal('audit-event-action'), id: z.string(), label: z.string() })
          .meta({ id: 'AuditEventAction' }),
      ),
    }),
  }),
});
