import type { HasStore } from '../../../../shared/store/port.js';
import { groupBy } from '../../../../shared/values/group-by.js';
import { LastUsed } from '../../../../shared/work/last-used.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { documentId, type PageDocument, pageDocuments } from '../../core/revisions/model.js';
import { includeCandidates, isAbsoluteUrl, resolveRepositoryPath } from '../../core/revisions/references.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { RefusedPage } from '../../format/document/stored-page.js';
import { isMarkdownFile } from '../../format/space/paths.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { SourceFile, SourceTree } from '../git/tree/source-tree.js';
import { checkPages, maxPageSize } from './import-limits.js';
import { type RepositoryPaths, withoutEndSlashes } from './outside-paths.js';
import type { StoredPage } from './page-entries.js';
import type { Problem } from './problems.js';
import { UsedAnchors } from './used-anchors.js';

type Dependencies = HasStore & HasWork & HasLedger;

/** Warnings of an import that are kept: a page may have thousands of includes. */
const maxProblems = 1000;

/** Limits for pages that are read and parsed together: their number, or their bytes. */
const atOnce = { pages: 32, bytes: 512 * 1024 };

export interface StoredPages {
  /** By the path of the file. */
  stored: Map<string, StoredPage>;
  /** Files and folders of the repository that pages show or link to. */
  mentioned: Set<string>;
  /** Files that an include may mean. */
  included: Set<string>;
  anchors: UsedAnchors;
  problems: Problem[];
}

interface StorePages {
  tree: SourceTree;
  paths: RepositoryPaths;
  files: SourceFile[];
  organization: string;
  space: string;
  memory?: ImportMemory | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Parses the markdown files of a space, and what they include from elsewhere in the repository. Stores the documents that the space does
 * not have yet.
 */
export async function storePages(deps: Dependencies, options: StorePages): Promise<StoredPages> {
  const { tree, paths, files } = options;
  const noted = new NotedPages(paths);
  const known = new Set<string>();
  const all = new Map(tree.files.map((file) => [file.path, file]));
  const read: SourceFile[] = [];
  for (let next = files.filter(({ path }) => isMarkdownFile(path)); next.length > 0; ) {
    for (const file of next) {
      known.add(file.path);
      if (file.size > maxPageSize) noted.noteLeftOut(file.path, `larger than ${maxPageSize / 1_000_000} MB`);
      else read.push(file);
    }
    checkPages(read);
    await parseAndNoteFiles(deps, { ...options, files: next.filter(({ size }) => size <= maxPageSize), noted });
    next = noted.takeIncluded().flatMap((path) => (known.has(path) ? [] : (all.get(path) ?? [])));
  }
  return noted;
}

async function parseAndNoteFiles(
  deps: Dependencies,
  { tree, files, organization, space, memory, signal, noted }: Omit<StorePages, 'paths'> & { noted: NotedPages },
): Promise<void> {
  const byOid = groupBy(files, ({ oid }) => oid);
  for (const part of splitByBytes([...byOid.values()].map(([first]) => first as SourceFile))) {
    signal?.throwIfAborted();
    const documents = await findOrParse(deps, { tree, files: part, organization, space, memory });
    const noting = part.flatMap(({ oid }) => byOid.get(oid) ?? []);
    await eachInSlices(noting, ({ path, oid }) => noted.addPage(path, oid, documents.get(oid)));
  }
}

/** Collects what is known of the pages of an import. */
class NotedPages implements StoredPages {
  readonly stored = new Map<string, StoredPage>();
  readonly mentioned = new Set<string>();
  readonly included = new Set<string>();
  readonly anchors = new UsedAnchors();
  readonly problems: Problem[] = [];
  private readonly untaken: string[] = [];

  constructor(private readonly paths: RepositoryPaths) {}

  /** Takes the included files that were not taken before. */
  takeIncluded(): string[] {
    return this.untaken.splice(0);
  }

  noteLeftOut(path: string, why: string): void {
    this.noteProblem(path, `${why}, left out`);
  }

  private noteProblem(path: string, message: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ path, message });
  }

  addPage(path: string, oid: string, document: KnownDocument | RefusedPage | undefined): void {
    if (!document) return;
    if ('refused' in document) {
      this.noteLeftOut(path, document.refused);
      return;
    }
    const { title, meta, links } = document;
    this.stored.set(path, { oid, ...(title ? { title } : {}), meta });
    const { cover, images = [] } = meta;
    const shown = [cover?.url, cover?.urlDark, ...images].filter((url) => url !== undefined);
    for (const url of shown) this.noteMention(path, url);
    for (const { url, kind } of links) {
      this.noteMention(path, url);
      if (kind === 'include') this.noteInclude(path, url);
    }
    this.anchors.noteLinks(path, document);
    if (meta.problem) this.noteProblem(path, meta.problem);
  }

  private noteInclude(from: string, url: string): void {
    const [link = ''] = url.split(/[#?]/, 1);
    const file = isAbsoluteUrl(url) ? undefined : this.findFile(includeCandidates(from, link));
    if (file !== undefined && isMarkdownFile(file)) this.addIncluded(file);
    else if (!isAbsoluteUrl(url) && !/^\/(?:files|pages|spaces)\//.test(url))
      this.noteProblem(from, `${link.slice(0, 200)} is included, but is no page of the repository`);
  }

  private noteMention(from: string, url: string): void {
    if (isAbsoluteUrl(url) || url.startsWith('#')) return;
    const target = resolveRepositoryPath(from, url.split(/[#?]/, 1)[0] as string);
    const known = target === undefined ? undefined : this.paths.findKnown(withoutEndSlashes(target));
    if (known !== undefined) this.mentioned.add(known);
  }

  private addIncluded(file: string): void {
    if (!this.included.has(file)) this.untaken.push(file);
    this.included.add(file);
  }

  private findFile(paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const known = this.paths.findKnown(path);
      if (known !== undefined && this.paths.isFile(known)) return known;
    }
    return undefined;
  }
}

function* splitByBytes(files: SourceFile[]): Generator<SourceFile[]> {
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

const readFields = ['title', 'meta', 'links'] satisfies (keyof PageDocument)[];

type KnownDocument = Pick<PageDocument, '_id' | (typeof readFields)[number]>;

/** Pages that imports of one tree of a space after the other have in common, by the hashes of their sources. */
export type ImportMemory = LastUsed<KnownDocument | RefusedPage>;

/** By oid: the documents that the space has, and newly parsed and stored ones for the other files. */
async function findOrParse(
  { store, work, ledger }: Dependencies,
  { tree, files, organization, space, memory = new LastUsed() }: Omit<StorePages, 'paths' | 'signal'>,
): Promise<Map<string, KnownDocument | RefusedPage>> {
  const byOid = new Map(files.map((file) => [file.oid, file]));
  return memory.all(byOid.keys(), async (wanted) => {
    const oidOf = new Map(wanted.map((oid) => [documentId(space, oid), oid]));
    const found = await store.getMany(pageDocuments, [...oidOf.keys()], { fields: readFields });
    const known = new Map<string, KnownDocument | RefusedPage>(
      found.map((document) => [oidOf.get(document._id) as string, document]),
    );
    const missing = wanted.filter((oid) => !known.has(oid));
    const sources = await Promise.all(
      missing.map(async (oid) => {
        const { path } = byOid.get(oid) as SourceFile;
        return { path, source: (await tree.read(path)).toString('utf8') };
      }),
    );
    const read = sources.length > 0 ? await work.read(sources, organization) : [];
    const made: PageDocument[] = [];
    for (const [index, oid] of missing.entries()) {
      const page = read[index] as (typeof read)[number];
      if ('refused' in page) known.set(oid, page);
      else made.push({ _id: documentId(space, oid), space, source: sources[index]?.source ?? '', ...page });
    }
    await ledger.addDocuments({ organization, space }, pageDocuments, made);
    for (const { _id, title, meta, links } of made)
      known.set(oidOf.get(_id) as string, { _id, meta, links, ...(title === undefined ? {} : { title }) });
    return known;
  });
}
