import { readFile } from 'node:fs/promises';
import { lookup } from 'mime-types';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { FileEntry } from '../../../core/revisions/model.js';
import type { HasLedger, Owner } from '../../../core/storage/ledger.js';
import { blobOid } from '../../../format/space/blob-oid.js';
import { fileNameOf, percentDecode } from '../../../format/space/paths.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import { imageName } from '../../conversion/inline-images.js';
import { compareByPath, type SourceTree } from '../../git/tree/source-tree.js';
import { RepositoryPaths } from '../outside-paths.js';
import type { StoredPage } from '../page-entries.js';
import type { Problem } from '../problems.js';
import { storeFiles } from '../stored-files.js';
import { storePages } from '../stored-pages.js';
import type { Aliases } from '../used-anchors.js';
import type { Linked, NewFile, NewPage } from './linked-pages.js';

type Dependencies = HasStore & HasWork & HasLedger;

/** The stored part of an import; nothing points at it yet. */
export interface StoredImport {
  /** By the id of the page; one that cannot be parsed is not among them. */
  pages: ReadonlyMap<string, StoredPage>;
  /** By the id of the page: the names that links use for its anchors. */
  aliases: ReadonlyMap<string, Aliases>;
  files: FileEntry[];
  /** Why pages are not among them, by their title. */
  problems: Problem[];
  /** The count of garbage collections of the space before the import. */
  sweeps: number;
}

/** The path of a page in the tree that is stored, which links name it by. */
const treePathOf = (page: string) => `pages/${page}.md`;
const pageIdOfPath = (path: string) => path.slice('pages/'.length, -'.md'.length);

/** Parses and stores the pages and files of an import, as those of a repository are. */
export async function storeImport(
  deps: Dependencies,
  { owner, linked, signal }: { owner: Owner; linked: Linked; signal: AbortSignal },
): Promise<StoredImport> {
  const { organization, space } = owner;
  const sweeps = await deps.ledger.readSweeps(space);
  const { tree, files: named } = await toSourceTree(linked);
  const paths = new RepositoryPaths(tree.files.map(({ path }) => path));
  const inside = tree.files.filter(({ path }) => path.startsWith('pages/'));
  const { stored, anchors, problems } = await storePages(deps, {
    tree,
    paths,
    files: inside,
    organization,
    space,
    signal,
  });
  const aliases = await anchors.findAliases(deps.store, space, stored);
  const files = await storeFiles(deps, { tree, owner, paths: [...named.keys()], before: null, signal });
  const titles = titlesById(linked.pages);
  return {
    sweeps,
    problems: problems
      .filter(({ path }) => !stored.has(path))
      .map(({ path, message }) => ({ path: titles.get(pageIdOfPath(path)) ?? '', message })),
    pages: new Map([...stored].map(([path, page]) => [pageIdOfPath(path), page])),
    aliases: new Map([...aliases].map(([path, names]) => [pageIdOfPath(path), names])),
    files: files.map(({ git, ...file }) => {
      const { id, contentType } = named.get(git?.path as string) as Named;
      return { ...file, id, ...(contentType ? { contentType } : {}) };
    }),
  };
}

/** By the ids of the pages. */
const titlesById = (pages: readonly NewPage[]): Map<string, string> =>
  new Map(pages.flatMap(({ id, title, children }) => [[id, title] as const, ...titlesById(children)]));

interface Named {
  id: string;
  contentType: string | undefined;
}

/** The pages and files as a tree that can be read. */
async function toSourceTree({ pages, files }: Linked): Promise<{ tree: SourceTree; files: Map<string, Named> }> {
  const sources = new Map<string, string>();
  const noteSources = (list: readonly NewPage[]) => {
    for (const { id, source, children } of list) {
      if (source !== undefined) sources.set(treePathOf(id), source);
      noteSources(children);
    }
  };
  noteSources(pages);
  const places = new Map<string, string>();
  const named = new Map<string, Named>();
  const listed = [...sources].map(([path, source]) => ({
    path,
    oid: blobOid(Buffer.from(source)),
    size: Buffer.byteLength(source),
  }));
  for (const [at, file] of files.entries()) {
    const path = `files/${file.id}/${fileName(file, at)}`;
    places.set(path, file.given.file);
    named.set(path, { id: file.id, contentType: declaredTypeOf(file) });
    listed.push({ path, oid: blobOid(await readFile(file.given.file)), size: file.given.size });
  }
  const read = async (path: string) => {
    const source = sources.get(path);
    return source === undefined ? readFile(places.get(path) as string) : Buffer.from(source);
  };
  return { tree: { files: listed.sort(compareByPath), read, async close() {} }, files: named };
}

/** The type that a server gave a file, where it is one. */
function declaredTypeOf({ given: { contentType = '' } }: NewFile): string | undefined {
  const type = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream' ? type : undefined;
}

function fileName({ given }: NewFile, at: number): string {
  const { path, contentType = '' } = given;
  const isAddress = /^https?:/.test(path);
  const name = fileNameOf(isAddress ? percentDecode(new URL(path).pathname) : path)
    .replace(/[\p{Cc}/\\]/gu, '')
    .slice(-200);
  if (/^inline:/.test(path) || name === '' || name === '.' || name === '..') return imageName(at, contentType);
  return lookup(name) || !contentType
    ? name
    : `${name}.${imageName(at, declaredTypeOf({ id: '', given }) ?? '')
        .split('.')
        .at(-1)}`;
}
