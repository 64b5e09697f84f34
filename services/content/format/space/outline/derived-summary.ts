import { fileNameOf, folderOf, isMarkdownFile, isReadmeFile, pageNameOf, slugOf, titleOfName } from '../paths.js';
import type { SummaryEntry, SummaryGroup, SummaryItem } from '../summary/summary.js';

interface Folder {
  path: string;
  readme?: string;
  files: string[];
  folders: Folder[];
}

/** Files in deeper folders belong to the folder at this depth. */
const MAX_DEPTH = 50;

/** `2-x` before `10-x`, the same on every machine. */
const collator = new Intl.Collator('en', { numeric: true });

/**
 * The table of contents of a space without one: its markdown files by folder and name, the home page first. A README is
 * the page of its folder; a folder without one is a group at the top level and a page without body below. Folders that start
 * with a dot are left out.
 */
export function deriveEntries(
  root: string,
  files: readonly { path: string }[],
  summary: string,
  home: string | undefined,
): SummaryEntry[] {
  const skip = root === '' ? 0 : root.length + 1;
  const top: Folder = { path: root, files: [], folders: [] };
  const folders = new Map([[root, top]]);
  for (const { path } of files) {
    if (!isMarkdownFile(path) || path === summary || path.slice(skip).split('/').some(isHiddenName)) continue;
    const { folder, own } = findOrAddFolder(folderOf(path), root, folders);
    if (own && folder !== top && isReadmeFile(path) && folder.readme === undefined) folder.readme = path;
    else folder.files.push(path);
  }
  const first = top.files.find((path) => path === home) ?? top.files.find(isReadmeFile);
  top.files = top.files.filter((path) => path !== first);
  for (const folder of folders.values()) {
    folder.files = folder.files.filter((path) => !takeAsReadme(path, folders.get(path.replace(/\.[^./]*$/, ''))));
  }
  const entries = entriesOfFolder(top, skip, bodilessGroup);
  return first === undefined ? entries : [fileItem(first, skip, []), ...entries];
}

/** `guides.md` next to `guides/` is the page of that folder when the folder has no README. */
function takeAsReadme(path: string, folder: Folder | undefined): boolean {
  if (!folder || folder.readme !== undefined) return false;
  folder.readme = path;
  return true;
}

/** `own`: whether it is the folder itself, not its ancestor at the greatest depth. */
function findOrAddFolder(path: string, root: string, folders: Map<string, Folder>): { folder: Folder; own: boolean } {
  const missing: string[] = [];
  let above = path;
  while (!folders.has(above)) {
    missing.push(above);
    above = folderOf(above);
  }
  let folder = folders.get(above) as Folder;
  const depth = above === root ? 0 : above.slice(root.length + 1).split('/').length;
  const room = Math.max(MAX_DEPTH - depth, 0);
  for (const each of missing.reverse().slice(0, room)) {
    const below: Folder = { path: each, files: [], folders: [] };
    folder.folders.push(below);
    folders.set(each, below);
    folder = below;
  }
  return { folder, own: folder.path === path };
}

/** The entries of `folder`, by name. */
function entriesOfFolder<G extends SummaryEntry>(
  folder: Folder,
  skip: number,
  withoutReadme: Bodiless<G>,
): (SummaryItem | G)[] {
  const named = [
    ...folder.files.map((path) => ({ name: pageNameOf(folder.path, path), path, below: undefined })),
    ...folder.folders.map((below) => ({ name: fileNameOf(below.path), path: below.path, below })),
  ];
  named.sort((a, b) => collator.compare(a.name, b.name) || (a.path < b.path ? -1 : 1));
  return named.map(({ name, path, below }) => {
    if (!below) return fileItem(path, skip, []);
    const children = entriesOfFolder(below, skip, bodilessItem);
    return below.readme === undefined ? withoutReadme(name, children) : fileItem(below.readme, skip, children);
  });
}

/** The entry of a folder without README. */
type Bodiless<G> = (name: string, children: SummaryItem[]) => G;

const bodilessGroup: Bodiless<SummaryGroup> = (name, children) => {
  return { type: 'group', title: titleOfName(name), slug: slugOf(name, 'group'), children };
};

const bodilessItem: Bodiless<SummaryItem> = (name, children) => ({ type: 'item', title: titleOfName(name), children });

function fileItem(path: string, skip: number, children: SummaryItem[]): SummaryItem {
  return { type: 'item', title: '', target: { kind: 'file', path: `/${path.slice(skip)}` }, children };
}

function isHiddenName(segment: string): boolean {
  return segment.startsWith('.');
}
