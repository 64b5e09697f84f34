import { LRUCache } from 'lru-cache';
import type { Caller } from '../../shared/contract/caller.js';
import type { Access, AccessQuestion } from '../../shared/contract/operation.js';
import { eachDocument, type Store } from '../../shared/store/port.js';
import type { Role } from '../identity/resources.js';
import { type CollectionDocument, collections, type SpaceDocument, spaces, trees } from './model.js';
import type { DefaultLevel } from './resources.js';

/** What decides who reads a space or a collection. */
export interface TreeNode {
  id: string;
  kind: 'space' | 'collection';
  parent: string | null;
  defaultLevel: DefaultLevel;
  creator: string;
  deleted: boolean;
}

/** The spaces and collections of one organization, in order of creation. */
export type ContentTree = ReadonlyMap<string, TreeNode>;

const freshMs = 1000;
const deepest = 100;

/**
 * The role of a caller on a node; undefined: none. An org admin is admin, a level of one's own counts before what the
 * parents give, and at the top that is the role in the organization.
 */
export function roleOn(tree: ContentTree, id: string, organization: string, caller: Caller): Role | undefined {
  if (caller.kind === 'system') return 'admin';
  if (caller.kind !== 'user' || !Object.hasOwn(caller.memberships, organization)) return undefined;
  const member = caller.memberships[organization]?.role as Role | null;
  if (member === 'admin') return 'admin';
  return inherited(tree, tree.get(id), caller.user, member);
}

function inherited(
  tree: ContentTree,
  start: TreeNode | undefined,
  user: string,
  member: Role | null,
): Role | undefined {
  let node = start;
  for (let depth = 0; node && depth < deepest; depth++) {
    const { defaultLevel, creator, parent } = node;
    if (defaultLevel === null) return creator === user && member !== null ? member : undefined;
    if (defaultLevel !== 'inherit') return member === null ? undefined : defaultLevel;
    node = parent === null ? undefined : tree.get(parent);
  }
  return member ?? undefined;
}

/** What a caller reads of a kind, in the order of ids. */
export interface Readable {
  node: TreeNode;
  role: Role;
}

interface Kept {
  tree: Map<string, TreeNode>;
  version: number;
  checkedAt: number;
  /** By caller and kind, until the tree changes. */
  readable: LRUCache<string, Readable[]>;
}

/** Content trees, kept in memory for as long as their version stands; looked at again after a second. */
export class ContentTrees {
  private readonly kept = new LRUCache<string, Kept>({ max: 1000 });
  private readonly loading = new Map<string, Promise<Kept>>();
  private readonly organizations = new LRUCache<string, string>({ max: 100_000 });

  /** `exclusive`: no other process changes the store, so a kept tree never goes stale. */
  constructor(
    private readonly store: Store,
    private readonly exclusive: boolean,
  ) {}

  /** Forgets what this process itself has changed. */
  changed(organization: string): void {
    this.kept.delete(organization);
  }

  /** Notes a node that this process has just made, in a batch that counted the version up by one. */
  added(organization: string, node: TreeNode): void {
    const kept = this.kept.get(organization);
    if (!kept) return;
    kept.tree.set(node.id, node);
    kept.version += 1;
    kept.readable.clear();
  }

  async of(organization: string): Promise<ContentTree> {
    return (await this.fresh(organization)).tree;
  }

  /** What a caller is to spaces or collections, in the order of the ids. */
  async resolve({ caller, ids }: AccessQuestion, kind: TreeNode['kind']): Promise<(Access | null)[]> {
    return Promise.all(ids.map((id) => this.accessTo(id, kind, caller)));
  }

  /** The nodes of a kind that a caller reads, in the order of their ids, which is that of creation. */
  async readable(organization: string, caller: Caller, kind: TreeNode['kind']): Promise<Readable[]> {
    // A list shows what its reader has just made, also through another process.
    const { tree, readable } = await this.fresh(organization, 0);
    const key = caller.kind === 'user' ? `${kind} ${caller.memberships[organization]?.role} ${caller.user}` : undefined;
    const known = key === undefined ? undefined : readable.get(key);
    if (known) return known;
    const found = readableIn(tree, organization, caller, kind);
    if (key !== undefined) readable.set(key, found);
    return found;
  }

  private async fresh(organization: string, maxAge = freshMs): Promise<Kept> {
    const kept = this.kept.get(organization);
    if (kept && (this.exclusive || Date.now() - kept.checkedAt < maxAge)) return kept;
    let loading = this.loading.get(organization);
    if (!loading) {
      loading = this.refresh(organization, kept).finally(() => this.loading.delete(organization));
      this.loading.set(organization, loading);
    }
    return loading;
  }

  private async accessTo(id: string, kind: TreeNode['kind'], caller: Caller): Promise<Access | null> {
    const organization = await this.organizationOf(id, kind);
    if (!organization) return null;
    const tree = await this.treeWith(organization, id);
    const node = tree.get(id);
    if (!node || node.kind !== kind) return null;
    const role = roleOn(tree, id, organization, caller);
    return role ? { organization, role, state: node.deleted ? 'deleted' : 'active' } : null;
  }

  /** Another process may have made it within the second that our tree is trusted. */
  private async treeWith(organization: string, id: string): Promise<ContentTree> {
    const tree = await this.of(organization);
    if (tree.has(id)) return tree;
    this.changed(organization);
    return this.of(organization);
  }

  private async organizationOf(id: string, kind: TreeNode['kind']): Promise<string | undefined> {
    const known = this.organizations.get(id);
    if (known) return known;
    const fields = ['organization'] as 'organization'[];
    const found =
      kind === 'space'
        ? await this.store.get(spaces, id, { fields })
        : await this.store.get(collections, id, { fields });
    if (found) this.organizations.set(id, found.organization);
    return found?.organization;
  }

  private async refresh(organization: string, kept: Kept | undefined): Promise<Kept> {
    const checkedAt = Date.now();
    const version = (await this.store.get(trees, organization))?.version ?? 0;
    if (kept?.version === version) {
      kept.checkedAt = checkedAt;
      return kept;
    }
    const loaded = {
      tree: await this.load(organization),
      version,
      checkedAt,
      readable: new LRUCache<string, Readable[]>({ max: 100 }),
    };
    this.kept.set(organization, loaded);
    return loaded;
  }

  private async load(organization: string): Promise<Map<string, TreeNode>> {
    const tree = new Map<string, TreeNode>();
    const fields = ['parent', 'defaultLevel', 'creator'] as ('parent' | 'defaultLevel' | 'creator')[];
    for await (const found of eachDocument(this.store, collections, { organization }, fields))
      tree.set(found._id, nodeOf('collection', found));
    for await (const found of eachDocument(this.store, spaces, { organization }, [...fields, 'deletedAt']))
      tree.set(found._id, nodeOf('space', found));
    return tree;
  }
}

function readableIn(tree: ContentTree, organization: string, caller: Caller, kind: TreeNode['kind']): Readable[] {
  const found: Readable[] = [];
  for (const node of tree.values()) {
    if (node.kind !== kind || node.deleted) continue;
    const role = roleOn(tree, node.id, organization, caller);
    if (role) found.push({ node, role });
  }
  return found.sort((a, b) => (a.node.id < b.node.id ? -1 : 1));
}

export function nodeOf(kind: TreeNode['kind'], document: SpaceDocument | CollectionDocument): TreeNode {
  const { _id: id, parent, defaultLevel, creator } = document;
  const deletedAt = 'deletedAt' in document ? document.deletedAt : null;
  return { id, kind, parent, defaultLevel, creator, deleted: deletedAt !== null };
}
