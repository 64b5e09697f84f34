import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { runs } from '../../../../shared/testing/runs.js';
import { newId } from '../../../../shared/values/ids.js';
import { contentCollections } from '../../dependencies.js';
import { spaces } from '../nodes/model.js';
import { newSpace } from '../spaces/new-space.js';
import { Ledger } from '../storage/ledger.js';
import { commitRevision, primaryMoveWrite } from './commit.js';
import { chunks, pageSearch, type RevisionDocument } from './model.js';
import { type OwnFields, PageTree, top } from './page-tree.js';
import { RevisionCache } from './revision-cache.js';
import { eachPageOf, type PageEntry, type RevisionView } from './revision-view.js';

let folder: string;
let store: Store;
let ledger: Ledger;
let space: string;
const organization = newId();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-edits-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
  ledger = new Ledger(store, openFolderBlobs(join(folder, 'blobs')), 0);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
async function freshSpace() {
  const made = newSpace({ organization, creator: 'ada' });
  space = made.space._id;
  await store.batch(made.writes);
  await ledger.openUsage({ organization, space });
}
beforeEach(freshSpace);

let made = 0;
const page = (slug: string, fields: Partial<OwnFields> = {}): OwnFields => {
  const id = `p${made++}`;
  return { id, type: 'document', title: slug, slug, path: '', git: { oid: id, path: `${id}.md` }, ...fields };
};

/** Makes a revision of the changed tree, as a writer does. */
async function committed(revisions: RevisionCache, change: (tree: PageTree, view: RevisionView) => void) {
  const before = await revisions.current(space);
  const tree = new PageTree(before);
  change(tree, before);
  return commitRevision(
    { store, ledger, revisions },
    {
      organization,
      space,
      before,
      content: { pages: tree.buildPages() },
      sweeps: 0,
      fields: { parents: [before.revision._id], type: 'edits', primary: true },
      writes: (to) => [primaryMoveWrite({ space, from: before.revision._id, to })],
    },
  );
}

/** All that readers find in a view, in an order of its own. */
const foundIn = (view: RevisionView) => ({
  pages: view.pages,
  ids: [...view.pageById].sort(([a], [b]) => (a < b ? -1 : 1)),
  parents: [...view.parentById].sort(),
  paths: [...view.pageByPath].map(([path, { id }]) => [path, id]).sort(),
  files: [...view.pageByFile].map(([path, { id }]) => [path, id]).sort(),
  conditional: view.conditional.map(({ id }) => id).sort(),
});

const storedChunks = async () => (await store.count(chunks, { space })) as number;

const edits = fc.array(
  fc.record({
    what: fc.constantFrom('insert', 'insert', 'move', 'remove', 'title', 'slug', 'condition'),
    page: fc.nat(),
    parent: fc.nat(),
    at: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
    slug: fc.constantFrom('a', 'b', 'c', 'd'),
  }),
  { minLength: 1, maxLength: 12 },
);

function apply(
  tree: PageTree,
  known: string[],
  edit: { what: string; page: number; parent: number; at?: number | undefined; slug: string },
) {
  const alive = known.filter((id) => tree.page(id));
  const id = alive[edit.page % Math.max(1, alive.length)];
  const parent = [top, ...alive][edit.parent % (alive.length + 1)] as string;
  const own = id === undefined ? undefined : tree.page(id);
  if (edit.what === 'insert' || !own || id === undefined) {
    const added = page(edit.slug);
    known.push(added.id);
    return tree.insert(added, parent, edit.at);
  }
  if (edit.what === 'remove') return tree.remove(id);
  if (edit.what === 'title') return tree.replace({ ...own, title: `${edit.slug}!` });
  if (edit.what === 'slug') return tree.replace({ ...own, slug: edit.slug });
  if (edit.what === 'condition') return tree.replace({ ...own, condition: edit.slug });
  if (parent !== id && ![...tree.ancestorsOf(parent)].includes(id)) tree.move(id, parent, edit.at);
}

test('whatever is edited, the kept revision is the stored one, for a process that knows another and for one that knows none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 5 }), async (rounds) => {
      await freshSpace();
      const revisions = new RevisionCache(store);
      const follower = new RevisionCache(store);
      await follower.current(space);
      const known: string[] = [...(await revisions.current(space)).pageById.keys()];
      for (const round of rounds) {
        await committed(revisions, (tree) => {
          for (const edit of round) apply(tree, known, edit);
        });
        const kept = foundIn(await revisions.current(space));
        expect(kept).toEqual(foundIn(await new RevisionCache(store).current(space)));
        expect(kept).toEqual(foundIn(await follower.current(space)));
        for (const { path, pages, id } of eachPageOf(kept.pages as PageEntry[])) {
          expect(path).toMatch(/^[a-d](\/[a-d])*$/);
          for (const below of pages) expect(below.path).toBe(`${path}/${below.slug}`);
          expect(new Map(kept.ids).get(id)).toBeDefined();
        }
      }
    }),
    { numRuns: runs(4) },
  );
});

describe('a change in a long list', () => {
  const many = 1200;
  const ids: string[] = [];
  const revisions = () => new RevisionCache(store);
  let cache: RevisionCache;
  beforeEach(async () => {
    cache = revisions();
    ids.length = 0;
    await committed(cache, (tree) => {
      for (let each = 0; each < many; each++) {
        const added = page(`s${each}`);
        ids.push(added.id);
        tree.insert(added, top);
      }
    });
  });

  const added = async (change: (tree: PageTree) => void): Promise<[number, RevisionDocument]> => {
    const before = await storedChunks();
    const revision = await committed(cache, change);
    return [(await storedChunks()) - before, revision];
  };

  it('stores one chunk for an update, a deletion and an insertion, at most two where one is full', async () => {
    const own = (tree: PageTree, at: number) => tree.page(ids[at] as string) as OwnFields;
    expect((await added((tree) => tree.replace({ ...own(tree, 600), title: 'New' })))[0]).toBe(1);
    expect((await added((tree) => tree.remove(ids[10] as string)))[0]).toBe(1);
    expect((await added((tree) => tree.insert(page('x'), top, 3)))[0]).toBe(1);
    let most = 0;
    for (let each = 0; each < 30; each++)
      most = Math.max(most, (await added((tree) => tree.insert(page(`y${each}`), top, 0)))[0]);
    expect(most).toBeLessThanOrEqual(2);
    const whole = await revisions().current(space);
    expect(whole.revision.pages.length).toBeLessThan(8);
    expect(whole.pages.length).toBe(many + 30);
    expect(whole.pages).toEqual((await cache.current(space)).pages);
  });

  it('is read by another process chunk by chunk, also after it read another revision', async () => {
    const follower = revisions();
    const first = await follower.current(space);
    await added((tree) => tree.replace({ ...(tree.page(ids[0] as string) as OwnFields), title: 'New' }));
    const second = await follower.current(space);
    expect(second.pages[0]?.title).toBe('New');
    expect(second.pages[700]).toBe(first.pages[700]);
    expect(second.pageById.get(ids[700] as string)).toBe(first.pages[700]);
    expect((await store.get(spaces, space))?.revision).toBe(second.revision._id);
  });

  it('collects few small chunks when pages are added at the end one by one', async () => {
    let last: RevisionDocument | undefined;
    for (let each = 0; each < 60; each++) [, last] = await added((tree) => tree.insert(page(`z${each}`), top));
    expect(last?.pages.length).toBeLessThanOrEqual(9);
  });
});
