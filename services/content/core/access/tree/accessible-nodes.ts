import { LRUCache } from 'lru-cache';
import type { Role } from '../../../../identity/resources.js';
import type { DefaultLevel } from '../../nodes/resources.js';
import { type ContentTree, maxCollectionDepth, orderOf, outranks, type Reader, type TreeNode } from './content-tree.js';

/** A space or a collection, and the role that a reader has on it. */
export interface AccessibleNode {
  node: TreeNode;
  role: Role;
}

/** A node with grants or a level of its own, or the top of the tree. Other nodes take their role from the nearest decider above. */
interface Decider {
  level: DefaultLevel;
  /** The number of the decider that it inherits from, always a lower number; -1 for none. */
  above: number;
  /** The number of spaces that take their role from it. */
  spaces: number;
}

/** Roles by the number of the decider that gives them. */
type RolesGiven = [decider: number, role: Role | null][];

interface Layout {
  deciders: Decider[];
  /** The number of the decider of each node. */
  of: Map<string, number>;
  users: Map<string, RolesGiven>;
  teams: Map<string, RolesGiven>;
  creators: Map<string, number[]>;
}

/** Bytes of the lists and of the counts of one tree. */
const maxLists = 48_000_000;
const maxCounts = 16_000_000;

/**
 * The nodes that each reader has access to in one state of a tree: what `roleOn` answers, for a whole organization in one pass
 * over the deciders. Computed on demand; a changed tree needs a new instance.
 */
export class AccessibleNodes {
  // Bounded by size only: a bound by number would allocate its memory at once, and each change of the tree starts anew.
  private readonly lists = new LRUCache<string, AccessibleNode[]>({
    maxSize: maxLists,
    sizeCalculation: ({ length }, key) => 200 + 2 * key.length + 48 * length,
  });
  private readonly counts = new LRUCache<string, number>({
    maxSize: maxCounts,
    sizeCalculation: (_, key) => 200 + 2 * key.length,
  });
  /** The `bytes` that were known when its tree was kept. */
  noticed = 0;
  private readonly sorted = new Map<TreeNode['kind'], TreeNode[]>();
  private known: Layout | undefined;

  constructor(private readonly tree: ContentTree) {}

  /** About how many bytes of memory it takes besides the tree. */
  get bytes(): number {
    return 100 * this.tree.size + this.lists.calculatedSize + this.counts.calculatedSize;
  }

  /** The nodes of a kind that a reader has access to, siblings in their order (`orderOf`). */
  list(reader: Reader, kind: TreeNode['kind']): AccessibleNode[] {
    const key = `${kind} ${this.accessKey(reader)}`;
    const known = this.lists.get(key);
    if (known) return known;
    const { of } = this.knownLayout();
    const roles = this.rolesAtDeciders(reader);
    const found: AccessibleNode[] = [];
    for (const node of this.sortedNodes(kind)) {
      const role = roles[of.get(node.id) ?? 0];
      if (role) found.push({ node, role });
    }
    this.lists.set(key, found);
    return found;
  }

  /** The number of spaces that a reader has access to. */
  count(reader: Reader): number {
    const key = this.accessKey(reader);
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const { deciders } = this.knownLayout();
    const roles = this.rolesAtDeciders(reader);
    const count = deciders.reduce((sum, { spaces }, at) => (roles[at] ? sum + spaces : sum), 0);
    this.counts.set(key, count);
    return count;
  }

  /** Readers with the same key have the same access: a user or a team is part of the key only where the tree names it. */
  private accessKey({ user, role, teams }: Reader): string {
    if (role === 'admin') return role;
    const { users, teams: granted, creators } = this.knownLayout();
    const own = teams.filter((team) => granted.has(team)).sort();
    return `${role} ${users.has(user) || creators.has(user) ? user : ''} ${own.join(' ')}`;
  }

  /** The role at each decider, by its number. */
  private rolesAtDeciders(reader: Reader): (Role | null)[] {
    const { deciders } = this.knownLayout();
    if (reader.role === 'admin') return deciders.map(() => 'admin');
    const given = this.rolesGivenTo(reader);
    const roles: (Role | null)[] = [];
    for (const { level, above } of deciders) {
      const own = given[roles.length];
      if (own !== undefined) roles.push(own);
      else if (level === 'inherit') roles.push(above < 0 ? null : (roles[above] ?? null));
      else roles.push(reader.role === null ? null : level);
    }
    return roles;
  }

  /** The roles given to a reader by name, at each decider: by a grant to the user, else to its teams, else as the creator. */
  private rolesGivenTo({ user, role, teams }: Reader): (Role | null | undefined)[] {
    const { deciders, users, teams: granted, creators } = this.knownLayout();
    const roles = new Array<Role | null | undefined>(deciders.length).fill(undefined);
    for (const team of teams)
      for (const [at, given] of granted.get(team) ?? []) {
        const other = roles[at];
        if (other === undefined || outranks(given, other)) roles[at] = given;
      }
    for (const at of creators.get(user) ?? []) if (roles[at] === undefined) roles[at] = role;
    for (const [at, given] of users.get(user) ?? []) roles[at] = given;
    roles[0] = role;
    return roles;
  }

  private sortedNodes(kind: TreeNode['kind']): TreeNode[] {
    const known = this.sorted.get(kind);
    if (known) return known;
    const nodes = [...this.tree.values()]
      .filter((node) => node.kind === kind && !node.deleted)
      .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    this.sorted.set(kind, nodes);
    return nodes;
  }

  private knownLayout(): Layout {
    this.known ??= buildLayout(this.tree);
    return this.known;
  }
}

function buildLayout(tree: ContentTree): Layout {
  const top: Decider = { level: 'inherit', above: -1, spaces: 0 };
  const layout: Layout = { deciders: [top], of: new Map(), users: new Map(), teams: new Map(), creators: new Map() };
  for (const node of tree.values()) {
    const decider = layout.deciders[placeNode(tree, layout, node, 0)];
    if (decider && node.kind === 'space' && !node.deleted) decider.spaces += 1;
  }
  return layout;
}

/** Returns the number of a node's decider; places the nodes above it first. */
function placeNode(tree: ContentTree, layout: Layout, node: TreeNode, depth: number): number {
  const { deciders, of } = layout;
  const known = of.get(node.id);
  if (known !== undefined) return known;
  const { defaultLevel: level, grants } = node;
  let above = -1;
  if (level === 'inherit' && depth <= maxCollectionDepth) {
    const parent = node.parent === null ? undefined : tree.get(node.parent);
    if (parent) above = placeNode(tree, layout, parent, depth + 1);
    else if (node.parent === null) above = 0;
  }
  const own = above < 0 || grants !== undefined;
  const at = own ? deciders.push({ level, above, spaces: 0 }) - 1 : above;
  of.set(node.id, at);
  if (own) indexGrants(layout, node, at);
  return at;
}

function indexGrants(
  { users, teams, creators }: Layout,
  { grants, defaultLevel, creator }: TreeNode,
  at: number,
): void {
  for (const [id, role] of grants?.users ?? []) appendTo(users, id, [at, role]);
  for (const [id, role] of grants?.teams ?? []) appendTo(teams, id, [at, role]);
  if (defaultLevel === null) appendTo(creators, creator, at);
}

function appendTo<T>(map: Map<string, T[]>, key: string, item: T): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}
