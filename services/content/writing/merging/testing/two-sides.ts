import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../../shared/blobs/folder.js';
import type { Blobs } from '../../../../../shared/blobs/port.js';
import { system } from '../../../../../shared/contract/caller.js';
import type { Store } from '../../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../../shared/store/sqlite/store.js';
import { newId } from '../../../../../shared/values/ids.js';
import { ContentTreeCache } from '../../../core/access/tree/content-tree-cache.js';
import { commitRevision } from '../../../core/revisions/commit.js';
import { type ContentChanges, deriveView } from '../../../core/revisions/derived-view.js';
import { documentId, pageDocuments, pageSearch, type RevisionDocument } from '../../../core/revisions/model.js';
import { pageMetaFields } from '../../../core/revisions/page-fields.js';
import { type OwnFields, PageTree, top } from '../../../core/revisions/page-tree.js';
import { RevisionCache } from '../../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../../core/revisions/revision-view.js';
import { newSpace } from '../../../core/spaces/new-space.js';
import { Ledger } from '../../../core/storage/ledger.js';
import { contentCollections } from '../../../dependencies.js';
import { workHere as work } from '../../../format/workers/testing/work-here.js';
import type { Change } from '../../changes/content-draft.js';
import { PageSources } from '../../changes/page-sources.js';
import { freeSlug } from '../../changes/placement.js';
import { writeContent } from '../../changes/write-content.js';
import { mergeContent } from '../merge-content.js';
import type { MergeSide } from '../resources.js';

export type Choices = ReadonlyMap<string, MergeSide>;

/** A space in a store of its own, whose content two sides change; the hooks of the test file open and remove it. */
export function twoSides() {
  const organization = newId();
  let folder: string;
  let store: Store;
  let ledger: Ledger;
  let blobs: Blobs;
  let space: string;
  let revisions: RevisionCache;
  const deps = () => ({
    store,
    ledger,
    blobs,
    revisions,
    trees: new ContentTreeCache(store, true),
    work,
    baseUrl: 'http://localhost',
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-merging-'));
    store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
    await store.prepare(contentCollections, [pageSearch]);
    blobs = openFolderBlobs(join(folder, 'blobs'));
    ledger = new Ledger(store, blobs, 0);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** An empty space; its content. */
  async function fresh(): Promise<RevisionView> {
    const made = newSpace({ organization, creator: 'ada' });
    space = made.space._id;
    revisions = new RevisionCache(store);
    await store.batch(made.writes);
    await ledger.openUsage({ organization, space });
    return revisions.current(space);
  }

  /** Makes a revision, and reads it. */
  async function commit(
    before: RevisionView,
    content: ContentChanges,
    fields: Partial<RevisionDocument> = {},
  ): Promise<RevisionView> {
    const { _id } = await commitRevision(deps(), {
      organization,
      space,
      before,
      content,
      sweeps: 0,
      fields: { parents: [before.revision._id], type: 'edits', ...fields },
      writes: () => [],
    });
    return revisions.get(space, _id);
  }

  /** Pages as an import leaves them; those without a source are groups and links. Parents come first. */
  async function withPages(
    pages: readonly { page: Pick<OwnFields, 'id' | 'type' | 'title' | 'slug'>; parent: string; source?: string }[],
  ): Promise<RevisionView> {
    const before = await fresh();
    const tree = new PageTree(before);
    const sources = new PageSources(deps(), { organization, space });
    for (const { page, parent, source } of pages) {
      const slug = page.type === 'link' ? page.slug : freeSlug(tree, page.slug, { parent });
      const made = source === undefined ? undefined : await sources.write(page.id, { source, edits: {} });
      tree.insert({ ...page, slug, path: '', ...(made ? pageMetaFields(made.meta) : {}) }, parent);
    }
    await sources.store(tree, undefined);
    return commit(before, { pages: tree.buildPages() });
  }

  /** Applies one change by the rules of writers, without making a revision; the same view for one that they refuse. */
  async function written(tip: RevisionView, base: RevisionView, change: Change): Promise<RevisionView> {
    const changes = [change];
    const about = {
      organization,
      caller: system,
      space,
      tip,
      base: base.revision._id,
      seen: undefined,
      files: new Map(),
    };
    try {
      const { content } = await writeContent(deps(), { ...about, changes });
      return content ? await deriveView(tip, tip.revision, content) : tip;
    } catch (error) {
      if (['INVALID', 'CONFLICT'].includes((error as { type?: string }).type ?? '')) return tip;
      throw error;
    }
  }

  async function sourceOf(view: RevisionView, page: string): Promise<string> {
    const document = view.pageById.get(page)?.document;
    return document === undefined ? '' : stored(document);
  }

  const stored = async (document: string): Promise<string> =>
    (await store.get(pageDocuments, documentId(space, document)))?.source ?? '';

  interface Three {
    base: RevisionView;
    primary: RevisionView;
    changeRequest: RevisionView;
  }

  const merge = (views: Three, choices: Choices = new Map()) =>
    mergeContent(deps(), { organization, space, views, choices });

  /** The merged content as a revision. */
  const committed = async (views: Three, choices?: Choices): Promise<RevisionView> => {
    const made = await merge(views, choices);
    expect(made.conflicts).toEqual([]);
    const { content, fields } = await made.store();
    return commit(views.primary, content, fields);
  };

  /** The revision as a process reads it that has none in memory. */
  const reread = (view: RevisionView) => new RevisionCache(store).get(space, view.revision._id);
  const documents = () => store.count(pageDocuments, { space });

  return { top, fresh, commit, withPages, written, sourceOf, stored, merge, committed, reread, documents };
}

export type TwoSides = ReturnType<typeof twoSides>;
