import { missesRight } from '../../../../shared/contract/access.js';
import type { Caller } from '../../../../shared/contract/caller.js';
import { forbidden, notFound } from '../../../../shared/errors/errors.js';
import { eachDocument, type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { Role } from '../../../identity/resources.js';
import { collections, spaces } from '../nodes/model.js';
import { collectionKind, spaceKind } from '../nodes/resources.js';
import { type GrantDocument, grantId, grants } from './model.js';
import {
  effectiveLevel,
  type GrantChange,
  outranks,
  type Reader,
  readerInOrganization,
  roleOfCaller,
  roleOnNode,
  type TreeNode,
  type TreePlace,
  withGrants,
  withNode,
} from './tree/content-tree.js';
import type { HasTrees } from './tree/content-tree-cache.js';

type Dependencies = HasStore & HasTrees;

/** Names a space or a collection. */
export interface NodeRef {
  kind: TreeNode['kind'];
  id: string;
  organization: string;
}

/** The caller who changes access to a node, and its role there. */
interface Granter {
  caller: Caller;
  role: Role;
}

/** The caller with its present role: throws 403 if its right to change access was taken away while the change waited for its turn. */
function checkGranter(caller: Caller, place: TreePlace): Granter {
  const kind = place.node.kind === 'space' ? spaceKind : collectionKind;
  const role = roleOfCaller(caller, place);
  const rights: readonly (string | null)[] = kind.rights.admin;
  if (role === undefined || !rights.includes(role)) throw missesRight('admin', kind);
  return { caller, role };
}

const nodeLabel = (kind: TreeNode['kind']) => (kind === 'space' ? 'Space' : 'Collection');

const nodeExistsCheck = ({ kind, id }: NodeRef): Write =>
  kind === 'space'
    ? write.check(spaces, { _id: id, deletedAt: null }, 1)
    : write.check(collections, { _id: id, deletedAt: null }, 1);

/** Nobody gives, changes or removes a role above the own one; 403 names `field`. */
function refuseAbove(role: Role | null, granter: Granter, field: string): void {
  if (outranks(role, granter.role))
    throw forbidden(`${field}: ${role} is above your own role here, ${granter.role}`, 'role_above_own');
}

/** Refuses a change of access that would raise the role of the caller who makes it. */
async function refuseOwnPromotion(
  trees: Dependencies['trees'],
  organization: string,
  { node, granter }: { node: TreeNode; granter: Granter },
): Promise<void> {
  const reader = readerInOrganization(granter.caller, organization);
  const after = reader && roleOnNode(withNode(await trees.treeOf(organization), node), node.id, reader);
  if (after && outranks(after, granter.role))
    throw forbidden(`This would raise your own role here to ${after}, above ${granter.role}`, 'role_above_own');
}

/** Refuses (403) a change of a default level, or of where it is inherited from (`field`), that gives more than the role of the caller. */
export async function checkLevelChange(
  { trees }: Pick<Dependencies, 'trees'>,
  {
    organization,
    node: { id, defaultLevel, parent },
    caller,
    field = 'defaultLevel',
  }: { organization: string; node: TreeNode; caller: Caller; field?: string },
): Promise<void> {
  const tree = await trees.treeOf(organization);
  const before = tree.get(id);
  if (!before) return;
  const granter = checkGranter(caller, { tree, organization, node: before });
  const node = { ...before, defaultLevel, parent };
  const given = effectiveLevel(withNode(tree, node), id, defaultLevel);
  const isAsBefore = given === effectiveLevel(tree, id, before.defaultLevel);
  if (given !== 'inherit' && !isAsBefore) refuseAbove(given, granter, field);
  await refuseOwnPromotion(trees, organization, { node, granter });
}

/** The write that gives, changes or removes one grant; `before` is the stored one. */
export function grantWrite(
  { id: node, kind, organization }: NodeRef,
  change: GrantChange,
  { before, now }: { before: GrantDocument | undefined; now: string },
) {
  const { principal, id, role } = change;
  const _id = grantId({ node, principal, id });
  if (!before)
    return write.insert(grants, {
      _id,
      organization,
      node,
      kind,
      principal,
      id,
      role: role as Role | null,
      createdAt: now,
    });
  const same = { _id, role: before.role };
  return role === 'dropped'
    ? write.delete(grants, same, { expect: 1 })
    : write.update(grants, same, { $set: { role } }, { expect: 1 });
}

export interface ChangeGrants {
  node: NodeRef;
  wanted: GrantChange[];
  caller: Caller;
  /** Changes existing grants only: 404 for others. */
  existing?: boolean;
  /** The audit record of what really changes. */
  record: (changed: GrantChange[]) => Write;
}

/** Gives, changes and removes grants on one node, all or nothing. Grants that already are as wanted stay as they are. */
export async function changeGrants(
  { store, trees }: Dependencies,
  { node, wanted, caller, existing = false, record }: ChangeGrants,
): Promise<void> {
  const { id, organization } = node;
  await trees.change(organization, id, async () => {
    const idOf = (change: GrantChange) => grantId({ node: id, principal: change.principal, id: change.id });
    const stored = new Map((await store.getMany(grants, wanted.map(idOf))).map((grant) => [grant._id, grant]));
    const storedGrantOf = (change: GrantChange) => stored.get(idOf(change));
    if (existing && stored.size < wanted.length) throw notFound('Permission');
    const changed = wanted.filter((change) => storedGrantOf(change)?.role !== change.role);
    if (changed.length === 0) return undefined;
    const tree = await trees.treeOf(organization);
    const before = tree.get(id);
    if (!before || before.deleted) throw notFound(nodeLabel(node.kind));
    const granter = checkGranter(caller, { tree, organization, node: before });
    for (const change of changed) {
      if (change.role !== 'dropped') refuseAbove(change.role, granter, 'role');
      refuseAbove(storedGrantOf(change)?.role ?? null, granter, `The ${change.principal}'s role`);
    }
    await refuseOwnPromotion(trees, organization, { node: withGrants(before, changed), granter });
    // One time for all: what is given at once is listed in one order, however long it takes.
    const now = timestamp();
    const given = changed.map((change) => grantWrite(node, change, { before: storedGrantOf(change), now }));
    return {
      writes: [nodeExistsCheck(node), ...given, record(changed)],
      apply: (tree) => applyGrantsToTree(tree, id, changed),
    };
  });
}

function applyGrantsToTree(tree: Map<string, TreeNode>, id: string, changes: GrantChange[]): void {
  const node = tree.get(id);
  if (node) tree.set(id, withGrants(node, changes));
}

export interface GrantAtLeast {
  node: NodeRef;
  reader: Reader;
  role: Role | null;
  /** The audit record of the grant. */
  record: Write;
}

/** Gives a member `role` on a node, unless its role there is as high already. Safe to repeat. */
export async function grantAtLeast(
  { store, trees }: Dependencies,
  { node, reader, role, record }: GrantAtLeast,
): Promise<void> {
  if (role === null) return;
  const { kind, id, organization } = node;
  const change: GrantChange = { principal: 'user', id: reader.user, role };
  await trees.change(organization, id, async () => {
    const tree = await trees.treeOf(organization);
    const found = tree.get(id);
    if (!found || found.kind !== kind || found.deleted) throw notFound(nodeLabel(kind));
    const before = await store.get(grants, grantId({ node: id, principal: 'user', id: reader.user }));
    const stored = withGrants(found, [{ ...change, role: before ? before.role : 'dropped' }]);
    const current = roleOnNode(withNode(tree, stored), id, reader);
    if (!outranks(role, current ?? null)) return undefined;
    return {
      writes: [
        nodeExistsCheck(node),
        grantWrite(node, change, { before: before ?? undefined, now: timestamp() }),
        record,
      ],
      apply: (changing) => applyGrantsToTree(changing, id, [change]),
    };
  });
}

export interface DropGrants extends Pick<GrantDocument, 'organization' | 'principal' | 'id'> {
  /** ISO time; later grants stay. */
  before: string;
}

/**
 * Removes the grants of a user or a team that has left. Refusals of a user stay: nobody gets around one by leaving and joining
 * again. Safe to repeat.
 */
export async function dropPrincipalGrants(
  { store, trees }: Dependencies,
  { organization, principal, id, before }: DropGrants,
): Promise<void> {
  const stays = principal === 'user' ? { role: { $ne: null } } : {};
  const filter = { organization, principal, id, createdAt: { $lt: before }, ...stays };
  await trees.change(organization, id, async () => {
    const nodes: string[] = [];
    for await (const { node } of eachDocument(store, grants, filter, ['node'])) nodes.push(node);
    if (nodes.length === 0) return undefined;
    return {
      writes: [write.delete(grants, filter)],
      apply: (tree) => {
        for (const node of nodes) applyGrantsToTree(tree, node, [{ principal, id, role: 'dropped' }]);
      },
    };
  });
}
