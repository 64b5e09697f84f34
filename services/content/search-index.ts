import type { Store } from '../../shared/store/port.js';
import { sectionsUnder } from './format/sections.js';
import { documentId, pageDocuments, pageSearch, type Section, spaces } from './model.js';
import type { PageWork } from './page-work.js';
import { eachPageOf, type PageEntry, type Revisions, type RevisionView } from './revisions.js';

const indexedAtOnce = 40;

export interface IndexRules {
  store: Store;
  work: PageWork;
  revisions: Revisions;
}

/** Brings the search index of a space up to its primary content; the space remembers how far it came. */
export async function indexPrimary(
  { store, work, revisions }: IndexRules,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const space = await store.get(spaces, id, { fields: ['revision', 'indexed'] });
  if (!space || space.indexed === space.revision) return;
  const before = space.indexed === undefined ? null : await revisions.get(id, space.indexed);
  await indexChanges(store, work, before, await revisions.get(id, space.revision), signal);
  await store.update(spaces, { _id: id }, { $set: { indexed: space.revision } });
}

/** Pages whose text a search may find; hidden ones are reachable by their address alone, not by search of the index. */
const isIndexed = (page: PageEntry) => page.type === 'document' && !page.noIndex;

/** The words of a page that the index holds change with these. */
const indexedState = ({ document, title, description }: PageEntry) => JSON.stringify([document, title, description]);

/** Brings the index of a space from one revision to another: what differs, in small steps. */
async function indexChanges(
  store: Store,
  work: PageWork,
  before: RevisionView | null,
  after: RevisionView,
  signal?: AbortSignal,
): Promise<void> {
  const space = after.revision.space;
  const old = new Map(
    [...eachPageOf(before?.pages ?? [])].filter(isIndexed).map((page) => [page.id, indexedState(page)]),
  );
  const wanted = [...eachPageOf(after.pages)].filter(isIndexed);
  const changed = wanted.filter((page) => old.get(page.id) !== indexedState(page));
  const kept = new Set(wanted.map(({ id }) => id));
  const removed = [...old.keys()].filter((id) => !kept.has(id));
  for (let start = 0; start < changed.length; start += indexedAtOnce) {
    signal?.throwIfAborted();
    const part = changed.slice(start, start + indexedAtOnce);
    await store.indexEntries(pageSearch, space, await entriesOf(store, work, space, part));
  }
  if (removed.length > 0) await store.indexEntries(pageSearch, space, [], removed);
}

/** The sections of pages as their readers see them, by the id of the page. */
export async function sectionsOf(store: Store, space: string, pages: PageEntry[]): Promise<Map<string, Section[]>> {
  const idOf = ({ document }: PageEntry) => documentId(space, document ?? '');
  const ids = [...new Set(pages.filter(({ document }) => document !== undefined).map(idOf))];
  const documents = await store.getMany(pageDocuments, ids, { fields: ['sections'] });
  const stored = new Map(documents.map(({ _id, sections }) => [_id, sections]));
  return new Map(pages.map((page) => [page.id, sectionsUnder(page.title, stored.get(idOf(page)) ?? [])]));
}

async function entriesOf(store: Store, work: PageWork, space: string, pages: PageEntry[]) {
  const sections = await sectionsOf(store, space, pages);
  return work.entries(
    pages.map(({ id, title, description = '' }) => ({ id, title, description, sections: sections.get(id) ?? [] })),
  );
}
