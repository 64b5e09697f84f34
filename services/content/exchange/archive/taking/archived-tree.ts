import { createHash } from 'node:crypto';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import type { RedirectEntry, RevisionDocument } from '../../../core/revisions/model.js';
import { buildView, eachPageOf, type PageEntry, type RevisionView } from '../../../core/revisions/revision-view.js';
import { compareByPath, type SourceFile, type SourceTree } from '../../git/tree/source-tree.js';
import type { ImportedTree } from '../../imports/import-tree.js';
import type { ArchiveFile } from './archive-file.js';
import { readBytes } from './archive-lines.js';
import { type ArchivedPage, type ArchivedSpace, spaceFolder } from './archived-space.js';

/** The content of a space of an archive, as an import reads it. */
export async function archivedTree(archive: ArchiveFile, space: string): Promise<SourceTree> {
  const at = `${spaceFolder(space)}content/`;
  const files: SourceFile[] = [];
  for (const [path, size] of archive.sizes)
    if (path.startsWith(at)) files.push({ path: path.slice(at.length), size, oid: await oidOf(archive, path) });
  return {
    files: files.sort(compareByPath),
    read: (path) => readBytes(archive, at + path),
    async close() {},
  };
}

/** As `blobOid`, of a file of any size. */
async function oidOf(archive: ArchiveFile, path: string): Promise<string> {
  const hash = createHash('sha1').update(`blob ${archive.sizes.get(path)}\0`);
  for await (const piece of await archive.open(path)) hash.update(piece);
  return hash.digest('hex');
}

/** The space as it was, as far as an import keeps ids and times from it. `revision`: that of the space as it is. */
export async function archivedView(
  revision: RevisionDocument,
  { pages, files, reusable, redirects }: ArchivedSpace,
  tree: SourceTree,
): Promise<RevisionView> {
  const oids = new Map(tree.files.map(({ path, oid }) => [path, oid]));
  const gitOf = (file: string | undefined) =>
    file === undefined ? {} : { git: { path: file, oid: oids.get(file) as string } };
  const content = {
    pages: treeOf(pages, ({ parent: _, file, ...page }) =>
      omitUndefined({
        ...page,
        ...gitOf(file),
        document: file === undefined ? undefined : oids.get(file),
        children: [],
      }),
    ),
    // Without a hash: no blob is there of what the space had.
    files: files.map(({ file = '', ...each }) => ({ ...each, blob: '', git: { path: file, oid: '' } })),
    reusable: reusable.map(({ file, ...each }) => ({ ...each, document: '', ...gitOf(file) })),
    // Those that authors wrote are in the settings, too, and go before these.
    redirects: redirects.map((redirect) => omitUndefined({ ...redirect, moved: true as const })),
    outside: [],
  };
  return buildView(revision, content, 0);
}

/** The pages under those above them, in their order. */
function treeOf(lines: ArchivedPage[], entryOf: (line: ArchivedPage) => Omit<PageEntry, 'pages'>): PageEntry[] {
  const top: PageEntry[] = [];
  const known = new Map<string, PageEntry>();
  for (const line of lines) {
    const entry: PageEntry = { ...entryOf(line), pages: [] };
    known.set(line.id, entry);
    (line.parent === undefined ? top : (known.get(line.parent) as PageEntry).pages).push(entry);
  }
  return top;
}

/** Gives imported content the names, places and order that the archive has: files say less of them. */
export function asArchived<T extends Pick<ImportedTree, 'pages' | 'files' | 'reusable' | 'redirects'>>(
  imported: T,
  archived: ArchivedSpace,
): T {
  const pages = new Map(archived.pages.map((page) => [page.id, page]));
  const replaced = (list: PageEntry[]): PageEntry[] =>
    list.map((page) => ({ ...page, ...pageFields(page, pages.get(page.id)), pages: replaced(page.pages) }));
  return {
    ...imported,
    pages: replaced(imported.pages),
    redirects: redirectsOf(imported, archived),
    files: inOrder(imported.files, archived.files, ({ name, contentType }) => ({ name, contentType })),
    reusable: inOrder(imported.reusable, archived.reusable, ({ title }) => ({ title })),
  };
}

/** All that the space had, also where a page has the path by now; those that its settings have are of authors. */
function redirectsOf({ redirects = [] }: Pick<ImportedTree, 'redirects'>, archived: ArchivedSpace): RedirectEntry[] {
  const written = new Set(redirects.flatMap(({ from, moved }) => (moved ? [] : [from])));
  return archived.redirects.map((redirect) => ({
    ...redirect,
    ...(written.has(redirect.from) ? {} : { moved: true }),
  }));
}

function pageFields(imported: PageEntry, line: ArchivedPage | undefined): Partial<PageEntry> {
  if (!line) return {};
  const { id: _, parent: __, file: ___, type: ____, ...fields } = line;
  return { ...fields, ...lostTarget(imported, line) };
}

/** The target of a link to a page without a file, or to one that is gone: the table of contents has an address of it instead. */
function lostTarget({ href = '' }: PageEntry, line: ArchivedPage): Pick<PageEntry, 'target'> {
  const [, page] = /^\/(?:broken|spaces\/\w+)\/pages\/(\w+)$/.exec(href) ?? [];
  return page === undefined || href === line.href ? {} : { target: { kind: 'page', page } };
}

/** The items in the order of the lines, with fields of these; others at the end. */
function inOrder<T extends { id: string }, L extends { id: string }>(
  items: T[],
  lines: L[],
  fieldsOf: (line: L) => Partial<T>,
): T[] {
  const places = new Map(lines.map((line, at) => [line.id, { line, at }]));
  const placeOf = ({ id }: T) => places.get(id)?.at ?? lines.length;
  return items
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((item) => ({ ...item, ...(places.has(item.id) ? fieldsOf((places.get(item.id) as { line: L }).line) : {}) }));
}

/** The ids of what the archive lists and the import did not find. */
export function missingIn(
  imported: Pick<ImportedTree, 'pages' | 'files' | 'reusable'>,
  archived: ArchivedSpace,
): string[] {
  const known = new Set([
    ...[...eachPageOf(imported.pages)].map(({ id }) => id),
    ...[...imported.files, ...imported.reusable].map(({ id }) => id),
  ]);
  return [...archived.pages, ...archived.files, ...archived.reusable].flatMap(({ id }) => (known.has(id) ? [] : [id]));
}
