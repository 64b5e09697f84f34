import { eventually } from '../../shared/testing/eventually.js';
import { walk } from './fixtures.js';
import type { Client } from './server.js';

/** The audit events of an organization that a query finds, once there are as many or they hold: those of other services come a moment after the change. */
export const auditEvents = (
  client: Client,
  organization: string,
  query: string,
  enough: number | ((events: any[]) => unknown),
): Promise<any[]> =>
  eventually(
    `audit events of ${query}`,
    () => walk(client, `/v1/orgs/${organization}/audit-events?${query}`, 100),
    typeof enough === 'number' ? ({ length }) => length >= enough : enough,
  );
