import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../../shared/store/sqlite/store.js';
import { newId } from '../../../../../shared/values/ids.js';
import { type RevisionDocument, revisions } from '../../../core/revisions/model.js';
import { RevisionCache } from '../../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../../core/revisions/revision-view.js';
import { contentCollections } from '../../../dependencies.js';
import { blobOid } from '../../../format/space/blob-oid.js';
import { GitFailure } from '../../git/command/failure.js';
import { historyBounds } from './bounds.js';
import { historyEntry, type RevisionFiles } from './history-entry.js';
import { runWithHistory } from './open-history.js';

let folder: string;
let scratchDir: string;
let store: Store;
const space = newId();
const ids = ['one', 'two', 'three', 'four'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-history-'));
  scratchDir = join(folder, 'scratch');
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, []);
  for (const [at, _id] of ids.entries()) await store.insert(revisions, revisionOf(_id, at));
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const revisionOf = (_id: string, at: number): RevisionDocument => ({
  _id,
  space,
  parents: [],
  type: 'edits',
  pages: [],
  files: [],
  reusable: [],
  primary: true,
  createdAt: `2026-11-29T12:00:0${at}.123Z`,
});

/** Each has a file that no other has, and one that only the present content has otherwise. */
const textsOf = (id: string): Map<string, string> =>
  new Map([
    [`content/${id}.md`, `${id} `.repeat(2000)],
    ['pages.ndjson', id === 'four' ? 'now\n' : 'then\n'],
  ]);

async function filesOf({ revision }: RevisionView): Promise<RevisionFiles> {
  const texts = textsOf(revision._id);
  return {
    oids: new Map([...texts].map(([path, text]) => [path, blobOid(text)])),
    read: async (path) => Buffer.from(texts.get(path) as string),
  };
}

interface Made {
  present?: string;
  files?: typeof filesOf;
  signal?: AbortSignal;
}

/** The bundle of a history; undefined where there is none. */
async function bundleOf({ present = 'four', files = filesOf, signal = AbortSignal.timeout(60_000) }: Made = {}) {
  const cache = new RevisionCache(store);
  const tip = await cache.get(space, present);
  const history = { path: 'history.bundle', tip, filesOf: files, names: new Map(), signal };
  let bundle: Buffer | undefined;
  for await (const { content } of historyEntry({ store, revisions: cache, scratchDir }, history)) {
    const pieces: Buffer[] = [];
    for await (const piece of content as AsyncIterable<Buffer>) pieces.push(piece);
    bundle = Buffer.concat(pieces);
  }
  return bundle;
}

/** The files of each revision, as an import reads them. */
async function readBack(bundle: Buffer | undefined) {
  if (!bundle) return undefined;
  const opening = { name: 'b', bundle: toPieces(bundle), scratchDir, signal: AbortSignal.timeout(60_000) };
  return runWithHistory(opening, async ({ states }) => {
    const read = [];
    for (const { revision, oids } of states()) read.push([revision.id, [...oids.keys()].sort()]);
    return read;
  });
}

async function* toPieces(bundle: Buffer) {
  for (let at = 0; at < bundle.length; at += 10) yield bundle.subarray(at, at + 10);
}

const read = (id: string) => [id, [`content/${id}.md`, 'pages.ndjson']];

async function withBounds<T>(changed: Partial<typeof historyBounds>, run: () => Promise<T>): Promise<T> {
  const bounds = { ...historyBounds };
  try {
    Object.assign(historyBounds, changed);
    return await run();
  } finally {
    Object.assign(historyBounds, bounds);
  }
}

describe('the history of a space as a bundle', () => {
  afterEach(async () => {
    expect(await readdir(scratchDir)).toEqual([]);
  });

  it('has each revision up to the present one, and the same bytes each time', async () => {
    const bundle = await bundleOf();
    expect(await readBack(bundle)).toEqual(ids.map(read));
    expect(bundle?.equals((await bundleOf()) as Buffer)).toBe(true);
    expect(await readBack(await bundleOf({ present: 'two' }))).toEqual([read('one'), read('two')]);
  });

  it.each<[string, Partial<typeof historyBounds>, string[] | undefined]>([
    ['revisions', { revisions: 2 }, ['three', 'four']],
    ['bytes', { bytes: 23_000 }, ['three', 'four']],
    ['bytes in the present one', { bytes: 9000 }, undefined],
    ['files in them', { changes: 6 }, ['three', 'four']],
    ['files in the first of them', { changes: 1 }, undefined],
  ])('has the latest revisions alone where there are more %s than it may have', async (_, bounds, expected) => {
    await withBounds(bounds, async () => expect(await readBack(await bundleOf())).toEqual(expected?.map(read)));
  });

  it('lacks an earlier revision that goes into no folder', async () => {
    const failing = (id: string) => async (view: RevisionView) => {
      if (view.revision._id === id) throw new GitFailure('conflict', 'a file is where a folder has to be');
      return filesOf(view);
    };
    const made = await readBack(await bundleOf({ files: failing('two') }));
    expect(made).toEqual(['one', 'three', 'four'].map(read));
    await expect(bundleOf({ files: failing('four') })).rejects.toThrow('a file is where a folder has to be');
  });

  it('leaves nothing behind when it fails or is ended', async () => {
    const files = async () => {
      throw new Error('no files');
    };
    await expect(bundleOf({ files })).rejects.toThrow('no files');
    const ended = new AbortController();
    const ending = async (view: RevisionView) => {
      ended.abort(new Error('ended'));
      return filesOf(view);
    };
    await expect(bundleOf({ files: ending, signal: ended.signal })).rejects.toThrow('ended');
  });
});
