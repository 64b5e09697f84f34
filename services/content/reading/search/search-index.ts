import type { Store } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { spaces } from '../../core/nodes/model.js';
import { documentId, headingOrTitle, pageDocuments, pageSearch } from '../../core/revisions/model.js';
import type { RevisionCache } from '../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { findPageDifferences } from '../../core/revisions/view-differences.js';
import { sectionsUnderTitle } from '../../format/document/sections.js';
import type { PageSection } from '../../format/document/stored-page.js';
import type { PageWork } from '../../format/workers/page-work.js';
import type { IndexedPage } from '../../format/workers/page-worker.js';

/** Limits of one step of indexing: pages, and the characters that they have together unless one has more. */
const atOnce = { pages: 16, length: 1_000_000 };

interface Dependencies {
  store: Store;
  work: PageWork;
  revisions: RevisionCache;
}

const nothing: Pick<RevisionView, 'pages' | 'pageById'> = { pages: [], pageById: new Map() };

/**
 * Brings the search index of a space up to its primary content. Several may do so at once: one that another overtook writes its
 * pages again as they are by then, so that the index ends with the latest content.
 */
export async function indexPrimary(
  deps: Dependencies,
  { space: id, signal }: { space: string; signal?: AbortSignal },
): Promise<void> {
  const { store, revisions } = deps;
  /** The revision that this run has written, unless it is the one on record. */
  let written: string | undefined;
  for (;;) {
    const space = await store.get(spaces, id, { fields: ['organization', 'revision', 'indexed'] });
    if (!space) return;
    const { organization, revision, indexed } = space;
    const from = written ?? indexed;
    if (from === revision && indexed === revision) return;
    const before = from === undefined ? undefined : await revisions.find(id, from);
    // Without the revision that it was made from, it is not known which entries are out of date.
    if (from !== undefined && !before) await store.dropScope(pageSearch, id);
    await indexChanges(deps, { organization, before, after: await revisions.get(id, revision), signal });
    const recorded = await store.update(spaces, { _id: id, indexed: indexed ?? null }, { $set: { indexed: revision } });
    written = recorded ? undefined : revision;
  }
}

/** Whether a search may find a page. */
const isIndexed = (page: PageEntry) => page.type === 'document' && !page.noIndex;

/** The fields that the indexed words of a page are made from, as one string to compare. */
const indexedState = ({ document, title, heading, description }: PageEntry) =>
  JSON.stringify([document, title, heading, description]);

/** Indexes what differs between two revisions, in small steps. */
async function indexChanges(
  { store, work }: Pick<Dependencies, 'store' | 'work'>,
  {
    organization,
    before = nothing,
    after,
    signal,
  }: {
    organization: string;
    before: Pick<RevisionView, 'pages' | 'pageById'> | undefined;
    after: RevisionView;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  const space = after.revision.space;
  const differences = findPageDifferences(before, after.pages);
  const changed: PageEntry[] = [];
  const removed = differences.removed.filter(isIndexed).map(({ id }) => id);
  await eachInSlices(differences.added, ({ page }) => {
    const earlier = before.pageById.get(page.id);
    const was = earlier && isIndexed(earlier) ? indexedState(earlier) : undefined;
    if (!isIndexed(page)) {
      if (was !== undefined) removed.push(page.id);
    } else if (was !== indexedState(page)) changed.push(page);
  });
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
export async function sectionsIn(store: Store, space: string, pages: PageEntry[]): Promise<Map<string, PageSection[]>> {
  const idOf = ({ document }: PageEntry) => documentId(space, document ?? '');
  const ids = [...new Set(pages.filter(({ document }) => document !== undefined).map(idOf))];
  const documents = await store.getMany(pageDocuments, ids, { fields: ['sections'] });
  const stored = new Map(documents.map(({ _id, sections }) => [_id, sections]));
  return new Map(
    pages.map((page) => [page.id, sectionsUnderTitle(headingOrTitle(page), stored.get(idOf(page)) ?? [])]),
  );
}

async function withSections(store: Store, space: string, pages: PageEntry[]): Promise<IndexedPage[]> {
  const sections = await sectionsIn(store, space, pages);
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
