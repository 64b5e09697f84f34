import type { QueryOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { Condition, Filter, HasStore } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { auditOperations } from '../contract/audit.js';
import { presentUser, users } from '../users/model.js';
import { type AuditDocument, auditEvents, presentAuditEvent } from './model.js';
import type { AuditEvent } from './resources.js';

type Query = QueryOf<typeof auditOperations.listOrganizationAuditEvents>;

/** Actors that have no id of their own. */
const nameless: readonly string[] = ['system', 'anonymous', 'content'] satisfies AuditDocument['actor']['type'][];

/** Each field has two names: ours, and that of the public API. */
function auditFilter(organization: string, query: Query): Filter<AuditDocument> {
  const { actor, operation, action, resource, target, since, from, until, to } = query;
  const times = { $gte: since, $lt: until, ...(to ? { $lte: to } : {}) };
  const filters: Filter<AuditDocument>[] = [
    ...equal('operation', operation, action),
    ...equal('on', resource, target),
    ...(actor === undefined ? [] : nameless.includes(actor) ? [{ by: null, 'actor.type': actor }] : [{ by: actor }]),
    ...[times, { $gte: from }].flatMap((during) => timesBetween(during)),
  ];
  return filters.length > 0 ? { organization, $and: filters } : { organization };
}

const equal = (field: 'operation' | 'on', ...values: (string | undefined)[]): Filter<AuditDocument>[] =>
  values.flatMap((value) => (value === undefined ? [] : [{ [field]: value }]));

function timesBetween(given: Record<string, string | undefined>): Filter<AuditDocument>[] {
  const during = Object.entries(given).flatMap(([bound, time]) =>
    time === undefined ? [] : [[bound, timestamp(new Date(time))]],
  );
  return during.length > 0 ? [{ createdAt: Object.fromEntries(during) as Condition<string> }] : [];
}

export const auditHandlers = ({
  store,
  baseUrl,
}: HasStore & { baseUrl: string }): HandlersOf<typeof auditOperations> => {
  const present = async (items: AuditDocument[]): Promise<AuditEvent[]> => {
    const actors = await store.getMany(users, [...new Set(items.flatMap(({ by }) => by ?? []))]);
    const byId = new Map(actors.map((user) => [user._id, presentUser(baseUrl, user, { withEmail: true })]));
    return items.map((item) => presentAuditEvent(baseUrl, item, byId.get(item.by ?? '')));
  };
  return {
    listOrganizationAuditEvents({ path, query }) {
      const sort = { createdAt: query.order === 'asc' ? 1 : -1 } as const;
      const list = { filter: auditFilter(path.organizationId, query), sort, request: query };
      return listPage(store, auditEvents, list, present);
    },

    async getOrganizationAuditEvent({ path: { organizationId, auditEventId } }) {
      const event = await store.get(auditEvents, auditEventId);
      if (event?.organization !== organizationId) throw notFound('Audit event');
      const [shown] = await present([event]);
      const { requestId, details = {} } = shown as AuditEvent;
      return {
        ...(shown as AuditEvent),
        ...(requestId ? { correlationId: requestId } : {}),
        schemaVersion: 1 as const,
        payload: details,
      };
    },
  };
};
