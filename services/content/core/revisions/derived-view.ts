import { estimateMemory } from '../../../../shared/process/memory.js';
import { eachInSlices, isTurnOver, nextTurn } from '../../../../shared/work/slices.js';
import type { RevisionDocument } from './model.js';
import {
  buildFileLookups,
  eachPageOf,
  hasPath,
  indexByGitPath,
  indexPage,
  indexRedirects,
  type PageEntry,
  pathKey,
  type RevisionContent,
  type RevisionView,
} from './revision-view.js';
import { findPageDifferences, type PageDifferences } from './view-differences.js';

/** The parts that differ from the content of another revision; absent parts are equal. */
export type ContentChanges = Partial<RevisionContent>;

/** The view of a revision that was made by changing that of `before`: it shares what is equal, and costs what differs. */
export async function deriveView(
  before: RevisionView,
  revision: RevisionDocument,
  { pages = before.pages, files, reusable, redirects, outside }: ContentChanges,
): Promise<RevisionView> {
  const differences = findPageDifferences(before, pages);
  if (isTurnOver()) await nextTurn();
  const lookups = await derivePageLookups(before, pages, differences);
  return {
    ...lookups,
    revision,
    pages,
    files: files ?? before.files,
    ...(files ? await buildFileLookups(files) : { fileById: before.fileById, fileByPath: before.fileByPath }),
    reusable: reusable ?? before.reusable,
    reusableByPath: reusable ? indexByGitPath(reusable) : before.reusableByPath,
    redirects: redirects ? indexRedirects(redirects) : before.redirects,
    outside: outside ? new Set(outside) : before.outside,
    bytes:
      before.bytes +
      (await byteGrowth(before, differences)) +
      (files ? estimateMemory(files) - estimateMemory(before.files) : 0),
  };
}

type Lookups = Pick<RevisionView, 'pageById' | 'parentById' | 'pageByPath' | 'clashes' | 'pageByFile' | 'conditional'>;

async function derivePageLookups(
  before: RevisionView,
  pages: PageEntry[],
  differences: PageDifferences,
): Promise<Lookups> {
  const { added, removed } = differences;
  if (added.length === 0 && removed.length === 0) return before;
  const pageById = new Map(before.pageById);
  const pageByFile = new Map(before.pageByFile);
  if (isTurnOver()) await nextTurn();
  const old = [...removed, ...added.flatMap(({ page }) => before.pageById.get(page.id) ?? [])];
  for (const { id } of removed) pageById.delete(id);
  for (const page of old) if (page.git && pageByFile.get(page.git.path) === page) pageByFile.delete(page.git.path);
  await eachInSlices(added, ({ page }) => {
    pageById.set(page.id, page);
    if (page.git) pageByFile.set(page.git.path, page);
  });
  const parentById = deriveParents(before, differences);
  if (isTurnOver()) await nextTurn();
  return {
    pageById,
    parentById,
    pageByFile,
    ...(await derivePaths(before, pages, { old, added })),
    ...deriveConditional(before, { old, added }),
  };
}

function deriveParents({ parentById }: RevisionView, { added, removed }: PageDifferences): RevisionView['parentById'] {
  if (removed.length === 0 && added.every(({ page, parent }) => parentById.get(page.id) === parent)) return parentById;
  const after = new Map(parentById);
  for (const { id } of removed) after.delete(id);
  for (const { page, parent } of added) {
    if (parent === undefined) after.delete(page.id);
    else after.set(page.id, parent);
  }
  return after;
}

interface Replaced {
  old: PageEntry[];
  added: PageDifferences['added'];
}

/** Pages may share a path; the first in the tree is found. Only a tree with such pages is walked as a whole. */
async function derivePaths(
  before: RevisionView,
  pages: PageEntry[],
  { old, added }: Replaced,
): Promise<Pick<RevisionView, 'pageByPath' | 'clashes'>> {
  const pageByPath = new Map(before.pageByPath);
  let { clashes } = before;
  for (const page of old) if (hasPath(page)) pageByPath.delete(pathKey(page.path));
  await eachInSlices(added, ({ page }) => {
    if (!hasPath(page)) return;
    if (pageByPath.has(pathKey(page.path))) clashes = true;
    pageByPath.set(pathKey(page.path), page);
  });
  return clashes ? indexAllPaths(pages) : { pageByPath, clashes };
}

async function indexAllPaths(pages: PageEntry[]): Promise<Pick<RevisionView, 'pageByPath' | 'clashes'>> {
  const lookups = { pageById: new Map<string, PageEntry>(), pageByPath: new Map<string, PageEntry>() };
  let clashes = false;
  await eachInSlices(eachPageOf(pages), (page) => {
    if (!indexPage(lookups, page)) clashes = true;
  });
  return { pageByPath: lookups.pageByPath, clashes };
}

function deriveConditional({ conditional }: RevisionView, { old, added }: Replaced): Pick<RevisionView, 'conditional'> {
  const gone = new Set(old);
  const kept = conditional.some((page) => gone.has(page)) ? conditional.filter((page) => !gone.has(page)) : conditional;
  const more = added.flatMap(({ page }) => (page.condition === undefined ? [] : [page]));
  return { conditional: more.length > 0 ? [...kept, ...more] : kept };
}

const pageBytes = ({ pages: _, ...own }: PageEntry) => estimateMemory(own) + 600;

async function byteGrowth(before: RevisionView, { added, removed }: PageDifferences): Promise<number> {
  let bytes = 0;
  await eachInSlices(removed, (page) => {
    bytes -= pageBytes(page);
  });
  await eachInSlices(added, ({ page }) => {
    const earlier = before.pageById.get(page.id);
    bytes += pageBytes(page) - (earlier ? pageBytes(earlier) : 0);
  });
  return bytes;
}
