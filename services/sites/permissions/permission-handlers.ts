import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage, type Page, type PageRequest } from '../../../shared/lists/paging.js';
import type { HasStore } from '../../../shared/store/port.js';
import { findPrincipals } from '../../identity/contract.js';
import type { Role } from '../../identity/resources.js';
import type { sitePermissionOperations } from '../contract/permissions.js';
import { type SiteGrantDocument, siteGrantId, siteGrants } from '../site/grants.js';
import { changeGrants, type WantedGrant } from './granting.js';
import { listSiteMembers } from './site-members.js';

type Operations = typeof sitePermissionOperations;
type Principal = Pick<SiteGrantDocument, 'principal' | 'id'>;
type GivenGrant = SiteGrantDocument & { role: Role };

export function sitePermissionHandlers(deps: HasStore): HandlersOf<Operations> {
  const updateGrant = async (
    { site, principal, id }: Principal & { site: string },
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

  const removeGrant = ({ site, principal, id }: Principal & { site: string }, context: Context): Promise<void> =>
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
      const wanted = (await principalsToInvite(body, context)).map((principal) => ({ ...principal, role }));
      await changeGrants(deps, {
        site,
        wanted,
        context,
        record: (changed) => context.audit('site', site, { details: { role, ...idsByPrincipal(changed) } }),
      });
    },

    listTeamPermissionsInSite: ({ path, query }, { call, access: { organization } }) =>
      listGrants(deps, { site: path.siteId, principal: 'team', query }, async (given) => {
        const found = await call(findPrincipals, { organization, users: [], teams: given.map(({ id }) => id) });
        const teams = new Map(found.teams.map((team) => [team.id, team]));
        return given.flatMap(({ id, role }) => {
          const team = teams.get(id);
          return team ? [{ permission: role, team }] : [];
        });
      }),
    updateTeamPermissionInSite: ({ path, body }, context) =>
      updateGrant({ site: path.siteId, principal: 'team', id: path.teamId }, body, context),
    removeTeamFromSite: ({ path }, context) =>
      removeGrant({ site: path.siteId, principal: 'team', id: path.teamId }, context),

    listUserPermissionsInSite: ({ path, query }, { call, access: { organization } }) =>
      listGrants(deps, { site: path.siteId, principal: 'user', query }, async (given) => {
        const found = await call(findPrincipals, { organization, users: given.map(({ id }) => id), teams: [] });
        const users = new Map(found.members.map(({ user, resource }) => [user, resource]));
        return given.flatMap(({ id, role }) => {
          const user = users.get(id);
          return user ? [{ permission: role, user }] : [];
        });
      }),
    updateUserPermissionInSite: ({ path, body }, context) =>
      updateGrant({ site: path.siteId, principal: 'user', id: path.userId }, body, context),
    removeUserFromSite: ({ path }, context) =>
      removeGrant({ site: path.siteId, principal: 'user', id: path.userId }, context),

    listPermissionsAggregateInSite: ({ path, query }, context) =>
      listSiteMembers(deps, { site: path.siteId, query }, context),
  };
}

/** The members and teams that an invite names, each once; 404 for one that the organization does not have. */
async function principalsToInvite(
  { users = [], teams = [] }: BodyOf<Operations['inviteToSite']>,
  { call, access }: Context,
): Promise<Principal[]> {
  const named = { users: [...new Set(users)], teams: [...new Set(teams)] };
  const found = await call(findPrincipals, { organization: access.organization, ...named });
  const member = named.users.find((id) => !found.members.some(({ user }) => user === id));
  if (member !== undefined) throw notFound(`users: member ${member}`);
  const team = named.teams.find((id) => !found.teams.some((each) => each.id === id));
  if (team !== undefined) throw notFound(`teams: team ${team}`);
  return [
    ...named.users.map((id): Principal => ({ principal: 'user', id })),
    ...named.teams.map((id): Principal => ({ principal: 'team', id })),
  ];
}

function idsByPrincipal(changes: WantedGrant[]): Record<string, string[]> {
  const idsOf = (principal: WantedGrant['principal']) =>
    changes.filter((each) => each.principal === principal).map(({ id }) => id);
  const [users, teams] = [idsOf('user'), idsOf('team')];
  return { ...(users.length > 0 ? { users } : {}), ...(teams.length > 0 ? { teams } : {}) };
}

/** The grants on a site to one kind of principal, oldest first, without the explicit "no access". */
function listGrants<T>(
  { store }: HasStore,
  { site, principal, query: request }: Pick<SiteGrantDocument, 'site' | 'principal'> & { query: PageRequest },
  present: (given: GivenGrant[]) => Promise<T[]>,
): Promise<Page<T>> {
  const list = { filter: { site, principal, role: { $ne: null } }, sort: { createdAt: 1 as const }, request };
  return listPage(store, siteGrants, list, (items) => present(items as GivenGrant[]));
}
