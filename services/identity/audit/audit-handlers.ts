import type { QueryOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { Filter, HasStore } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { auditOperations } from '../contract/audit.js';
import { presentUser, users } from '../users/model.js';
import { type AuditDocument, auditEvents, presentAuditEvent } from './model.js';

function auditFilter(
  organization: string,
  { actor, operation, resource, since, until }: QueryOf<typeof auditOperations.listAuditEvents>,
): Filter<AuditDocument> {
  const normalizeTime = (time: string) => timestamp(new Date(time));
  const during = { ...(since ? { $gte: normalizeTime(since) } : {}), ...(until ? { $lt: normalizeTime(until) } : {}) };
  return omitUndefined({
    organization,
    by: actor,
    operation,
    on: resource,
    createdAt: Object.keys(during).length > 0 ? during : undefined,
  });
}

export const auditHandlers = ({
  store,
  baseUrl,
}: HasStore & { baseUrl: string }): HandlersOf<typeof auditOperations> => ({
  listAuditEvents({ path, query }) {
    const sort = { createdAt: query.order === 'asc' ? 1 : -1 } as const;
    const list = { filter: auditFilter(path.organizationId, query), sort, request: query };
    return listPage(store, auditEvents, list, async (items) => {
      const actors = await store.getMany(users, [...new Set(items.flatMap(({ by }) => by ?? []))]);
      const byId = new Map(actors.map((user) => [user._id, presentUser(baseUrl, user, { withEmail: true })]));
      return items.map((item) => presentAuditEvent(item, byId.get(item.by ?? '')));
    });
  },
});
