import { LRUCache } from 'lru-cache';
import { type Access, type AccessQuestion, accessOfRole } from '../../../../../shared/contract/access.js';
import type { Caller, InstallationCaller } from '../../../../../shared/contract/caller.js';
import { again } from '../../../../../shared/store/again.js';
import {
  eachDocument,
  type Store,
  StoreConflict,
  StoreDuplicate,
  type Write,
  write,
} from '../../../../../shared/store/port.js';
import { KeyedSemaphore } from '../../../../../shared/work/semaphore.js';
import type { Role } from '../../../../identity/resources.js';
import { collections, spaces } from '../../nodes/model.js';
import { grants, trees, treeVersionWrite } from '../model.js';
import { type AccessibleNode, AccessibleNodes } from './accessible-nodes.js';
import {
  type ContentTree,
  type Reader,
  readerInOrganization,
  roleOfCaller,
  roleOfInstallation,
  type TreeNode,
  type TreePlace,
  toTreeNode,
  withGrants,
} from './content-tree.js';

interface KeptTree {
  tree: Map<string, TreeNode>;
  /** Approximate size of `tree`; grows with its changes. */
  bytes: number;
  version: number;
  /** Made on demand. */
  accessible: AccessibleNodes | undefined;
}

/** The writes of a change, and its effect on the tree in memory; without `apply` the tree is read again. */
export interface TreeChange {
  writes: Write[];
  apply?: Apply;
}

type Apply = (tree: Map<string, TreeNode>) => void;

/** A tree being read, and the changes made meanwhile, which the read may miss. */
interface Loading {
  read: Promise<KeptTree>;
  changes: Apply[];
  /** The read after it, for those who came when it had begun: other processes may have changed the tree since. */
  next?: Promise<KeptTree>;
}

/** Bytes of all kept trees together, with what they make readers see; the last one is kept whatever it takes. */
const maxKeptBytes = 128 * 1024 * 1024;
/** Bytes that the organizations of spaces and collections take together. */
const maxOrganizations = 32 * 1024 * 1024;
/** Maximum bytes that each write of a change adds; and bytes that readers' lists may grow by before that is noticed. */
const bytesOfWrite = 800;
const unnoticed = 1_000_000;

/** Sees each space and collection. */
const everything: Reader = { user: '', role: 'admin', teams: [] };

/** Marks a tree that holds changes newer than the version it was read with; the next check reads it again. */
const unknownVersion = -1;

/** Keeps content trees in memory until their version changes. Where other processes may change them, each use checks the version. */
export class ContentTreeCache {
  private readonly kept = new LRUCache<string, KeptTree>({
    maxSize: maxKeptBytes,
    sizeCalculation: (kept) => Math.min(maxKeptBytes, keptTreeBytes(kept)),
  });
  private readonly loading = new Map<string, Loading>();
  private readonly organizations = new LRUCache<string, string>({
    maxSize: maxOrganizations,
    sizeCalculation: (organization, id) => 150 + 2 * (organization.length + id.length),
  });
  private readonly turns = new KeyedSemaphore();

  /** `exclusive`: no other process changes the store, so a kept tree is never stale. */
  constructor(
    private readonly store: Store,
    private readonly exclusive: boolean,
  ) {}

  /** Drops the tree of an organization, also one that is being read. */
  drop(organization: string): void {
    this.kept.delete(organization);
    this.loading.delete(organization);
  }

  /**
   * Makes a change and raises the tree's version, all or nothing. `decide` returns the change (undefined for none); it runs
   * again when another change came first. Changes of one node take turns, so that they apply in the order they were written.
   */
  change(organization: string, node: string, decide: () => Promise<TreeChange | undefined>): Promise<void> {
    return this.turns.run(node, () =>
      again(async () => {
        const change = await decide();
        if (!change) return;
        await this.writeChange(organization, change);
        this.organizations.set(node, organization);
      }),
    );
  }

  /** As `change`, where what changes comes to another organization: both trees are read again. */
  transfer({ from, to }: { from: string; to: string }, node: string, decide: () => Promise<Write[]>): Promise<void> {
    return this.turns.run(node, () =>
      again(async () => {
        const writes = await decide();
        try {
          await this.writeChange(from, { writes: [...writes, treeVersionWrite(to)] });
        } finally {
          this.drop(to);
        }
        this.organizations.set(node, to);
      }),
    );
  }

  async treeOf(organization: string): Promise<ContentTree> {
    return (await this.freshTree(organization)).tree;
  }

  /** The tree as it is stored now, and the condition that it is still so when something is written. */
  async latest(organization: string): Promise<{ tree: ContentTree; unchanged: Write }> {
    this.drop(organization);
    const { tree, version } = await this.freshTree(organization);
    const unchanged =
      version === 0
        ? write.check(trees, { _id: organization }, 0)
        : write.check(trees, { _id: organization, version }, 1);
    return { tree, unchanged };
  }

  /** The access of a caller to spaces or collections, in the order of the ids. */
  async resolve({ caller, ids }: AccessQuestion, kind: TreeNode['kind']): Promise<(Access | null)[]> {
    return Promise.all(ids.map((id) => this.accessTo(id, kind, caller)));
  }

  /** The nodes by reader. */
  async accessibleOf(organization: string): Promise<AccessibleNodes> {
    const kept = await this.freshTree(organization);
    kept.accessible ??= new AccessibleNodes(kept.tree);
    const { accessible } = kept;
    if (accessible.bytes > accessible.noticed + unnoticed && this.kept.peek(organization) === kept) {
      accessible.noticed = accessible.bytes;
      this.keep(organization, kept);
    }
    return accessible;
  }

  /** The nodes of a kind that a caller has access to, siblings in their order (`orderOf`). */
  async nodesAccessibleTo(caller: Caller, organization: string, kind: TreeNode['kind']): Promise<AccessibleNode[]> {
    if (caller.kind === 'installation') return this.nodesOfInstallation(caller, organization, kind);
    const reader = readerInOrganization(caller, organization);
    return reader ? (await this.accessibleOf(organization)).list(reader, kind) : [];
  }

  private async nodesOfInstallation(
    caller: InstallationCaller,
    organization: string,
    kind: TreeNode['kind'],
  ): Promise<AccessibleNode[]> {
    if (caller.organization !== organization || kind !== 'space') return [];
    const all = (await this.accessibleOf(organization)).list(everything, kind);
    const reached = new Set(caller.spaces);
    const role = roleOfInstallation(caller);
    return all.flatMap(({ node }) => (caller.spaces === 'all' || reached.has(node.id) ? [{ node, role }] : []));
  }

  private async writeChange(organization: string, { writes, apply }: TreeChange): Promise<void> {
    const before = this.kept.peek(organization);
    try {
      await this.store.batch([...writes, treeVersionWrite(organization)]);
    } catch (error) {
      if (error instanceof StoreDuplicate) throw new StoreConflict(error.collection);
      if (!(error instanceof StoreConflict)) this.drop(organization);
      throw error;
    }
    if (!apply) return this.drop(organization);
    this.loading.get(organization)?.changes.push(apply);
    const kept = this.kept.peek(organization);
    if (!kept) return;
    apply(kept.tree);
    kept.bytes += bytesOfWrite * writes.length;
    kept.version = kept === before ? kept.version + 1 : unknownVersion;
    kept.accessible = undefined;
    this.keep(organization, kept);
  }

  /** Keeps a tree, with the size that it has by now. */
  private keep(organization: string, kept: KeptTree): void {
    this.kept.delete(organization);
    this.kept.set(organization, kept);
  }

  /** The tree as it was when this was called, or later. */
  private freshTree(organization: string): Promise<KeptTree> {
    const kept = this.kept.get(organization);
    if (kept && this.exclusive) return Promise.resolve(kept);
    const loading = this.loading.get(organization);
    if (!loading) return this.reload(organization, kept);
    if (this.exclusive) return loading.read;
    const after = () => this.freshTree(organization);
    loading.next ??= loading.read.then(after, after);
    return loading.next;
  }

  private async reload(organization: string, kept: KeptTree | undefined): Promise<KeptTree> {
    const loading: Loading = { read: this.readTree(organization, kept), changes: [] };
    this.loading.set(organization, loading);
    try {
      const read = applyChanges(await loading.read, loading.changes);
      // A tree dropped meanwhile is good enough for calls made before that, but is not kept.
      if (this.loading.get(organization) === loading) this.keep(organization, read);
      return read;
    } finally {
      if (this.loading.get(organization) === loading) this.loading.delete(organization);
    }
  }

  private async accessTo(id: string, kind: TreeNode['kind'], caller: Caller): Promise<Access | null> {
    // What was transferred is not where it was known to be: then the store is asked.
    const place = (await this.findPlace(id, kind)) ?? (await this.findPlace(id, kind));
    if (!place) return null;
    const { node, organization } = place;
    if (node.kind !== kind || (kind === 'collection' && node.deleted)) return null;
    return accessOfRole(caller, organization, roleOfCaller(caller, place), node.deleted ? 'deleted' : 'active');
  }

  private async findPlace(id: string, kind: TreeNode['kind']): Promise<TreePlace | undefined> {
    const organization = await this.findOrganizationId(id, kind);
    if (!organization) return undefined;
    const tree = await this.treeWithNode(organization, id);
    const node = tree.get(id);
    return node && { tree, organization, node };
  }

  /** The role of a caller on spaces of one organization, in the order of the ids; null for no access. */
  async rolesOn(organization: string, caller: Caller, ids: string[]): Promise<(Role | null)[]> {
    const tree = await this.treeOf(organization);
    return ids.map((id) => {
      const node = tree.get(id);
      return node?.kind === 'space' ? (roleOfCaller(caller, { tree, organization, node }) ?? null) : null;
    });
  }

  /** Reads the tree again when it lacks the node, which is or was in the store. */
  private async treeWithNode(organization: string, id: string): Promise<ContentTree> {
    const tree = await this.treeOf(organization);
    if (tree.has(id)) return tree;
    this.drop(organization);
    const read = await this.treeOf(organization);
    if (!read.has(id)) this.organizations.delete(id);
    return read;
  }

  private async findOrganizationId(id: string, kind: TreeNode['kind']): Promise<string | undefined> {
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

  private async readTree(organization: string, kept: KeptTree | undefined): Promise<KeptTree> {
    // Read before the documents, so that a change made meanwhile leads to another read.
    const version = (await this.store.get(trees, organization))?.version ?? 0;
    if (kept?.version === version) return kept;
    const tree = await this.loadNodes(organization);
    return { tree, bytes: treeBytes(tree), version, accessible: undefined };
  }

  private async loadNodes(organization: string): Promise<Map<string, TreeNode>> {
    const tree = new Map<string, TreeNode>();
    const fields: ('parent' | 'defaultLevel' | 'creator' | 'deletedAt' | 'orderKey')[] = [
      'parent',
      'defaultLevel',
      'creator',
      'deletedAt',
      'orderKey',
    ];
    for await (const found of eachDocument(this.store, collections, { organization }, fields))
      tree.set(found._id, toTreeNode('collection', found));
    for await (const found of eachDocument(this.store, spaces, { organization }, [...fields, 'formerParent']))
      tree.set(found._id, toTreeNode('space', found));
    await this.loadGrants(organization, tree);
    return tree;
  }

  private async loadGrants(organization: string, tree: Map<string, TreeNode>): Promise<void> {
    const byNode = new Map<string, Parameters<typeof withGrants>[1][number][]>();
    for await (const { node, principal, id, role } of eachDocument(this.store, grants, { organization })) {
      const known = byNode.get(node);
      if (known) known.push({ principal, id, role });
      else byNode.set(node, [{ principal, id, role }]);
    }
    for (const [id, granted] of byNode) {
      const node = tree.get(id);
      if (node) tree.set(id, withGrants(node, granted));
    }
  }
}

const keptTreeBytes = ({ bytes, accessible }: KeptTree): number => 500 + bytes + (accessible?.bytes ?? 0);

function treeBytes(tree: ContentTree): number {
  let bytes = 0;
  for (const { grants } of tree.values()) {
    bytes += 300;
    if (grants) bytes += 500 + 100 * (grants.users.size + grants.teams.size);
  }
  return bytes;
}

/** Applying a change twice is harmless: each sets a node to its new state. */
function applyChanges(read: KeptTree, changes: Apply[]): KeptTree {
  if (changes.length === 0) return read;
  for (const apply of changes) apply(read.tree);
  read.version = unknownVersion;
  read.accessible = undefined;
  return read;
}

export type HasTrees = { trees: ContentTreeCache };
