import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasStore, Write } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { contentChanged } from '../../core/events.js';
import { type Commit, commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import type { ContentChanges } from '../../core/revisions/derived-view.js';
import type { RedirectEntry, RevisionDocument } from '../../core/revisions/model.js';
import { specReplacingPage } from '../../core/revisions/references.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import {
  eachPageOf,
  hasPath,
  indexPage,
  type PageEntry,
  pathKey,
  type RevisionView,
} from '../../core/revisions/revision-view.js';
import { findPageDifferences, type PageDifferences } from '../../core/revisions/view-differences.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { redirectKey } from '../../format/space/paths.js';
import { specUseWrites } from '../../openapi/pages/spec-uses.js';
import { type HasIndexer, indexLater } from '../../reading/search/indexer.js';

export interface PrimaryCommit extends Omit<Commit, 'writes' | 'before'> {
  /** The content of the space, in whose place the new one comes. */
  primary: RevisionView;
  before: RevisionView;
  /** The installation that makes it, if any. */
  installation?: string | undefined;
  /** Further conditions and writes, given the new revision. */
  writes(revision: RevisionDocument): Write[];
}

/**
 * Makes new content of a space: the former paths of pages lead to where they are now, consumers get an event, and it is indexed. Returns
 * the id of the revision. Throws StoreConflict when the space has other content by now.
 */
export async function commitPrimary(
  deps: HasStore & HasOutbox & HasJobs & HasRevisions & HasLedger & HasIndexer,
  { primary, before, installation, content = {}, fields, writes, ...commit }: PrimaryCommit,
): Promise<string> {
  const { outbox, jobs, indexer } = deps;
  const { organization, space } = commit;
  const { added } = findPageDifferences(primary, content.pages ?? before.pages);
  const redirects = redirectsAfter(primary, { before, content, added });
  const specs = newSpecs(primary, added);
  const { _id } = await commitRevision(deps, {
    ...commit,
    before,
    content: { ...content, ...(redirects ? { redirects } : {}) },
    fields: { ...fields, primary: true },
    writes: (to) => [
      primaryMoveWrite({ space, from: primary.revision._id, to }),
      outbox.add(contentChanged, { organization, space, revision: to._id, installation }),
      indexLater(jobs, { space, revision: to._id }),
      ...specs.flatMap((spec) => specUseWrites(jobs, { organization, space, spec })),
      ...writes(to),
    ],
  });
  indexer.soon(space, _id);
  return _id;
}

/** The pages that differ between the primary content and what takes its place. */
type Added = PageDifferences['added'];

/** The specifications whose pages new content has and the primary content has not. */
const newSpecs = (primary: RevisionView, added: Added): string[] => [
  ...new Set(
    added.flatMap(({ page }) => {
      const spec = specReplacingPage(page);
      const before = primary.pageById.get(page.id);
      return spec === undefined || (before && specReplacingPage(before) === spec) ? [] : [spec];
    }),
  ),
];

/** Redirects that a space keeps; of those from former paths, the oldest go. */
const maxRedirects = 10_000;

/**
 * The redirects of new primary content: from each path that a page had before and has no more, besides those there are. Undefined
 * where no path changed.
 */
function redirectsAfter(
  primary: RevisionView,
  { before, content, added }: { before: RevisionView; content: ContentChanges; added: Added },
): RedirectEntry[] | undefined {
  const { redirects: known = [...before.redirects.values()] } = content;
  const former = newlyFormer(primary, added);
  const kept = before.redirects === primary.redirects ? [] : keptFormer(primary, before, known);
  if (former.size === 0 && kept.length === 0) return undefined;
  const others = [...known, ...kept].filter(({ from }) => !former.has(from));
  return [...others, ...former.values()].slice(-maxRedirects);
}

/** By path: the redirects from each path that a page had before and has no more. */
function newlyFormer(before: RevisionView, added: Added): Map<string, RedirectEntry> {
  const former = new Map<string, RedirectEntry>();
  for (const { page } of added) {
    const earlier = before.pageById.get(page.id);
    if (earlier && hasPath(earlier) && earlier.path !== page.path)
      former.set(earlier.path, { from: earlier.path, page: page.id, moved: true });
  }
  return former;
}

type Places = Pick<RevisionView, 'pageById' | 'pageByPath'>;

/** The redirects from former paths in earlier content whose pages are still there, if neither a page nor a known redirect has the path. */
function keptFormer(earlier: RevisionView, now: Places, known: readonly RedirectEntry[]): RedirectEntry[] {
  const taken = new Set(known.map(({ from }) => redirectKey(from)));
  return [...earlier.redirects].flatMap(([key, redirect]) =>
    redirect.moved && !taken.has(key) && isFree(now, redirect) ? [redirect] : [],
  );
}

const isFree = ({ pageById, pageByPath }: Places, { from, page }: RedirectEntry): boolean =>
  pageById.has(page) && !pageByPath.has(pathKey(from));

/** The redirects of imported content: its own, and those from former paths that neither they nor its pages have; the oldest of these go. */
export async function withFormerPaths(
  before: RevisionView,
  pages: PageEntry[],
  own: readonly RedirectEntry[],
): Promise<RedirectEntry[]> {
  const now = { pageById: new Map<string, PageEntry>(), pageByPath: new Map<string, PageEntry>() };
  await eachInSlices(eachPageOf(pages), (page) => indexPage(now, page));
  const taken = new Set(own.map(({ from }) => redirectKey(from)));
  const latest: RedirectEntry[] = [];
  await eachInSlices(newlyFormer(before, findPageDifferences(before, pages).added).values(), (redirect) => {
    if (isFree(now, redirect) && !taken.has(redirectKey(redirect.from))) latest.push(redirect);
  });
  const former = [...keptFormer(before, now, [...own, ...latest]), ...latest];
  return [...own, ...former.slice(Math.max(0, own.length + former.length - maxRedirects))];
}
