import {
  type Caller,
  type ContentCaller,
  type InstallationCaller,
  membershipOf,
  reachesPlace,
} from '../../../../../shared/contract/caller.js';
import { type Role, roles } from '../../../../identity/resources.js';
import type { CollectionDocument, SpaceDocument } from '../../nodes/model.js';
import type { DefaultLevel } from '../../nodes/resources.js';
import type { GrantDocument } from '../model.js';

/** Levels by the id of a user or a team; null is an explicit "no access". */
export interface Grants {
  users: ReadonlyMap<string, Role | null>;
  teams: ReadonlyMap<string, Role | null>;
}

/** A space or a collection, with everything that decides who may read it. */
export interface TreeNode {
  id: string;
  kind: 'space' | 'collection';
  /** The collection that it inherits from, which may be deleted. */
  parent: string | null;
  defaultLevel: DefaultLevel;
  creator: string;
  deleted: boolean;
  /** Its place among its siblings; absent where it was never moved. */
  orderKey?: string;
  /** Absent where nothing is granted. */
  grants?: Grants;
}

/** The text that nodes are listed by: siblings in their order, those never moved in the order of creation. No two nodes share one. */
export const orderOf = ({ id, orderKey }: Pick<TreeNode, 'id' | 'orderKey'>): string =>
  orderKey === undefined ? id : `${orderKey} ${id}`;

/** The spaces and collections of one organization. */
export type ContentTree = ReadonlyMap<string, TreeNode>;

/** A member of one organization with its teams, as access is computed for it. `role` null is a guest. */
export interface Reader {
  user: string;
  role: Role | null;
  teams: readonly string[];
}

/** How deep collections may nest. */
export const maxCollectionDepth = 100;

const rank = new Map<Role | null, number>([
  ...roles.map((role, index) => [role, index] as const),
  [null, roles.length],
]);
const roleRank = (role: Role | null) => rank.get(role) as number;

/** Whether `role` is above `other`; null is below every role. */
export const outranks = (role: Role | null, other: Role | null): boolean => roleRank(role) < roleRank(other);

/** The caller as a reader of an organization; undefined when it is not a member there, or its token is not valid there. */
export function readerInOrganization(caller: Caller, organization: string): Reader | undefined {
  if (caller.kind === 'system') return { user: '', role: 'admin', teams: [] };
  const membership = membershipOf(caller, organization);
  if (caller.kind !== 'user' || !membership) return undefined;
  return { user: caller.user, role: membership.role as Role | null, teams: membership.teams };
}

/** The space or collection of an organization that a caller asks for, and the tree that it is in. */
export interface TreePlace {
  tree: Pick<ContentTree, 'get'>;
  organization: string;
  node: TreeNode;
}

/** The role of any caller on a node; undefined for none. */
export function roleOfCaller(caller: Caller, { tree, organization, node }: TreePlace): Role | undefined {
  if (caller.kind === 'content') return isShownTo(caller, { organization, node }) ? 'read' : undefined;
  if (caller.kind === 'installation')
    return isInstalledOn(caller, { organization, node }) ? roleOfInstallation(caller) : undefined;
  const reader = readerInOrganization(caller, organization);
  return reader && roleOnNode(tree, node.id, reader);
}

/** A visitor of a site may read the spaces that its token names, unless they are deleted. */
const isShownTo = (
  visitor: ContentCaller,
  { organization, node: { kind, deleted, id } }: Omit<TreePlace, 'tree'>,
): boolean => kind === 'space' && !deleted && visitor.organization === organization && visitor.spaces.includes(id);

/** An installation reaches spaces of its organization, unless they are deleted. */
const isInstalledOn = (
  installation: InstallationCaller,
  { organization, node: { kind, deleted, id } }: Omit<TreePlace, 'tree'>,
): boolean =>
  kind === 'space' && !deleted && installation.organization === organization && reachesPlace(installation.spaces, id);

/** The lowest role with the rights that the operations need which an installation with these scopes may call on a space. */
export function roleOfInstallation({ scopes }: Pick<InstallationCaller, 'scopes'>): Role {
  if (scopes.includes('space:metadata:write') || scopes.includes('space:git:sync')) return 'create';
  return scopes.includes('space:content:write') ? 'review' : 'read';
}

/**
 * The role of a reader on a node; undefined for none. An admin of the organization is admin everywhere. Otherwise the nearest
 * node with a grant or a level decides, from the node itself upwards: a grant to the user, the highest grant to its teams, the
 * node's own level. Where every node inherits up to the top, the reader has its role in the organization; below a collection that
 * is missing it has none. Levels apply to members only; a guest has access through grants only.
 */
export function roleOnNode(tree: Pick<ContentTree, 'get'>, id: string, reader: Reader): Role | undefined {
  if (reader.role === 'admin') return 'admin';
  let node = tree.get(id);
  for (let depth = 0; node; depth++) {
    const role = depth > maxCollectionDepth ? null : roleGivenAt(node, reader);
    if (role !== 'inherit') return role ?? undefined;
    if (node.parent === null) return reader.role ?? undefined;
    node = tree.get(node.parent);
  }
  return undefined;
}

function roleGivenAt({ grants, defaultLevel, creator }: TreeNode, reader: Reader): DefaultLevel {
  const granted = grants && roleGrantedTo(grants, reader);
  if (granted !== undefined) return granted;
  if (defaultLevel === 'inherit') return 'inherit';
  if (defaultLevel === null) return creator === reader.user ? reader.role : null;
  return reader.role === null ? null : defaultLevel;
}

function roleGrantedTo({ users, teams }: Grants, reader: Reader): Role | null | undefined {
  const own = users.get(reader.user);
  if (own !== undefined || teams.size === 0) return own;
  let highest: Role | null | undefined;
  for (const team of reader.teams) {
    const role = teams.get(team);
    if (role !== undefined && (highest === undefined || outranks(role, highest))) highest = role;
  }
  return highest;
}

/** Resolves `defaultLevel` on a node to what members get: a level, or `inherit` for each member's role in the organization. */
export function effectiveLevel(tree: Pick<ContentTree, 'get'>, id: string, defaultLevel: DefaultLevel): DefaultLevel {
  let level = defaultLevel;
  let node = tree.get(id);
  for (let depth = 0; level === 'inherit' && node && depth <= maxCollectionDepth; depth++) {
    node = node.parent === null ? undefined : tree.get(node.parent);
    if (node) level = node.defaultLevel;
  }
  return level;
}

/** The tree with `node` in place of the node of its id. */
export const withNode = (tree: ContentTree, node: TreeNode): Pick<ContentTree, 'get'> => ({
  get: (id) => (id === node.id ? node : tree.get(id)),
});

export interface GrantChange {
  principal: GrantDocument['principal'];
  id: string;
  /** `dropped` removes the grant. */
  role: Role | null | 'dropped';
}

export function withGrants(node: TreeNode, changes: readonly GrantChange[]): TreeNode {
  const users = new Map(node.grants?.users);
  const teams = new Map(node.grants?.teams);
  for (const { principal, id, role } of changes) {
    const held = principal === 'user' ? users : teams;
    if (role === 'dropped') held.delete(id);
    else held.set(id, role);
  }
  const { grants: _, ...bare } = node;
  return users.size + teams.size > 0 ? { ...bare, grants: { users, teams } } : bare;
}

export function toTreeNode(kind: TreeNode['kind'], document: SpaceDocument | CollectionDocument): TreeNode {
  const { _id: id, defaultLevel, creator, orderKey, deletedAt = null } = document;
  const parent = ('formerParent' in document ? document.formerParent : undefined) ?? document.parent;
  const deleted = deletedAt !== null;
  return { id, kind, parent, defaultLevel, creator, deleted, ...(orderKey === undefined ? {} : { orderKey }) };
}

/** The number of nodes from a node up to the top, the node included. */
export function nodeDepth(tree: ContentTree, id: string): number {
  let depth = 0;
  for (let node = tree.get(id); node && depth <= maxCollectionDepth; depth++)
    node = node.parent === null ? undefined : tree.get(node.parent);
  return depth;
}
