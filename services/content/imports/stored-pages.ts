import type { ContentDependencies } from '../dependencies.js';
import { isMarkdown } from '../format/space/paths.js';
import { documentId, type PageDocument, pageDocuments } from '../revisions/model.js';
import { isAbsoluteUrl, targetPath } from '../revisions/references.js';
import type { StoredPage } from './page-entries.js';
import type { SourceFile, SourceTree } from './source-tree.js';
import { UsedAnchors } from './used-anchors.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'work' | 'ledger'>;

/** A warning about a file of the repository. */
export interface Problem {
  path: string;
  message: string;
}

/** Pages that are read and parsed together: so many, or so many bytes. */
const atOnce = { pages: 32, bytes: 512 * 1024 };
/** Bytes. */
export const largestPage = 8 * 1024 * 1024;

export interface StoredPages {
  /** By the path of the file. */
  stored: Map<string, StoredPage>;
  anchors: UsedAnchors;
  problems: Problem[];
}

interface StorePages {
  tree: SourceTree;
  files: SourceFile[];
  organization: string;
  space: string;
  signal: AbortSignal | undefined;
}

/** Parses the markdown files of a tree and stores the documents that the space does not have yet. */
export async function storePages(
  deps: Dependencies,
  { tree, files, organization, space, signal }: StorePages,
): Promise<StoredPages> {
  const stored = new Map<string, StoredPage>();
  const anchors = new UsedAnchors();
  const problems: Problem[] = [];
  const markdown = files.filter(({ path, size }) => {
    if (!isMarkdown(path)) return false;
    if (size > largestPage) problems.push({ path, message: 'larger than 8 MiB, left out' });
    return size <= largestPage;
  });
  for (const part of partsOf(markdown)) {
    signal?.throwIfAborted();
    const documents = await documentsOf(deps, { tree, files: part, organization, space });
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

function* partsOf(files: SourceFile[]): Generator<SourceFile[]> {
  let part: SourceFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (part.length > 0 && (part.length === atOnce.pages || bytes + file.size > atOnce.bytes)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(file);
    bytes += file.size;
  }
  if (part.length > 0) yield part;
}

const mentionsOf = (path: string, { links }: Pick<PageDocument, 'links'>) =>
  links.flatMap(({ url }) =>
    isAbsoluteUrl(url) || url.startsWith('#') ? [] : (targetPath(path, url.split(/[#?]/, 1)[0] as string) ?? []),
  );

const readFields = ['title', 'meta', 'links'] satisfies (keyof PageDocument)[];

type KnownDocument = Pick<PageDocument, '_id' | (typeof readFields)[number]>;

/** By oid: the documents that the space has, and newly parsed and stored ones for the other files. */
async function documentsOf(
  { store, work, ledger }: Dependencies,
  { tree, files, organization, space }: Omit<StorePages, 'signal'>,
): Promise<Map<string, KnownDocument>> {
  const oidOf = new Map(files.map(({ oid }) => [documentId(space, oid), oid]));
  const found = await store.getMany(pageDocuments, [...oidOf.keys()], { fields: readFields });
  const known = new Map<string, KnownDocument>(found.map((document) => [oidOf.get(document._id) as string, document]));
  const missing = [...new Map(files.filter(({ oid }) => !known.has(oid)).map((file) => [file.oid, file])).values()];
  const sources = await Promise.all(
    missing.map(async ({ path }) => ({ path, source: (await tree.read(path)).toString('utf8') })),
  );
  const read = sources.length > 0 ? await work.read(sources, organization) : [];
  const made = missing.map(({ oid }, index): PageDocument => {
    const page = read[index] as (typeof read)[number];
    return { _id: documentId(space, oid), space, source: sources[index]?.source ?? '', ...page };
  });
  await ledger.addDocuments({ organization, space }, pageDocuments, made);
  for (const document of made) known.set(oidOf.get(document._id) as string, document);
  return known;
}
