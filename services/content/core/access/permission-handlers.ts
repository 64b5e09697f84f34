import { joinHandlers } from '../../../../shared/contract/at-places.js';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import { listPage, type Page, type PageRequest } from '../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../shared/store/port.js';
import {
  findGrantees,
  type Grantee,
  idsByPrincipal,
  presentTeamRoles,
  presentUserRoles,
} from '../../../identity/contract.js';
import { permissionOperations } from '../contract/permissions.js';
import { listMembersWithAccess } from './effective-access.js';
import { changeGrants } from './grants.js';
import type { MemberListCache } from './member-list-cache.js';
import { type GrantDocument, grants } from './model.js';
import type { TreeNode } from './tree/content-tree.js';
import type { HasTrees } from './tree/content-tree-cache.js';

type Operations = (typeof permissionOperations)['operations'];
type UpdateBody = BodyOf<Operations['updateUserPermissionInSpace']>;
type Dependencies = HasStore & HasTrees & { members: MemberListCache };
type NodeReference = Pick<TreeNode, 'kind' | 'id'>;
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
    { principal, id }: Grantee,
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

  const removeGrant = ({ kind, id: node }: NodeReference, { principal, id }: Grantee, context: Context) =>
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
      const wanted = await findGrantees(body, context);
      await changeNodeGrants({ kind, id }, context, {
        wanted: wanted.map((principal) => ({ ...principal, role })),
        record: (changed) => context.audit(kind, id, { details: { role, ...idsByPrincipal(changed) } }),
      });
    },
    listTeamPermissions: ({ path, query }, context) =>
      listGrants(deps, { node: nodeIdInPath(path), principal: 'team', query }, (given) =>
        presentTeamRoles(given, context),
      ),
    updateTeamPermission: ({ path, body }, context, kind) =>
      updateGrant({ kind, id: nodeIdInPath(path) }, { principal: 'team', id: path.teamId }, body, context),
    removeTeamPermission: ({ path }, context, kind) =>
      removeGrant({ kind, id: nodeIdInPath(path) }, { principal: 'team', id: path.teamId }, context),
    listUserPermissions: ({ path, query }, context) =>
      listGrants(deps, { node: nodeIdInPath(path), principal: 'user', query }, (given) =>
        presentUserRoles(given, context),
      ),
    updateUserPermission: ({ path, body }, context, kind) =>
      updateGrant({ kind, id: nodeIdInPath(path) }, { principal: 'user', id: path.userId }, body, context),
    removeUserPermission: ({ path }, context, kind) =>
      removeGrant({ kind, id: nodeIdInPath(path) }, { principal: 'user', id: path.userId }, context),
    listPermissionsAggregate: ({ path, query }, context) =>
      listMembersWithAccess(deps, { node: nodeIdInPath(path), query }, context),
  });
}

async function checkGrantExists({ store }: Dependencies, { node, principal, id }: Grantee & { node: string }) {
  if (!(await store.findOne(grants, { node, principal, id }))) throw notFound('Permission');
}

/** The grants on a node to one kind of principal, oldest first, without the explicit "no access". */
function listGrants<T>(
  { store }: Dependencies,
  { node, principal, query: request }: Pick<GrantDocument, 'node' | 'principal'> & { query: PageRequest },
  present: (given: GrantDocument[]) => Promise<T[]>,
): Promise<Page<T>> {
  const query = { filter: { node, principal, role: { $ne: null } }, sort: { createdAt: 1 as const }, request };
  return listPage(store, grants, query, present);
}
