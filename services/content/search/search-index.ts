import { type Store, type Write, write } from '../../../shared/store/port.js';
import { eachInSlices } from '../../../shared/work/slices.js';
import type { ContentDependencies } from '../dependencies.js';
import { sectionsUnder } from '../format/document/sections.js';
import type { IndexedPage } from '../page-work/page-worker.js';
import { documentId, pageDocuments, pageSearch, type Section } from '../revisions/model.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../revisions/revision-view.js';
import { type SpaceDocument, spaces } from '../tree/model.js';

/** What is indexed at once: so many pages, which have so many characters together unless one has more. */
const atOnce = { pages: 16, length: 1_000_000 };

type Dependencies = Pick<ContentDependencies, 'store' | 'work' | 'revisions'>;

/**
 * Brings the search index of a space up to its primary content. Returns the writes that record it on the space, for the batch
 * of the caller; none when the index was up to date. Until they are written, the same step can run again.
 */
export async function indexPrimary(
  deps: Dependencies,
  {
    space,
    signal,
  }: { space: Pick<SpaceDocument, '_id' | 'organization' | 'revision' | 'indexed'>; signal?: AbortSignal },
): Promise<Write[]> {
  const { _id, organization, revision, indexed } = space;
  if (indexed === revision) return [];
  const { revisions } = deps;
  const before = indexed === undefined ? null : await revisions.get(_id, indexed);
  await indexChanges(deps, { organization, before, after: await revisions.get(_id, revision), signal });
  return [write.update(spaces, { _id, revision }, { $set: { indexed: revision } })];
}

/** Whether a search may find a page. */
const isIndexed = (page: PageEntry) => page.type === 'document' && !page.noIndex;

/** What the indexed words of a page are made from. */
const indexedState = ({ document, title, description }: PageEntry) => JSON.stringify([document, title, description]);

/** Indexes what differs between two revisions, in small steps. */
async function indexChanges(
  { store, work }: Dependencies,
  {
    organization,
    before,
    after,
    signal,
  }: { organization: string; before: RevisionView | null; after: RevisionView; signal: AbortSignal | undefined },
): Promise<void> {
  const space = after.revision.space;
  const old = new Map<string, string>();
  const kept = new Set<string>();
  const changed: PageEntry[] = [];
  await eachInSlices(eachPageOf(before?.pages ?? []), (page) => {
    if (isIndexed(page)) old.set(page.id, indexedState(page));
  });
  await eachInSlices(eachPageOf(after.pages), (page) => {
    if (!isIndexed(page)) return;
    kept.add(page.id);
    if (old.get(page.id) !== indexedState(page)) changed.push(page);
  });
  const removed = [...old.keys()].filter((id) => !kept.has(id));
  let size = 1;
  for (let start = 0; start < changed.length; ) {
    const part = await withSections(store, space, changed.slice(start, start + size));
    for (const pages of partsOf(part)) {
      signal?.throwIfAborted();
      await store.indexEntries(pageSearch, space, await work.entries(pages, organization));
    }
    start += size;
    const length = part.reduce((sum, page) => sum + lengthOf(page), 0);
    size = length < atOnce.length ? Math.min(2 * size, atOnce.pages) : 1;
  }
  if (removed.length > 0) await store.indexEntries(pageSearch, space, [], removed);
}

/** The stored sections of pages, by the id of the page. */
export async function sectionsOf(store: Store, space: string, pages: PageEntry[]): Promise<Map<string, Section[]>> {
  const idOf = ({ document }: PageEntry) => documentId(space, document ?? '');
  const ids = [...new Set(pages.filter(({ document }) => document !== undefined).map(idOf))];
  const documents = await store.getMany(pageDocuments, ids, { fields: ['sections'] });
  const stored = new Map(documents.map(({ _id, sections }) => [_id, sections]));
  return new Map(pages.map((page) => [page.id, sectionsUnder(page.title, stored.get(idOf(page)) ?? [])]));
}

async function withSections(store: Store, space: string, pages: PageEntry[]): Promise<IndexedPage[]> {
  const sections = await sectionsOf(store, space, pages);
  return pages.map(({ id, title, description = '' }) => ({
    id,
    title,
    description,
    sections: sections.get(id) ?? [],
  }));
}

const lengthOf = ({ sections }: IndexedPage): number =>
  sections.reduce((length, { text }) => length + text.length + 100, 0);

function* partsOf(pages: IndexedPage[]): Generator<IndexedPage[]> {
  let part: IndexedPage[] = [];
  let room = atOnce.length;
  for (const page of pages) {
    const length = lengthOf(page);
    if (part.length > 0 && length > room) {
      yield part;
      part = [];
      room = atOnce.length;
    }
    part.push(page);
    room -= length;
  }
  yield part;
}
