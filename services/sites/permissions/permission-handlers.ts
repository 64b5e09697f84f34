import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage, type Page, type PageRequest } from '../../../shared/lists/paging.js';
import type { HasStore } from '../../../shared/store/port.js';
import {
  findGrantees,
  type Grantee,
  idsByPrincipal,
  presentTeamRoles,
  presentUserRoles,
} from '../../identity/contract.js';
import type { sitePermissionOperations } from '../contract/permissions.js';
import { type SiteGrantDocument, siteGrantId, siteGrants } from '../site/grants.js';
import { changeGrants } from './granting.js';
import { listSiteMembers } from './site-members.js';

type Operations = typeof sitePermissionOperations;

export function sitePermissionHandlers(deps: HasStore): HandlersOf<Operations> {
  const updateGrant = async (
    { site, principal, id }: Grantee & { site: string },
    { role }: BodyOf<Operations['updateUserPermissionInSite']>,
    context: Context,
  ): Promise<void> => {
    if (role === undefined) {
      if (!(await deps.store.get(siteGrants, siteGrantId({ site, principal, id })))) throw notFound('Permission');
      return;
    }
    await changeGrants(deps, {
      site,
      wanted: [{ principal, id, role }],
      existing: true,
      context,
      record: () => context.audit('site', site, { details: { [principal]: id, role } }),
    });
  };

  const removeGrant = ({ site, principal, id }: Grantee & { site: string }, context: Context): Promise<void> =>
    changeGrants(deps, {
      site,
      wanted: [{ principal, id, role: 'dropped' }],
      existing: true,
      context,
      record: () => context.audit('site', site, { details: { [principal]: id } }),
    });

  return {
    /** 404 names the field that holds an unknown member or team. */
    async inviteToSite({ path: { siteId: site }, body }, context) {
      const { role } = body;
      const wanted = (await findGrantees(body, context)).map((principal) => ({ ...principal, role }));
      await changeGrants(deps, {
        site,
        wanted,
        context,
        record: (changed) => context.audit('site', site, { details: { role, ...idsByPrincipal(changed) } }),
      });
    },

    listTeamPermissionsInSite: ({ path, query }, context) =>
      listGrants(deps, { site: path.siteId, principal: 'team', query }, (given) => presentTeamRoles(given, context)),
    updateTeamPermissionInSite: ({ path, body }, context) =>
      updateGrant({ site: path.siteId, principal: 'team', id: path.teamId }, body, context),
    removeTeamFromSite: ({ path }, context) =>
      removeGrant({ site: path.siteId, principal: 'team', id: path.teamId }, context),

    listUserPermissionsInSite: ({ path, query }, context) =>
      listGrants(deps, { site: path.siteId, principal: 'user', query }, (given) => presentUserRoles(given, context)),
    updateUserPermissionInSite: ({ path, body }, context) =>
      updateGrant({ site: path.siteId, principal: 'user', id: path.userId }, body, context),
    removeUserFromSite: ({ path }, context) =>
      removeGrant({ site: path.siteId, principal: 'user', id: path.userId }, context),

    listPermissionsAggregateInSite: ({ path, query }, context) =>
      listSiteMembers(deps, { site: path.siteId, query }, context),
  };
}

/** The grants on a site to one kind of principal, oldest first, without the explicit "no access". */
function listGrants<T>(
  { store }: HasStore,
  { site, principal, query: request }: Pick<SiteGrantDocument, 'site' | 'principal'> & { query: PageRequest },
  present: (given: SiteGrantDocument[]) => Promise<T[]>,
): Promise<Page<T>> {
  const list = { filter: { site, principal, role: { $ne: null } }, sort: { createdAt: 1 as const }, request };
  return listPage(store, siteGrants, list, present);
}
