import type { ContentChanges } from '../../core/revisions/derived-view.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { ThreeViews } from '../../writing/merging/merge-pages.js';

/** A page, a file or reusable content. */
interface InRepository {
  id: string;
  git?: { oid: string; path: string };
}

/** Merged content with each item in the file that the branch has moved it to: only people in Git move files. */
export function withMovedFiles(
  { base, primary, changeRequest: theirs }: ThreeViews,
  content: ContentChanges,
): ContentChanges {
  const moved = findMoved(base, theirs);
  if (moved.size === 0) return content;
  const { pages = primary.pages, files = primary.files, reusable = primary.reusable } = content;
  const change = <T extends InRepository>(item: T): T => {
    const path = moved.get(item.id);
    return path === undefined || !item.git || item.git.path === path ? item : { ...item, git: { ...item.git, path } };
  };
  const lists = {
    pages: changeTree(pages, change),
    files: changeEach(files, change),
    reusable: changeEach(reusable, change),
  };
  // What is as it was stays no difference.
  const differs = ([name, list]: [string, unknown]) => list !== primary[name as keyof typeof lists];
  return { ...content, ...Object.fromEntries(Object.entries(lists).filter(differs)) };
}

const itemsOf = ({ pageById, files, reusable }: RevisionView): Iterable<InRepository>[] => [
  pageById.values(),
  files,
  reusable,
];

/** The new paths of what another file holds than in the base, by its id. */
function findMoved(base: RevisionView, theirs: RevisionView): Map<string, string> {
  const moved = new Map<string, string>();
  const former = new Map<string, string>();
  for (const list of itemsOf(base)) for (const { id, git } of list) if (git) former.set(id, git.path);
  for (const list of itemsOf(theirs))
    for (const { id, git } of list) if (git && former.has(id) && former.get(id) !== git.path) moved.set(id, git.path);
  return moved;
}

/** The list itself where nothing in it changes. */
function changeEach<T>(list: T[], change: (item: T) => T): T[] {
  const after = list.map(change);
  return after.some((item, at) => item !== list[at]) ? after : list;
}

const changeTree = (pages: PageEntry[], change: <T extends InRepository>(item: T) => T): PageEntry[] =>
  changeEach(pages, (page) => {
    const below = changeTree(page.pages, change);
    const after = change(page);
    return below === page.pages ? after : { ...after, pages: below };
  });
