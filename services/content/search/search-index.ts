import { type Store, type Write, write } from '../../../shared/store/port.js';
import type { ContentDependencies } from '../dependencies.js';
import { sectionsUnder } from '../format/document/sections.js';
import { documentId, pageDocuments, pageSearch, type Section } from '../revisions/model.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../revisions/revision-view.js';
import { type SpaceDocument, spaces } from '../tree/model.js';

const indexedAtOnce = 16;

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
    await store.indexEntries(pageSearch, space, await entriesOf({ store, work }, { organization, space, pages: part }));
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

async function entriesOf(
  { store, work }: Pick<Dependencies, 'store' | 'work'>,
  { organization, space, pages }: { organization: string; space: string; pages: PageEntry[] },
) {
  const sections = await sectionsOf(store, space, pages);
  return work.entries(
    pages.map(({ id, title, description = '' }) => ({ id, title, description, sections: sections.get(id) ?? [] })),
    organization,
  );
}
