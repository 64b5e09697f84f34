import { createHash } from 'node:crypto';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import type { RedirectEntry, RevisionDocument } from '../../../core/revisions/model.js';
import { buildView, eachPageOf, type PageEntry, type RevisionView } from '../../../core/revisions/revision-view.js';
import { compareByPath, type SourceFile, type SourceTree } from '../../git/tree/source-tree.js';
import type { ImportedTree } from '../../imports/import-tree.js';
import type { Problem } from '../../imports/problems.js';
import { contentFolder, spaceFolder } from '../entries/space-files.js';
import type { HistoryState } from '../history/open-history.js';
import type { ArchiveFile, Files } from './archive-file.js';
import { readBytes } from './archive-lines.js';
import type { ArchivedContent, ArchivedPage } from './archived-space.js';

/** The content of a space of an archive, as an import reads it. */
export async function archivedTree(archive: ArchiveFile, space: string): Promise<SourceTree> {
  const at = spaceFolder(space) + contentFolder;
  const files: SourceFile[] = [];
  for (const [path, size] of archive.sizes)
    if (path.startsWith(at)) files.push({ path: path.slice(at.length), size, oid: await archivedOid(archive, path) });
  return toTree(files, (path) => readBytes(archive, at + path));
}

/** The same of a revision of its history. */
export function historyTree({ oids, sizes, read }: HistoryState): SourceTree {
  const files: SourceFile[] = [];
  for (const [path, oid] of oids)
    if (path.startsWith(contentFolder))
      files.push({ path: path.slice(contentFolder.length), size: sizes.get(path) as number, oid });
  return toTree(files, (path) => read(contentFolder + path));
}

const toTree = (files: SourceFile[], read: SourceTree['read']): SourceTree => ({
  files: files.sort(compareByPath),
  read,
  async close() {},
});

/** As `blobOid`, of a file of any size. */
export async function archivedOid(archive: Files, path: string): Promise<string> {
  const hash = createHash('sha1').update(`blob ${archive.sizes.get(path)}\0`);
  for await (const piece of await archive.open(path)) hash.update(piece);
  return hash.digest('hex');
}

/** Content of the same space that is stored by now. */
export type ContentBefore = Pick<ImportedTree, 'pages' | 'files'>;

/**
 * The space as it was, as far as an import keeps ids and times from it. `revision`: that of the space as it is. `stored`: what need not be
 * stored again.
 */
export async function archivedView(
  revision: RevisionDocument,
  { pages, files, reusable, redirects }: ArchivedContent,
  { tree, stored }: { tree: SourceTree; stored?: ContentBefore | undefined },
): Promise<RevisionView> {
  const oids = new Map(tree.files.map(({ path, oid }) => [path, oid]));
  const blobs = new Map(stored?.files.map(({ git, blob, dimensions }) => [git?.oid, { blob, dimensions }]));
  const computed = new Map([...eachPageOf(stored?.pages ?? [])].map((page) => [page.id, page]));
  const gitOf = (file: string | undefined) =>
    file === undefined ? {} : { git: { path: file, oid: oids.get(file) as string } };
  const content = {
    pages: treeOf(pages, ({ parent: _, file, ...page }) =>
      omitUndefined({
        ...page,
        ...gitOf(file),
        document: file === undefined ? undefined : oids.get(file),
        children: [],
        ...(page.type === 'computed' ? madePages(computed.get(page.id)) : {}),
      }),
    ),
    files: files.map(({ file = '', ...each }) => {
      const oid = oids.get(file) ?? '';
      const known = blobs.get(oid);
      // Without a hash: no blob is there of what the space had.
      return omitUndefined({ ...each, blob: '', ...known, git: { path: file, oid: known ? oid : '' } });
    }),
    reusable: reusable.map(({ file, ...each }) => ({ ...each, document: '', ...gitOf(file) })),
    // Those that authors wrote are in the settings, too, and go before these.
    redirects: redirects.map((redirect) => omitUndefined({ ...redirect, moved: true as const })),
    outside: [],
  };
  return buildView(revision, content, 0);
}

/** The pages that a computed page stands for, as they are made already. */
const madePages = (page: PageEntry | undefined): Partial<PageEntry> =>
  page?.type === 'computed' ? omitUndefined({ computed: page.computed, pages: page.pages }) : {};

/** The pages under those above them, in their order. */
function treeOf(
  lines: ArchivedPage[],
  entryOf: (line: ArchivedPage) => Omit<PageEntry, 'pages'> & Partial<PageEntry>,
): PageEntry[] {
  const top: PageEntry[] = [];
  const known = new Map<string, PageEntry>();
  for (const line of lines) {
    const entry: PageEntry = { pages: [], ...entryOf(line) };
    known.set(line.id, entry);
    (line.parent === undefined ? top : (known.get(line.parent) as PageEntry).pages).push(entry);
  }
  return top;
}

/** Gives imported content the names, places and order that the archive has: files say less of them. */
export function asArchived<T extends Pick<ImportedTree, 'pages' | 'files' | 'reusable' | 'redirects'>>(
  imported: T,
  archived: ArchivedContent,
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
function redirectsOf({ redirects = [] }: Pick<ImportedTree, 'redirects'>, archived: ArchivedContent): RedirectEntry[] {
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

/** Warnings of all that the archive lists and the import did not find. `path`: where it is listed. */
export function lostProblems(
  imported: Pick<ImportedTree, 'pages' | 'files' | 'reusable'>,
  archived: ArchivedContent,
  path: string,
): Problem[] {
  const known = new Set([
    ...[...eachPageOf(imported.pages)].map(({ id }) => id),
    ...[...imported.files, ...imported.reusable].map(({ id }) => id),
  ]);
  const listed = [...archived.pages, ...archived.files, ...archived.reusable];
  return listed
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => ({ path, message: `${id} is in no file of its content: it got another id, or is left out` }));
}
