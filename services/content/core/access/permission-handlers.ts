import { joinHandlers } from '../../../../shared/contract/at-places.js';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import { listPage, type Page, type PageRequest } from '../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { Role } from '../../../identity/resources.js';
import { permissionOperations } from '../contract/permissions.js';
import { listMembersWithAccess } from './effective-access.js';
import { changeGrants } from './grants.js';
import type { MemberListCache } from './member-list-cache.js';
import { type GrantDocument, grants } from './model.js';
import type { TeamContentPermission, UserContentPermission } from './resources.js';
import type { GrantChange, TreeNode } from './tree/content-tree.js';
import type { HasTrees } from './tree/content-tree-cache.js';

type Operations = (typeof permissionOperations)['operations'];
type InviteBody = BodyOf<Operations['inviteToSpace']>;
type UpdateBody = BodyOf<Operations['updateUserPermissionInSpace']>;
type Dependencies = HasStore & HasTrees & { members: MemberListCache };
type NodeReference = Pick<TreeNode, 'kind' | 'id'>;
type Principal = Pick<GrantDocument, 'principal' | 'id'>;
type GivenGrant = GrantDocument & { role: Role };
type NodePath = { spaceId: string } | { collectionId: string };

const nodeIdInPath = (path: NodePath): string => ('spaceId' in path ? path.spaceId : path.collectionId);

export function permissionHandlers(deps: Dependencies): HandlersOf<Operations> {
  const changeNodeGrants = (
    node: NodeReference,
    { caller, access }: Context,
    changes: Pick<Parameters<typeof changeGrants>[1], 'wanted' | 'existing' | 'record'>,
  ) => changeGrants(deps, { node: { ...node, organization: access.organization }, caller, ...changes });

  const updateGrant = async (
    { kind, id: node }: NodeReference,
    { principal, id }: Principal,
    { role }: UpdateBody,
    context: Context,
  ) => {
    if (role === undefined) return checkGrantExists(deps, { node, principal, id });
    await changeNodeGrants({ kind, id: node }, context, {
      wanted: [{ principal, id, role }],
      existing: true,
      record: () => context.audit(kind, node, { details: { [principal]: id, role } }),
    });
  };

  const removeGrant = ({ kind, id: node }: NodeReference, { principal, id }: Principal, context: Context) =>
    changeNodeGrants({ kind, id: node }, context, {
      wanted: [{ principal, id, role: 'dropped' }],
      existing: true,
      record: () => context.audit(kind, node, { details: { [principal]: id } }),
    });

  return joinHandlers(permissionOperations, {
    /** 404 names the field that holds an unknown member or team. */
    async inviteToContent({ path, body }, context, kind) {
      const { role } = body;
      const id = nodeIdInPath(path);
      const wanted = await findPrincipalsToInvite(body, context);
      await changeNodeGrants({ kind, id }, context, {
        wanted: wanted.map((principal) => ({ ...principal, role })),
        record: (changed) => context.audit(kind, id, { details: { role, ...idsByPrincipal(changed) } }),
      });
    },
    async listTeamPermissions({ path, query }, { call, access: { organization } }) {
      return listGrants(deps, { node: nodeIdInPath(path), principal: 'team', query }, async (given) => {
        const found = await call(findPrincipals, { organization, users: [], teams: given.map(({ id }) => id) });
        const teams = new Map(found.teams.map((team) => [team.id, team]));
        return given.flatMap(({ id, role }): TeamContentPermission[] => {
          const team = teams.get(id);
          return team ? [{ permission: role, team }] : [];
        });
      });
    },
    updateTeamPermission: ({ path, body }, context, kind) =>
      updateGrant({ kind, id: nodeIdInPath(path) }, { principal: 'team', id: path.teamId }, body, context),
    removeTeamPermission: ({ path }, context, kind) =>
      removeGrant({ kind, id: nodeIdInPath(path) }, { principal: 'team', id: path.teamId }, context),
    async listUserPermissions({ path, query }, { call, access: { organization } }) {
      return listGrants(deps, { node: nodeIdInPath(path), principal: 'user', query }, async (given) => {
        const found = await call(findPrincipals, { organization, users: given.map(({ id }) => id), teams: [] });
        const users = new Map(found.members.map(({ user, resource }) => [user, resource]));
        return given.flatMap(({ id, role }): UserContentPermission[] => {
          const user = users.get(id);
          return user ? [{ permission: role, user }] : [];
        });
      });
    },
    updateUserPermission: ({ path, body }, context, kind) =>
      updateGrant({ kind, id: nodeIdInPath(path) }, { principal: 'user', id: path.userId }, body, context),
    removeUserPermission: ({ path }, context, kind) =>
      removeGrant({ kind, id: nodeIdInPath(path) }, { principal: 'user', id: path.userId }, context),
    listPermissionsAggregate: ({ path, query }, context) =>
      listMembersWithAccess(deps, { node: nodeIdInPath(path), query }, context),
  });
}

/** The members and teams that an invite names, each once; 404 for one that the organization does not have. */
async function findPrincipalsToInvite(
  { users = [], teams = [] }: InviteBody,
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

function idsByPrincipal(changes: GrantChange[]): Record<string, string[]> {
  const idsOfKind = (principal: GrantChange['principal']) =>
    changes.filter((each) => each.principal === principal).map(({ id }) => id);
  const [users, teams] = [idsOfKind('user'), idsOfKind('team')];
  return { ...(users.length > 0 ? { users } : {}), ...(teams.length > 0 ? { teams } : {}) };
}

async function checkGrantExists({ store }: Dependencies, { node, principal, id }: Principal & { node: string }) {
  if (!(await store.findOne(grants, { node, principal, id }))) throw notFound('Permission');
}

/** The grants on a node to one kind of principal, oldest first, without the explicit "no access". */
function listGrants<T>(
  { store }: Dependencies,
  { node, principal, query: request }: Pick<GrantDocument, 'node' | 'principal'> & { query: PageRequest },
  present: (given: GivenGrant[]) => Promise<T[]>,
): Promise<Page<T>> {
  const query = { filter: { node, principal, role: { $ne: null } }, sort: { createdAt: 1 as const }, request };
  return listPage(store, grants, query, (items) => present(items as GivenGrant[]));
}
