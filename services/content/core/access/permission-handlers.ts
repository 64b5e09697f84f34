import type { BodyOf, QueryOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors.js';
import { listPage, type Page, type PageRequest } from '../../../../shared/paging.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { Role } from '../../../identity/resources.js';
import type { ContentDependencies } from '../../dependencies.js';
import type { permissionOperations } from '../contract/permissions.js';
import { listMembersWithAccess } from './effective-access.js';
import { changeGrants } from './grants.js';
import { type GrantDocument, grants } from './model.js';
import type { TeamContentPermission, UserContentPermission } from './resources.js';
import type { GrantChange, TreeNode } from './tree/content-tree.js';

type Operations = typeof permissionOperations;
type InviteBody = BodyOf<Operations['inviteToSpace']>;
type UpdateBody = BodyOf<Operations['updateUserPermissionInSpace']>;
type AggregateQuery = QueryOf<Operations['listPermissionsAggregateInSpace']>;
type Dependencies = Pick<ContentDependencies, 'store' | 'trees' | 'members'>;
type Principal = Pick<GrantDocument, 'principal' | 'id'>;
type GivenGrant = GrantDocument & { role: Role };

/** A request about the grants of a space or a collection, whose path parameters are `P`. */
interface On<P> {
  path: P;
}

export function permissionHandlers(deps: Dependencies): HandlersOf<Operations> {
  const space = permissionsOn(deps, 'space', ({ spaceId }: { spaceId: string }) => spaceId);
  const collection = permissionsOn(deps, 'collection', ({ collectionId }: { collectionId: string }) => collectionId);
  return {
    inviteToSpace: space.invite,
    listTeamPermissionsInSpace: space.listTeams,
    updateTeamPermissionInSpace: space.updateTeam,
    removeTeamFromSpace: space.removeTeam,
    listUserPermissionsInSpace: space.listUsers,
    updateUserPermissionInSpace: space.updateUser,
    removeUserFromSpace: space.removeUser,
    listPermissionsAggregateInSpace: space.listAggregate,
    inviteToCollection: collection.invite,
    listTeamPermissionsInCollection: collection.listTeams,
    updateTeamPermissionInCollection: collection.updateTeam,
    removeTeamFromCollection: collection.removeTeam,
    listUserPermissionsInCollection: collection.listUsers,
    updateUserPermissionInCollection: collection.updateUser,
    removeUserFromCollection: collection.removeUser,
    listPermissionsAggregateInCollection: collection.listAggregate,
  };
}

/** The operations on the permissions of a kind of node, which is found by `idOf` its path parameters. */
function permissionsOn<P>(deps: Dependencies, kind: TreeNode['kind'], idOf: (path: P) => string) {
  const change = (
    path: P,
    { caller, access }: Context,
    changes: Pick<Parameters<typeof changeGrants>[1], 'wanted' | 'existing' | 'record'>,
  ) =>
    changeGrants(deps, {
      node: { kind, id: idOf(path), organization: access.organization },
      caller,
      ...changes,
    });

  const update = async (path: P, { principal, id }: Principal, { role }: UpdateBody, context: Context) => {
    const node = idOf(path);
    if (role === undefined) return checkGranted(deps, { node, principal, id });
    await change(path, context, {
      wanted: [{ principal, id, role }],
      existing: true,
      record: () => context.audit(kind, node, { details: { [principal]: id, role } }),
    });
  };

  const remove = (path: P, { principal, id }: Principal, context: Context) =>
    change(path, context, {
      wanted: [{ principal, id, role: 'dropped' }],
      existing: true,
      record: () => context.audit(kind, idOf(path), { details: { [principal]: id } }),
    });

  return {
    /** 404 names the field that holds an unknown member or team. */
    async invite({ path, body }: On<P> & { body: InviteBody }, context: Context): Promise<void> {
      const { role } = body;
      const wanted = await invited(body, context);
      await change(path, context, {
        wanted: wanted.map((principal) => ({ ...principal, role })),
        record: (changed) => context.audit(kind, idOf(path), { details: { role, ...idsByPrincipal(changed) } }),
      });
    },
    async listTeams({ path, query }: On<P> & { query: PageRequest }, { call, access: { organization } }: Context) {
      return pageOfGrants(deps, { node: idOf(path), principal: 'team', query }, async (given) => {
        const found = await call(findPrincipals, { organization, users: [], teams: given.map(({ id }) => id) });
        const teams = new Map(found.teams.map((team) => [team.id, team]));
        return given.flatMap(({ id, role }): TeamContentPermission[] => {
          const team = teams.get(id);
          return team ? [{ permission: role, team }] : [];
        });
      });
    },
    updateTeam: ({ path, body }: On<P & { teamId: string }> & { body: UpdateBody }, context: Context) =>
      update(path, { principal: 'team', id: path.teamId }, body, context),
    removeTeam: ({ path }: On<P & { teamId: string }>, context: Context) =>
      remove(path, { principal: 'team', id: path.teamId }, context),
    async listUsers({ path, query }: On<P> & { query: PageRequest }, { call, access: { organization } }: Context) {
      return pageOfGrants(deps, { node: idOf(path), principal: 'user', query }, async (given) => {
        const found = await call(findPrincipals, { organization, users: given.map(({ id }) => id), teams: [] });
        const users = new Map(found.members.map(({ user, resource }) => [user, resource]));
        return given.flatMap(({ id, role }): UserContentPermission[] => {
          const user = users.get(id);
          return user ? [{ permission: role, user }] : [];
        });
      });
    },
    updateUser: ({ path, body }: On<P & { userId: string }> & { body: UpdateBody }, context: Context) =>
      update(path, { principal: 'user', id: path.userId }, body, context),
    removeUser: ({ path }: On<P & { userId: string }>, context: Context) =>
      remove(path, { principal: 'user', id: path.userId }, context),
    listAggregate: ({ path, query }: On<P> & { query: AggregateQuery }, context: Context) =>
      listMembersWithAccess(deps, { node: idOf(path), query }, context),
  };
}

/** The members and teams that an invite names, each once; 404 for one that the organization does not have. */
async function invited({ users = [], teams = [] }: InviteBody, { call, access }: Context): Promise<Principal[]> {
  const named = { users: [...new Set(users)], teams: [...new Set(teams)] };
  const found = await call(findPrincipals, { organization: access.organization, ...named });
  if (found.members.length < named.users.length) throw notFound('users: a member of this organization was');
  if (found.teams.length < named.teams.length) throw notFound('teams: a team of this organization was');
  return [
    ...named.users.map((id): Principal => ({ principal: 'user', id })),
    ...named.teams.map((id): Principal => ({ principal: 'team', id })),
  ];
}

function idsByPrincipal(changes: GrantChange[]): Record<string, string[]> {
  const of = (principal: GrantChange['principal']) =>
    changes.filter((each) => each.principal === principal).map(({ id }) => id);
  const [users, teams] = [of('user'), of('team')];
  return { ...(users.length > 0 ? { users } : {}), ...(teams.length > 0 ? { teams } : {}) };
}

async function checkGranted({ store }: Dependencies, { node, principal, id }: Principal & { node: string }) {
  if (!(await store.findOne(grants, { node, principal, id }))) throw notFound('Permission');
}

/** The grants on a node to one kind of principal, oldest first, without the explicit "no access". */
function pageOfGrants<T>(
  { store }: Dependencies,
  { node, principal, query: request }: Pick<GrantDocument, 'node' | 'principal'> & { query: PageRequest },
  present: (given: GivenGrant[]) => Promise<T[]>,
): Promise<Page<T>> {
  const query = { filter: { node, principal, role: { $ne: null } }, sort: { createdAt: 1 as const }, request };
  return listPage(store, grants, query, (items) => present(items as GivenGrant[]));
}
