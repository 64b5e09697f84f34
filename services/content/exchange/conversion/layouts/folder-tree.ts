import { fileNameOf, folderOf } from '../../../format/space/paths.js';
import type { ArchivePage } from '../model.js';
import { isIndexPage, leadingNumber, readableName, withoutExtension } from './page-names.js';

export interface FolderPages {
  /** The paths of the pages. */
  paths: readonly string[];
  /** The folder that is the top. */
  root: string;
  /** The position that a page states in its front matter, as for Docusaurus. */
  positionOf: (path: string) => number | undefined;
  /** The settings of a folder, from a file beside its pages. */
  categoryOf: (folder: string) => Category;
}

export interface Category {
  label?: string | undefined;
  position?: number | undefined;
  /** The page of the folder. */
  path?: string | undefined;
}

interface Folder {
  path: string;
  index: string | undefined;
  files: string[];
  folders: Map<string, Folder>;
}

interface Placed {
  page: ArchivePage;
  position: number;
  name: string;
}

/** Folders deeper than this are one with the folder above. */
const maxDepth = 40;
const collator = new Intl.Collator('en', { numeric: true });

/** The tree of pages that folders are: an index is the page of its folder, and so is a page beside it that has its name. */
export function treeByFolders(pages: FolderPages): ArchivePage[] {
  const top = newFolder(pages.root);
  for (const path of pages.paths) findOrAddFolder(top, folderOf(path)).files.push(path);
  const first = top.files.find(isIndexPage);
  const rest = pagesOfFolder({ ...top, files: top.files.filter((path) => path !== first) }, pages, 0);
  return first === undefined ? rest : [newArchivePage(first, []), ...rest];
}

const newFolder = (path: string): Folder => ({ path, index: undefined, files: [], folders: new Map() });

function findOrAddFolder(top: Folder, path: string): Folder {
  const below = top.path === '' ? path : path.slice(top.path.length + 1);
  let folder = top;
  for (const name of below === '' ? [] : below.split('/').slice(0, maxDepth)) {
    const inner = folder.folders.get(name) ?? newFolder(folder.path === '' ? name : `${folder.path}/${name}`);
    folder.folders.set(name, inner);
    folder = inner;
  }
  return folder;
}

const newArchivePage = (path: string, children: ArchivePage[]): ArchivePage => ({
  path,
  name: readableName(isIndexPage(path) && folderOf(path) !== '' ? fileNameOf(folderOf(path)) : fileNameOf(path)),
  children,
});

function pagesOfFolder(folder: Folder, pages: FolderPages, level: number): ArchivePage[] {
  const taken = new Set<string>();
  const entries: Placed[] = [];
  for (const inner of folder.folders.values()) {
    const beside = folder.files.find((path) => withoutExtension(path) === inner.path);
    const made = entryOfFolder(inner, beside, { pages, level });
    if (beside) taken.add(beside);
    entries.push(...made);
  }
  for (const path of folder.files)
    if (!taken.has(path))
      entries.push(
        positionEntry(newArchivePage(path, []), { position: pages.positionOf(path), name: fileNameOf(path) }),
      );
  entries.sort((a, b) => a.position - b.position || collator.compare(a.name, b.name));
  return entries.map(({ page }) => page);
}

const positionEntry = (
  page: ArchivePage,
  { position, name }: { position: number | undefined; name: string },
): Placed => ({
  page,
  position: position ?? leadingNumber(name) ?? Number.MAX_SAFE_INTEGER,
  name: withoutExtension(name),
});

function entryOfFolder(
  folder: Folder,
  beside: string | undefined,
  { pages, level }: { pages: FolderPages; level: number },
): Placed[] {
  const name = fileNameOf(folder.path);
  const category = pages.categoryOf(folder.path);
  const own =
    category.path ??
    folder.files.find(isIndexPage) ??
    beside ??
    folder.files.find((path) => withoutExtension(fileNameOf(path)) === name);
  const children = pagesOfFolder({ ...folder, files: folder.files.filter((path) => path !== own) }, pages, level + 1);
  if (own === undefined && children.length === 0) return [];
  const position = category.position ?? (own === undefined ? undefined : pages.positionOf(own));
  const page: ArchivePage =
    own === undefined
      ? { name: category.label ?? readableName(name), children, ...(level === 0 ? { isGroup: true as const } : {}) }
      : { ...newArchivePage(own, children), name: category.label ?? readableName(name) };
  return [positionEntry(page, { position, name })];
}
