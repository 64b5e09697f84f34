import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { FileEntry, ReusableEntry } from '../../core/revisions/model.js';
import { top } from '../../core/revisions/page-tree.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { findDifferingItems, findPageDifferences } from '../../core/revisions/view-differences.js';
import { completeLayout } from '../../format/space/front-matter/front-matter.js';
import { downloadURL, type Presentation, presentCover, presentTarget } from '../../reading/pages/pages.js';
import { inOrder, movedPages, parentIn } from '../merging/page-places.js';
import type { PageAttributes, SemanticChange } from './resources.js';

/** Two revisions that are compared. */
export interface ComparedViews {
  presentation: Presentation;
  before: RevisionView;
  after: RevisionView;
}

type ChangedPage = Extract<SemanticChange, { type: 'page_created' }>['page'];

/** Yields the differences between two revisions, in the order of the later one; deletions come after the rest of their kind. */
export function* semanticChanges(compared: ComparedViews): Generator<SemanticChange> {
  yield* pageChanges(compared);
  yield* fileChanges(compared);
  yield* reusableChanges(compared);
  yield* variableChanges(compared);
}

const shownPage = ({ id, type, title, path }: PageEntry): ChangedPage => ({
  id,
  type,
  title,
  ...(type === 'document' || type === 'group' ? { path } : {}),
});

function* pageChanges({ presentation, before, after }: ComparedViews): Generator<SemanticChange> {
  const { added, removed } = findPageDifferences(before, after.pages);
  const moved = movedPages(before, after, [top, ...added.map(({ page }) => page.id)]);
  const touched = new Set([...added.map(({ page }) => page.id), ...moved]);
  for (const page of inOrder(after, touched)) {
    const earlier = before.pageById.get(page.id);
    if (!earlier) {
      yield { type: 'page_created', page: shownPage(page) };
      continue;
    }
    const attributes = attributesOf({ presentation, before, after }, earlier, page);
    if (attributes) yield { type: 'page_edited', page: shownPage(page), attributes };
    if (moved.has(page.id))
      yield { type: 'page_moved', page: shownPage(page), parent: parentsOf(before, after, page.id) };
  }
  const gone = new Set(removed.map(({ id }) => id));
  for (const page of inOrder(before, gone)) yield { type: 'page_deleted', page: shownPage(page) };
}

function parentsOf(before: RevisionView, after: RevisionView, id: string) {
  const parent = (view: RevisionView) => {
    const page = view.pageById.get(parentIn(view, id));
    return page && shownPage(page);
  };
  const [was, is] = [parent(before), parent(after)];
  return { ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) };
}

const plainNames = [
  'title',
  'description',
  'slug',
  'document',
  'emoji',
  'icon',
  'variables',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
] as const;

const shownLayout = ({ layout }: PageEntry) => layout && completeLayout(layout);

/** The attributes in which a page differs; undefined where it does in none. */
export function attributesOf(
  { before, after }: ComparedViews,
  earlier: PageEntry,
  page: PageEntry,
): PageAttributes | undefined {
  const pairs: [string, unknown, unknown][] = plainNames.map((name) => [name, earlier[name], page[name]]);
  if (!isDeepStrictEqual(earlier.layout, page.layout)) pairs.push(['layout', shownLayout(earlier), shownLayout(page)]);
  if (!isDeepStrictEqual(earlier.cover, page.cover))
    pairs.push(['cover', presentCover(before, earlier).cover, presentCover(after, page).cover]);
  if (!isDeepStrictEqual(earlier.target, page.target))
    pairs.push(['target', presentTarget(before, earlier).target, presentTarget(after, page).target]);
  return changedPairs(pairs) as PageAttributes | undefined;
}

function changedPairs(pairs: [name: string, before: unknown, after: unknown][]): object | undefined {
  const changed = pairs.filter(([, before, after]) => !isDeepStrictEqual(before, after));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map(([name, before, after]) => [name, beforeAfter(before, after)]));
}

const beforeAfter = (before: unknown, after: unknown) => omitUndefined({ before, after });

/** The items that two lists do not have in common, with what became of each. */
export function* itemChanges<T extends { id: string }>(
  earlier: readonly T[],
  later: readonly T[],
): Generator<{ before?: T; after?: T }> {
  const only = findDifferingItems(earlier, later);
  const was = new Map(only.earlier.map((item) => [item.id, item]));
  const is = new Set(only.later.map(({ id }) => id));
  for (const after of only.later) {
    const before = was.get(after.id);
    if (!isDeepStrictEqual(before, after)) yield { ...(before ? { before } : {}), after };
  }
  for (const before of only.earlier) if (!is.has(before.id)) yield { before };
}

function* fileChanges({ presentation, before, after }: ComparedViews): Generator<SemanticChange> {
  const toShown = (file: FileEntry) => {
    const { id, name, contentType } = file;
    return { id, name, contentType, downloadURL: downloadURL(presentation, file) };
  };
  for (const { before: was, after: is } of itemChanges(before.files, after.files)) {
    if (!was && is) yield { type: 'file_created', file: toShown(is) };
    if (was && !is) yield { type: 'file_deleted', file: toShown(was) };
    if (!was || !is) continue;
    const attributes = changedPairs([
      ['name', was.name, is.name],
      ['downloadURL', toShown(was).downloadURL, toShown(is).downloadURL],
      ['size', was.size, is.size],
      ['contentType', was.contentType, is.contentType],
      ['dimensions', was.dimensions, is.dimensions],
    ]);
    if (attributes) yield { type: 'file_edited', file: toShown(is), attributes };
  }
}

function* reusableChanges({ before, after }: ComparedViews): Generator<SemanticChange> {
  const toShown = ({ id, title, document }: ReusableEntry) => ({ id, title, document });
  for (const { before: was, after: is } of itemChanges(before.reusable, after.reusable)) {
    if (!was && is) yield { type: 'reusable_content_created', reusableContent: toShown(is) };
    if (was && !is) yield { type: 'reusable_content_deleted', reusableContent: toShown(was) };
    if (!was || !is) continue;
    const attributes = changedPairs([
      ['title', was.title, is.title],
      ['document', was.document, is.document],
    ]);
    if (attributes) yield { type: 'reusable_content_edited', reusableContent: toShown(is), attributes };
  }
}

function* variableChanges({ before, after }: ComparedViews): Generator<SemanticChange> {
  const [was, is] = [before.revision.variables ?? {}, after.revision.variables ?? {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = changedPairs(names.map((name) => [name, was[name], is[name]]));
  if (changed) yield { type: 'variables_edited', variables: changed as Record<string, object> };
}
