import { imageSize } from 'image-size';
import { lookup } from 'mime-types';
import type { Blobs } from '../../shared/blobs/port.js';
import { newId, timestamp } from '../../shared/ids.js';
import type { Store } from '../../shared/store/port.js';
import { type Outline, type OutlinePage, outlineOf } from './format/outline.js';
import {
  documentId,
  type FileEntry,
  type PageDocument,
  pageDocuments,
  type ReusableEntry,
  type TagName,
} from './model.js';
import { outsideOf } from './outside.js';
import { eachOutlinePage, noteAnchors, type StoredPage, treeOf } from './page-entries.js';
import type { PageWork } from './page-work.js';
import { isOutside, targetPath } from './references.js';
import { type NewRevision, pathsIn, type RevisionView } from './revisions.js';
import type { SourceFile, SourceTree } from './source-tree.js';
import { type Aliases, UsedAnchors } from './used-anchors.js';

export interface ImportRules {
  store: Store;
  blobs: Blobs;
  work: PageWork;
}

export interface ImportOptions {
  space: string;
  /** Folder of the tree that holds the space. */
  projectDirectory?: string | undefined;
  /** The revision that page ids are kept from. */
  before: RevisionView | null;
  signal?: AbortSignal | undefined;
}

export interface Problem {
  path: string;
  message: string;
}

export interface ImportedTree extends NewRevision {
  variables: Record<string, unknown>;
  tags: TagName[];
  problems: Problem[];
}

const pagesAtOnce = 32;
const filesAtOnce = 4;
const largestPage = 8 * 1024 * 1024;

const isMarkdown = (path: string) => /\.(md|markdown)$/i.test(path);
const isAsset = (path: string) => !isMarkdown(path) && !/(^|\/)\.[^/]*$/.test(path);

/** Reads a tree into pages, files and reusable content. Stores documents and blobs, which nothing points at yet. */
export async function importTree(rules: ImportRules, tree: SourceTree, options: ImportOptions): Promise<ImportedTree> {
  const inside = filesInside(tree.files, options.projectDirectory);
  const timesRead = tree.times?.(new Set(inside.map(({ path }) => path).filter(isMarkdown)));
  const pages = await storePages(rules, tree, inside, options);
  const mentioned = new Set([...pages.stored.values()].flatMap(({ mentions }) => mentions));
  const texts = await readSettings(tree, inside);
  const outline = outlineOf(inside, {
    projectDirectory: options.projectDirectory,
    readText: (path) => texts.get(path),
    titleOf: (path) => pages.stored.get(path)?.title,
    isReferenced: (path) => mentioned.has(path),
  });
  const linked = linkedFiles(outline.pages);
  const assets = new Set([...outline.files.map(({ path }) => path), ...linked.filter(isAsset)]);
  const files = await storeFiles(rules, tree, [...assets], options);
  noteAnchors(outline, pages.anchors);
  const aliases = await pages.anchors.aliases(rules.store, options.space, pages.stored);
  const times = (await timesRead) ?? new Map();
  const { before } = options;
  const content = {
    ...treeOf({ outline, stored: pages.stored, aliases, before, times, importedAt: importTime(tree) }),
    files,
    reusable: reusableEntries(outline, pages.stored, aliases, before),
  };
  return {
    ...content,
    outside: outsideOf(tree, new Set([...mentioned, ...linked]), pathsIn(content)),
    variables: outline.variables,
    tags: outline.tags.map(({ tag, label }) => ({ tag, label })),
    problems: [...outline.problems, ...pages.problems],
  };
}

/** Of what is new in a tree: the time of its commit, unless that lies ahead. */
function importTime({ commit }: SourceTree): string {
  const now = timestamp();
  return commit && commit.committedAt < now ? commit.committedAt : now;
}

function filesInside(files: SourceFile[], directory: string | undefined): SourceFile[] {
  const folder = (directory ?? '').replace(/^\.?\/+|\/+$/g, '');
  return folder === '' || folder === '.' ? files : files.filter(({ path }) => path.startsWith(`${folder}/`));
}

const isSetting = (path: string) =>
  /(^|\/)(\.gitbook\.yaml|book\.json|summary\.md|\.gitbook\/(vars|tags)\.yaml)$/i.test(path);

/** The files that say how the space is built: small, and read before the pages. */
async function readSettings(tree: SourceTree, files: SourceFile[]): Promise<Map<string, string>> {
  const config =
    files.find(({ path }) => path.endsWith('.gitbook.yaml')) ?? files.find(({ path }) => path.endsWith('book.json'));
  const named = config ? summaryNameOf((await tree.read(config.path)).toString('utf8')) : undefined;
  const wanted = files.filter(
    ({ path, size }) => size <= largestPage && (isSetting(path) || (named && path.endsWith(named))),
  );
  const texts = await Promise.all(
    wanted.map(async ({ path }) => [path, (await tree.read(path)).toString('utf8')] as const),
  );
  return new Map(texts);
}

const summaryNameOf = (config: string) => /summary"?\s*:\s*['"]?([^'"\s#]+)/.exec(config)?.[1]?.replace(/^\.?\//, '');

async function storePages(rules: ImportRules, tree: SourceTree, files: SourceFile[], { space, signal }: ImportOptions) {
  const stored = new Map<string, StoredPage>();
  const anchors = new UsedAnchors();
  const problems: Problem[] = [];
  const markdown = files.filter(({ path }) => isMarkdown(path));
  for (let start = 0; start < markdown.length; start += pagesAtOnce) {
    signal?.throwIfAborted();
    const part = markdown.slice(start, start + pagesAtOnce).filter((file) => {
      if (file.size > largestPage) problems.push({ path: file.path, message: 'larger than 8 MiB, left out' });
      return file.size <= largestPage;
    });
    const documents = await documentsOf(rules, tree, part, space);
    for (const { path, oid } of part) {
      const document = documents.get(oid);
      if (!document) continue;
      stored.set(path, {
        oid,
        ...(document.title ? { title: document.title } : {}),
        meta: document.meta,
        mentions: mentionsOf(path, document),
      });
      anchors.noteLinks(path, document);
      if (document.meta.problem) problems.push({ path, message: document.meta.problem });
    }
  }
  return { stored, anchors, problems };
}

const mentionsOf = (path: string, { links }: Pick<PageDocument, 'links'>) =>
  links.flatMap(({ url }) =>
    isOutside(url) || url.startsWith('#') ? [] : (targetPath(path, url.split(/[#?]/, 1)[0] as string) ?? []),
  );

const readFields = ['title', 'meta', 'links'] satisfies (keyof PageDocument)[];

type KnownDocument = Pick<PageDocument, '_id' | (typeof readFields)[number]>;

/** By oid: the documents that the space has, and new ones for the rest, parsed and stored. */
async function documentsOf(
  { store, work }: ImportRules,
  tree: SourceTree,
  files: SourceFile[],
  space: string,
): Promise<Map<string, KnownDocument>> {
  const oidOf = new Map(files.map(({ oid }) => [documentId(space, oid), oid]));
  const found = await store.getMany(pageDocuments, [...oidOf.keys()], { fields: readFields });
  const known = new Map<string, KnownDocument>(found.map((document) => [oidOf.get(document._id) as string, document]));
  const missing = [...new Map(files.filter(({ oid }) => !known.has(oid)).map((file) => [file.oid, file])).values()];
  const sources = await Promise.all(missing.map(async ({ path }) => (await tree.read(path)).toString('utf8')));
  const read = sources.length > 0 ? await work.read(sources) : [];
  const made = missing.map(({ oid }, index): PageDocument => {
    const page = read[index] as (typeof read)[number];
    return { _id: documentId(space, oid), space, source: sources[index] as string, ...page };
  });
  if (made.length > 0) await store.insertMany(pageDocuments, made, { skipExisting: true });
  for (const document of made) known.set(oidOf.get(document._id) as string, document);
  return known;
}

async function storeFiles(
  rules: ImportRules,
  tree: SourceTree,
  wanted: string[],
  options: ImportOptions,
): Promise<FileEntry[]> {
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  const before = new Map(
    (options.before?.files ?? []).flatMap((file) => (file.git ? [[file.git.oid, file] as const] : [])),
  );
  const sources = wanted.flatMap((path) => byPath.get(path) ?? []);
  const entries: FileEntry[] = new Array(sources.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < sources.length; index = next++) {
      options.signal?.throwIfAborted();
      entries[index] = await storeFile(rules, tree, sources[index] as SourceFile, before);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, lane));
  return withFileIds(entries, options.before);
}

async function storeFile(
  { blobs }: ImportRules,
  tree: SourceTree,
  { path, oid, size }: SourceFile,
  before: Map<string, FileEntry>,
): Promise<FileEntry> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = { id: '', name, contentType: lookup(name) || 'application/octet-stream', size, git: { oid, path } };
  const same = before.get(oid);
  if (same) return { ...own, blob: same.blob, ...(same.dimensions ? { dimensions: same.dimensions } : {}) };
  const content = await tree.read(path);
  const { id: blob } = await blobs.put(content);
  const dimensions = own.contentType.startsWith('image/') ? dimensionsOf(content) : undefined;
  return { ...own, blob, ...(dimensions ? { dimensions } : {}) };
}

function dimensionsOf(content: Buffer): FileEntry['dimensions'] {
  try {
    const { width, height } = imageSize(content);
    return width && height ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/** A file keeps its id by its path, a moved one by its content. */
function withFileIds(entries: FileEntry[], before: RevisionView | null): FileEntry[] {
  const paths = new Set(entries.map((file) => file.git?.path));
  const moved = new Map(
    (before?.files ?? []).flatMap((file) =>
      file.git && !paths.has(file.git.path) ? [[file.git.oid, file.id] as const] : [],
    ),
  );
  return entries.map((file) => {
    const { path = '', oid = '' } = file.git ?? {};
    const id = before?.fileByPath.get(path)?.id ?? moved.get(oid) ?? newId();
    moved.delete(oid);
    return { ...file, id };
  });
}

function reusableEntries(
  outline: Outline,
  stored: Map<string, StoredPage>,
  aliases: ReadonlyMap<string, Aliases>,
  before: RevisionView | null,
): ReusableEntry[] {
  return outline.includes.flatMap(({ path }) => {
    const page = stored.get(path);
    if (!page) return [];
    const names = aliases.get(path);
    const title = page.title ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
    return {
      id: before?.reusableByPath.get(path)?.id ?? newId(),
      title,
      document: page.oid,
      ...(names ? { aliases: names } : {}),
      git: { oid: page.oid, path },
    };
  });
}

/** What the navigation links to besides pages. */
const linkedFiles = (pages: OutlinePage[]): string[] =>
  [...eachOutlinePage(pages)].flatMap((page) =>
    page.type === 'link' && 'file' in page.target ? [page.target.file] : [],
  );
