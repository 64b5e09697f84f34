import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { readSettings } from '../../core/revisions/chunks.js';
import type { SettingFile } from '../../core/revisions/model.js';
import { computedAsWritten, isAbsoluteUrl } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { Owner } from '../../core/storage/ledger.js';
import { blobOid } from '../../format/space/blob-oid.js';
import type { OutlineTarget } from '../../format/space/outline/outline-pages.js';
import { findConfigFile, settingFilesOf } from '../../format/space/settings/setting-files.js';
import type { ListedPage } from '../../format/space/summary/listed-pages.js';
import type { ComputedSource } from '../../format/space/summary/summary.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { ExportMemory } from './export-memory.js';
import { assignPaths, type ItemPaths, relocatePath } from './item-paths.js';
import { readStoredSource, type WrittenPageSource, writeChangedSources } from './page-sources.js';

type Dependencies = HasStore & HasBlobs & HasWork;

/** The content of a space as the files of a repository. */
export interface ExportedContent extends ItemPaths {
  /** The hashes of all files, by path. */
  oids: ReadonlyMap<string, string>;
  /** The sources of pages and reusable content that differ from those in the space, by id. */
  sources: ReadonlyMap<string, WrittenPageSource>;
  settings: SettingFile[];
  /** The bytes of one of the files. */
  read(path: string): Promise<Buffer>;
}

export interface Exporting extends Owner {
  view: RevisionView;
  /** The content that space and branch shared last. */
  base: RevisionView | undefined;
  /** The folder of the repository. */
  directory: string;
  /** The files of the branch. */
  theirs: readonly string[];
  /** Other paths that are in use there. */
  others: readonly string[];
  /** Where another revision of the space is exported too. */
  memory?: ExportMemory;
}

/** Writes the content of a space as files; what did not change since `base` stays byte for byte. Stores nothing. */
export async function planExport(deps: Dependencies, exporting: Exporting): Promise<ExportedContent> {
  const { view, base, directory, theirs, others, organization, memory = new ExportMemory() } = exporting;
  memory.beginExport();
  const from = view.revision.repository?.directory ?? directory;
  const settings = (await readSettings(deps.store, view.revision)).map((file) => ({
    ...file,
    path: relocatePath(file.path, { from, place: { directory, root: directory } }),
  }));
  const files = await writeSettingFiles(deps, { settings, directory, organization });
  const place = { directory, root: files.root };
  const relocate = (path: string) => relocatePath(path, { from, place });
  const reserved = [...theirs, ...others, ...settings.map(({ path }) => path), files.summary];
  const items = await assignPaths({ view, base, place, from, theirs: reserved });
  const { sources, emojis } = await writeChangedSources(deps, { ...exporting, ...items, memory });
  const texts = await deps.work.exportedSettings(
    {
      directory,
      texts: new Map(settings.map(({ path, text }) => [path, text])),
      pages: listPages({ view, ...items, emojis, relocate }),
      own: [...view.pageById.keys(), ...view.reusable.map(({ id }) => id)].flatMap((id) => items.paths.get(id) ?? []),
      ...repositoryFiles(exporting, items, settings),
      variables: view.revision.variables ?? {},
    },
    organization,
  );
  const written = replaceSettings(settings, texts);
  return {
    ...items,
    ...(await collectContent(deps, view, { items, sources, settings: written, memory })),
    sources,
    settings: written,
  };
}

/** The files of the repository, as they will be and, where that is known, as they were. */
function repositoryFiles(
  { base, theirs }: Exporting,
  { paths }: ItemPaths,
  settings: SettingFile[],
): { files: string[]; formerFiles?: string[] } {
  const ours = new Set([...paths.values(), ...settings.map(({ path }) => path)]);
  if (!base) return { files: [...new Set([...ours, ...theirs])] };
  const before = [...base.pageByFile.keys(), ...base.fileByPath.keys(), ...base.reusableByPath.keys()];
  const gone = new Set(before.filter((path) => !ours.has(path)));
  const others = theirs.filter((path) => !gone.has(path));
  return { files: [...new Set([...ours, ...others])], formerFiles: [...new Set([...before, ...theirs])] };
}

interface Settled {
  settings: SettingFile[];
  directory: string;
  organization: string;
}

async function writeSettingFiles({ work }: Dependencies, { settings, directory, organization }: Settled) {
  const texts = new Map(settings.map(({ path, text }) => [path, text]));
  const paths = new Set(texts.keys());
  const config = findConfigFile(paths, directory);
  return settingFilesOf(paths, directory, await work.spaceConfig(config && texts.get(config), organization));
}

function replaceSettings(before: SettingFile[], texts: ReadonlyMap<string, string>): SettingFile[] {
  const all = new Map(before.map((file) => [file.path, file]));
  for (const [path, text] of texts) all.set(path, { path, text, oid: blobOid(text) });
  return [...all.values()];
}

interface Written {
  items: ItemPaths;
  sources: ReadonlyMap<string, WrittenPageSource>;
  settings: SettingFile[];
  memory: ExportMemory;
}

/** The hashes and the bytes of all files. */
async function collectContent(
  deps: Dependencies,
  view: RevisionView,
  { items, sources, settings, memory }: Written,
): Promise<Pick<ExportedContent, 'oids' | 'read'>> {
  const oids = new Map<string, string>();
  const readers = new Map<string, () => Promise<Buffer>>();
  const noteFile = (path: string | undefined, oid: string | undefined, read: () => Promise<Buffer>) => {
    if (path === undefined || oid === undefined) return;
    oids.set(path, oid);
    readers.set(path, read);
  };
  await eachInSlices([...view.pageById.values(), ...view.reusable], ({ id, document }) => {
    const made = sources.get(id);
    const read = async () => Buffer.from(made?.source ?? (await readStoredSource(deps, view, document)));
    noteFile(items.paths.get(id), made?.oid ?? document, read);
  });
  for (const { id, blob, git } of view.files) {
    const read = async () => (await deps.blobs.read(blob)) ?? throwBytesMissing(id);
    noteFile(items.paths.get(id), git?.oid ?? (await oidOf(memory, blob, read)), read);
  }
  for (const { path, oid, text } of settings) noteFile(path, oid, async () => Buffer.from(text));
  return { oids, read: async (path) => (await readers.get(path)?.()) ?? Buffer.alloc(0) };
}

async function oidOf({ oids }: ExportMemory, blob: string, read: () => Promise<Buffer>): Promise<string> {
  const oid = oids.get(blob) ?? blobOid(await read());
  oids.set(blob, oid);
  return oid;
}

const throwBytesMissing = (id: string): never => {
  throw new Error(`the bytes of file ${id} are missing`);
};

interface Listing extends ItemPaths {
  view: RevisionView;
  /** The emoji that the sources of pages name themselves, by the ids of the pages. */
  emojis: ReadonlyMap<string, string>;
  /** Where the repository has a path of the content. */
  relocate(path: string): string;
}

/** The pages as the table of contents lists them. */
const listPages = (listing: Listing, pages: PageEntry[] = listing.view.pages): ListedPage[] =>
  pages.map((page) => listPage(listing, page));

function listPage(listing: Listing, page: PageEntry): ListedPage {
  const { id, type, title, emoji, linkTitle, slug, computed } = page;
  const { paths, renamed, emojis } = listing;
  const [file, formerFile, fileEmoji] = [paths.get(id), renamed.get(id), emojis.get(id)];
  return omitUndefined({
    type,
    title,
    emoji: emoji || undefined,
    fileEmoji: fileEmoji || undefined,
    linkTitle: linkTitle || undefined,
    slug,
    file: type === 'document' && file !== undefined ? file : undefined,
    formerFile,
    target: type === 'link' ? outlineTargetOf(listing, page) : undefined,
    computed: computed ? (computedAsWritten(computed) as ComputedSource) : undefined,
    // Generated children are left out: an import generates them again from the computed page.
    pages: type === 'computed' ? [] : listPages(listing, page.pages),
  });
}

/** The target of a link page: a file, with the anchor as it was written, or an address. */
function outlineTargetOf({ view, paths, relocate }: Listing, { target, href = '' }: PageEntry): OutlineTarget {
  const [written = '', anchor] = href.split('#', 2);
  const withAnchor = (file: string) => (anchor ? { file, anchor } : { file });
  if (typeof target?.page !== 'string') return isRelativeLink(href) ? withAnchor(relocate(written)) : { href };
  const file = paths.get(target.page);
  if (file !== undefined) return withAnchor(file);
  // Addresses in a table of contents for a page without a file, and for one that is gone.
  return view.pageById.has(target.page)
    ? { href: `/spaces/${view.revision.space}/pages/${target.page}` }
    : { href: `/broken/pages/${target.page}` };
}

const isRelativeLink = (href: string): boolean =>
  href !== '' && !isAbsoluteUrl(href) && !href.startsWith('/') && href !== 'broken-reference';
