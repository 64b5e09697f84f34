import { LRUCache } from 'lru-cache';
import { type Access, type AccessQuestion, accessOf } from '../../shared/contract/access.js';
import type { Caller, ContentCaller } from '../../shared/contract/caller.js';
import { again } from '../../shared/store/again.js';
import { eachDocument, type Store, StoreConflict, StoreDuplicate, type Write } from '../../shared/store/port.js';
import { Turns } from '../../shared/work/turns.js';
import type { Role } from '../identity/resources.js';
import { type ContentTree, nodeOf, readerOf, roleOn, type TreeNode, withGrants } from './content-tree.js';
import { collections, grants, spaces, treeChanged, trees } from './model.js';
import { Reach, type Readable } from './reach.js';

interface Kept {
  tree: Map<string, TreeNode>;
  version: number;
  checkedAt: number;
  /** Made when it is asked for. */
  reach: Reach | undefined;
}

/** What a change writes, and what it makes of the tree; without a `note` the tree is read again. */
export interface TreeChange {
  writes: Write[];
  note?: Note;
}

type Note = (tree: Map<string, TreeNode>) => void;

/** A tree being read, and what was changed meanwhile, which it may lack. */
interface Loading {
  read: Promise<Kept>;
  notes: Note[];
}

const freshMs = 1000;
/** Of a tree that holds more than was read with its version: it is read again when it is looked at. */
const unknownVersion = -1;

/** A visitor of a site reads the spaces that its token names, for as long as they are not deleted. */
const roleOfVisitor = ({ spaces: named, organization }: ContentCaller, node: TreeNode, owner: string): Role | null =>
  node.kind === 'space' && !node.deleted && organization === owner && named.includes(node.id) ? 'read' : null;

/** Content trees, kept in memory for as long as their version stands; looked at again after a second. */
export class ContentTrees {
  private readonly kept = new LRUCache<string, Kept>({ max: 1000 });
  private readonly loading = new Map<string, Loading>();
  private readonly organizations = new LRUCache<string, string>({ max: 100_000 });
  private readonly turns = new Turns();

  /** `exclusive`: no other process changes the store, so a kept tree never goes stale. */
  constructor(
    private readonly store: Store,
    private readonly exclusive: boolean,
  ) {}

  /** Forgets what was read of an organization, and what is being read. */
  changed(organization: string): void {
    this.kept.delete(organization);
    this.loading.delete(organization);
  }

  /**
   * Makes a change that counts the tree's version up, all or nothing; `decide` says which (undefined: none) and is asked
   * again when others were first. Changes of one node take turns, so that they are noted in the order they were made in.
   */
  change(organization: string, node: string, decide: () => Promise<TreeChange | undefined>): Promise<void> {
    return this.turns.run(node, () =>
      again(async () => {
        const change = await decide();
        if (change) await this.make(organization, change);
      }),
    );
  }

  async of(organization: string): Promise<ContentTree> {
    return (await this.fresh(organization)).tree;
  }

  /** What a caller is to spaces or collections, in the order of the ids. */
  async resolve({ caller, ids }: AccessQuestion, kind: TreeNode['kind']): Promise<(Access | null)[]> {
    return Promise.all(ids.map((id) => this.accessTo(id, kind, caller)));
  }

  /** Who reaches what, as of now: a list shows what its reader has just made, also through another process. */
  async reach(organization: string): Promise<Reach> {
    const kept = await this.fresh(organization, 0);
    kept.reach ??= new Reach(kept.tree);
    return kept.reach;
  }

  /** The nodes of a kind that a caller reads, in the order of their ids, which is that of creation. */
  async readable(organization: string, caller: Caller, kind: TreeNode['kind']): Promise<Readable[]> {
    const reader = readerOf(caller, organization);
    return reader ? (await this.reach(organization)).readable(reader, kind) : [];
  }

  private async make(organization: string, { writes, note }: TreeChange): Promise<void> {
    const before = this.kept.peek(organization);
    try {
      await this.store.batch([...writes, treeChanged(organization)]);
    } catch (error) {
      if (error instanceof StoreDuplicate) throw new StoreConflict(error.collection);
      if (!(error instanceof StoreConflict)) this.changed(organization);
      throw error;
    }
    if (!note) return this.changed(organization);
    this.loading.get(organization)?.notes.push(note);
    const kept = this.kept.peek(organization);
    if (!kept) return;
    note(kept.tree);
    kept.version = kept === before ? kept.version + 1 : unknownVersion;
    kept.reach = undefined;
  }

  private async fresh(organization: string, maxAge = freshMs): Promise<Kept> {
    const kept = this.kept.get(organization);
    if (kept && (this.exclusive || Date.now() - kept.checkedAt < maxAge)) return kept;
    const known = this.loading.get(organization);
    if (known) return known.read;
    const loading: Loading = { read: this.read(organization, kept), notes: [] };
    this.loading.set(organization, loading);
    try {
      const read = withNotes(await loading.read, loading.notes);
      // Unless it was dropped meanwhile: good for those who asked before that, not to be kept.
      if (this.loading.get(organization) === loading) this.kept.set(organization, read);
      return read;
    } finally {
      if (this.loading.get(organization) === loading) this.loading.delete(organization);
    }
  }

  private async accessTo(id: string, kind: TreeNode['kind'], caller: Caller): Promise<Access | null> {
    const organization = await this.organizationOf(id, kind);
    if (!organization) return null;
    const tree = await this.treeWith(organization, id);
    const node = tree.get(id);
    if (!node || node.kind !== kind) return null;
    const state = node.deleted ? 'deleted' : 'active';
    if (caller.kind === 'content')
      return roleOfVisitor(caller, node, organization) ? { organization, role: 'read', state } : null;
    const reader = readerOf(caller, organization);
    return accessOf(caller, organization, reader && roleOn(tree, id, reader), state);
  }

  /** What a caller is on spaces of one organization, in the order of the ids; null where nothing. */
  async rolesOn(organization: string, caller: Caller, ids: string[]): Promise<(Role | null)[]> {
    const kept = await this.of(organization);
    const tree = ids.every((id) => kept.has(id)) ? kept : (await this.fresh(organization, 0)).tree;
    const reader = readerOf(caller, organization);
    return ids.map((id) => {
      const node = tree.get(id);
      if (node?.kind !== 'space') return null;
      if (caller.kind === 'content') return roleOfVisitor(caller, node, organization);
      return (reader && roleOn(tree, id, reader)) ?? null;
    });
  }

  /** Another process may have made it within the second that our tree is trusted. */
  private async treeWith(organization: string, id: string): Promise<ContentTree> {
    const tree = await this.of(organization);
    if (tree.has(id)) return tree;
    this.changed(organization);
    const read = await this.of(organization);
    if (!read.has(id)) this.organizations.delete(id);
    return read;
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

  private async read(organization: string, kept: Kept | undefined): Promise<Kept> {
    const checkedAt = Date.now();
    // Before the documents: what changes while they are read is read again.
    const version = (await this.store.get(trees, organization))?.version ?? 0;
    if (kept?.version === version) {
      kept.checkedAt = checkedAt;
      return kept;
    }
    const tree = await this.load(organization);
    return { tree, version, checkedAt, reach: undefined };
  }

  private async load(organization: string): Promise<Map<string, TreeNode>> {
    const tree = new Map<string, TreeNode>();
    const fields = ['parent', 'defaultLevel', 'creator'] as ('parent' | 'defaultLevel' | 'creator')[];
    for await (const found of eachDocument(this.store, collections, { organization }, fields))
      tree.set(found._id, nodeOf('collection', found));
    for await (const found of eachDocument(this.store, spaces, { organization }, [...fields, 'deletedAt']))
      tree.set(found._id, nodeOf('space', found));
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

/** Notes say how a node is now, so that those the tree holds already change nothing. */
function withNotes(read: Kept, notes: Note[]): Kept {
  if (notes.length === 0) return read;
  for (const note of notes) note(read.tree);
  read.version = unknownVersion;
  read.reach = undefined;
  return read;
}
