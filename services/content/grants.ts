import type { Caller } from '../../shared/contract/caller.js';
import { forbidden, notFound } from '../../shared/errors.js';
import { timestamp } from '../../shared/ids.js';
import { eachDocument, type Store, type Write, write } from '../../shared/store/port.js';
import type { Role } from '../identity/resources.js';
import {
  type GrantChange,
  levelGiven,
  outranks,
  type Reader,
  readerOf,
  roleOn,
  type TreeNode,
  withGrants,
  withNode,
} from './content-tree.js';
import type { ContentTrees } from './content-trees.js';
import { collections, type GrantDocument, grantId, grants, spaces } from './model.js';
import type { DefaultLevel } from './resources.js';

export interface GrantRules {
  store: Store;
  trees: ContentTrees;
}

/** A space or a collection, and where it is. */
export interface Place {
  kind: TreeNode['kind'];
  id: string;
  organization: string;
}

/** Who changes access to a place, and the role it has there. */
export interface Giver {
  caller: Caller;
  role: string | null;
}

const labelOf = (kind: TreeNode['kind']) => (kind === 'space' ? 'Space' : 'Collection');

const stands = ({ kind, id }: Place): Write =>
  kind === 'space' ? write.check(spaces, { _id: id, deletedAt: null }, 1) : write.check(collections, { _id: id }, 1);

/** Nobody gives, changes or takes away what is above the own role; 403 names `field`. */
function refuseAbove(role: Role | null, giver: Giver, field: string): void {
  if (outranks(role, giver.role as Role | null))
    throw forbidden(`${field}: ${role} is above your own role here, ${giver.role}`);
}

/** A change of access never gives its maker more than it had. */
async function refuseOwnRise(trees: ContentTrees, organization: string, changed: TreeNode, giver: Giver) {
  const reader = readerOf(giver.caller, organization);
  const after = reader && roleOn(withNode(await trees.of(organization), changed), changed.id, reader);
  if (after && outranks(after, giver.role as Role | null))
    throw forbidden(`This would make your own role here ${after}, which is above ${giver.role}`);
}

/** 403 when a level is above what the one who sets it has itself. */
export async function checkLevel(
  { trees }: GrantRules,
  { id, organization }: Place,
  defaultLevel: DefaultLevel,
  giver: Giver,
): Promise<void> {
  const tree = await trees.of(organization);
  const node = tree.get(id);
  if (!node) return;
  const given = levelGiven(tree, id, defaultLevel);
  if (given !== 'inherit') refuseAbove(given, giver, 'defaultLevel');
  await refuseOwnRise(trees, organization, { ...node, defaultLevel }, giver);
}

function writeOf({ id: node, kind, organization }: Place, change: GrantChange, before: GrantDocument | undefined) {
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
      createdAt: timestamp(),
    });
  const same = { _id, role: before.role };
  return role === 'dropped'
    ? write.delete(grants, same, { expect: 1 })
    : write.update(grants, same, { $set: { role } }, { expect: 1 });
}

export interface GrantOptions {
  giver: Giver;
  /** Only grants that are there already are changed: 404 for others. */
  existing?: boolean;
  /** The audit record of what really changes. */
  record: (changed: GrantChange[]) => Write;
}

/** Gives, changes and takes away on one place, all or nothing; what is so already is left alone. */
export async function changeGrants(
  { store, trees }: GrantRules,
  place: Place,
  wanted: GrantChange[],
  { giver, existing = false, record }: GrantOptions,
): Promise<void> {
  const { id: node, organization } = place;
  await trees.change(organization, node, async () => {
    const ids = wanted.map(({ principal, id }) => grantId({ node, principal, id }));
    const held = new Map((await store.getMany(grants, ids)).map((grant) => [grant._id, grant]));
    const heldBy = ({ principal, id }: GrantChange) => held.get(grantId({ node, principal, id }));
    if (existing && held.size < wanted.length) throw notFound('Permission');
    const changed = wanted.filter((change) => heldBy(change)?.role !== change.role);
    if (changed.length === 0) return undefined;
    for (const change of changed) {
      if (change.role !== 'dropped') refuseAbove(change.role, giver, 'role');
      refuseAbove(heldBy(change)?.role ?? null, giver, `The ${change.principal}'s role`);
    }
    const before = (await trees.of(organization)).get(node);
    if (!before || before.deleted) throw notFound(labelOf(place.kind));
    await refuseOwnRise(trees, organization, withGrants(before, changed), giver);
    return {
      writes: [stands(place), ...changed.map((change) => writeOf(place, change, heldBy(change))), record(changed)],
      note: (tree) => noteGrants(tree, node, changed),
    };
  });
}

function noteGrants(tree: Map<string, TreeNode>, id: string, changes: GrantChange[]): void {
  const node = tree.get(id);
  if (node) tree.set(id, withGrants(node, changes));
}

/** Gives a member at least `level` on a place, unless it reaches that much already. Safe to repeat. */
export async function grantAtLeast(
  { store, trees }: GrantRules,
  place: Place,
  reader: Reader,
  level: Role | null,
  record: Write,
): Promise<void> {
  if (level === null) return;
  const { kind, id: node, organization } = place;
  const change: GrantChange = { principal: 'user', id: reader.user, role: level };
  await trees.change(organization, node, async () => {
    const tree = await trees.of(organization);
    const found = tree.get(node);
    if (!found || found.kind !== kind || found.deleted) throw notFound(labelOf(kind));
    const before = await store.get(grants, grantId({ node, principal: 'user', id: reader.user }));
    const held = withGrants(found, [{ ...change, role: before ? before.role : 'dropped' }]);
    const has = roleOn(withNode(tree, held), node, reader);
    if (!outranks(level, has ?? null)) return undefined;
    return {
      writes: [stands(place), writeOf(place, change, before ?? undefined), record],
      note: (noted) => noteGrants(noted, node, [change]),
    };
  });
}

/** Drops what was given before `until` to a user or a team that is gone. Safe to repeat. */
export async function dropGrantsOf(
  { store, trees }: GrantRules,
  { organization, principal, id, until }: Pick<GrantDocument, 'organization' | 'principal' | 'id'> & { until: string },
): Promise<void> {
  const filter = { organization, principal, id, createdAt: { $lt: until } };
  await trees.change(organization, id, async () => {
    const nodes: string[] = [];
    for await (const { node } of eachDocument(store, grants, filter, ['node'])) nodes.push(node);
    if (nodes.length === 0) return undefined;
    return {
      writes: [write.delete(grants, filter)],
      note: (tree) => {
        for (const node of nodes) noteGrants(tree, node, [{ principal, id, role: 'dropped' }]);
      },
    };
  });
}
