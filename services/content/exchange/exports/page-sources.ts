import type { HasStore } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { documentId, type PageDocument, pageDocuments, type ReusableEntry } from '../../core/revisions/model.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { blobOid } from '../../format/space/blob-oid.js';
import type { FrontMatterEdits } from '../../format/space/front-matter/front-matter-edits.js';
import type { ExportedPage } from '../../format/workers/exports/exported-page.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ExportMemory, ReadDocument, RememberedSource } from './export-memory.js';
import { rewriteAddress, rewriteAddresses } from './exported-links.js';
import { earlierPath, type ItemPaths } from './item-paths.js';

type Dependencies = HasStore & HasWork;

/** The source of a page or of reusable content as it goes into the repository. */
export interface WrittenPageSource {
  source: string;
  oid: string;
  /** The document that it was written from. */
  of: string | undefined;
}

interface Sourcing extends ItemPaths {
  organization: string;
  space: string;
  view: RevisionView;
  base: RevisionView | undefined;
  memory: ExportMemory;
}

export interface ExportSources {
  /** Sources that differ from those in the space, by id. */
  sources: Map<string, WrittenPageSource>;
  /** The emoji that sources name themselves, by the ids of their pages. */
  emojis: Map<string, string>;
}

/** Documents whose links are read at once, and sources that are written at once. */
const atOnce = { links: 200, sources: 32 };

/** The input for the new source of one page. */
type Writing = Omit<ExportedPage, 'source'> & { id: string; path: string; document: string | undefined };

/** The sources that have to be written for the repository: links by id become paths, and titles get into the pages that they name. */
export async function writeChangedSources(deps: Dependencies, sourcing: Sourcing): Promise<ExportSources> {
  const items = await findChangedItems(sourcing);
  const sources = new Map<string, WrittenPageSource>();
  for (const part of splitIntoParts(items, atOnce.links)) {
    const documents = await readDocuments(deps, sourcing, part);
    const writings: Writing[] = [];
    for (const item of part) {
      const writing = await planWriting(sourcing, item, documents.get(item.document ?? '')?.links ?? []);
      if (writing) writings.push(writing);
    }
    for (const some of splitIntoParts(writings, atOnce.sources))
      await writeSources(deps, sourcing, { writings: some, sources });
  }
  return { sources, emojis: await readFileEmojis(deps, sourcing) };
}

/** Yields the items in parts of `size`. */
export function* splitIntoParts<T>(items: T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

type Item = PageEntry | ReusableEntry;

/** Items that changed since the repository had them; all where the path of any changes, since links may lead to it. */
async function findChangedItems({ view, base, paths }: Sourcing): Promise<Item[]> {
  const all: Item[] = [];
  const changed: Item[] = [];
  let moved = false;
  await eachInSlices([...view.pageById.values(), ...view.files, ...view.reusable], (item) => {
    const path = paths.get(item.id);
    if (path === undefined) return;
    if (item.git && item.git.path !== path) moved = true;
    if ('blob' in item) return;
    all.push(item);
    const before = base?.pageById.get(item.id) ?? base?.reusableByPath.get(path);
    if (before?.document !== item.document || item.document === undefined || 'heading' in item) changed.push(item);
  });
  return moved ? all : changed;
}

/** By their ids within the space. */
async function loadDocuments(
  { store }: Dependencies,
  { revision: { space } }: RevisionView,
  { documents, fields }: { documents: readonly (string | undefined)[]; fields: (keyof PageDocument)[] },
): Promise<Map<string, PageDocument>> {
  const ids = new Map(documents.flatMap((document) => (document ? [[documentId(space, document), document]] : [])));
  const found = await store.getMany(pageDocuments, [...ids.keys()], { fields });
  return new Map(found.map((document) => [ids.get(document._id) as string, document as PageDocument]));
}

const readDocuments = (
  deps: Dependencies,
  { view, memory }: Pick<Sourcing, 'view' | 'memory'>,
  items: readonly { document?: string | undefined }[],
): Promise<Map<string, ReadDocument>> =>
  memory.documents.all(
    items.flatMap(({ document }) => document ?? []),
    (documents) => loadDocuments(deps, view, { documents, fields: ['links', 'meta'] }),
  );

async function planWriting(
  { view, base, paths }: Sourcing,
  item: Item,
  links: PageDocument['links'],
): Promise<Writing | undefined> {
  const path = paths.get(item.id) as string;
  const pathOf = (id: string) => paths.get(id) ?? earlierPath(base, id);
  const linking = { item, path };
  const addresses = await rewriteAddresses({ view, pathOf }, linking, links);
  const { id, document } = item;
  const page = 'slug' in item ? item : undefined;
  const cover = page?.cover && rewriteAddress({ view, pathOf }, linking, { url: page.cover.url, kind: 'image' });
  const named = page && (page.heading !== undefined || document === undefined) ? { title: page.title } : {};
  const edits: FrontMatterEdits = {
    ...(page && !document ? frontMatterEditsOf(page) : {}),
    ...(cover ? { cover } : {}),
  };
  if (document !== undefined && addresses.size === 0 && !('title' in named) && Object.keys(edits).length === 0)
    return undefined;
  return { id, path, document, addresses, edits, ...named };
}

const frontMatterEditsOf = ({
  emoji,
  icon,
  description,
  hidden,
  noIndex,
  noRobotsIndex,
  condition,
}: PageEntry): FrontMatterEdits =>
  Object.fromEntries(
    Object.entries({ emoji, icon, description, hidden, noIndex, noRobotsIndex, if: condition }).filter(
      (entry): entry is [string, string | boolean] => entry[1] !== undefined,
    ),
  );

async function writeSources(
  deps: Dependencies,
  { view, organization, memory }: Sourcing,
  { writings, sources }: { writings: Writing[]; sources: Map<string, WrittenPageSource> },
): Promise<void> {
  const byKey = new Map(writings.map((writing) => [keyOf(writing), writing]));
  const written = await memory.sources.all(byKey.keys(), async (keys) => {
    const made = keys.map((key) => byKey.get(key) as Writing);
    const documents = await loadDocuments(deps, view, {
      documents: made.map(({ document }) => document),
      fields: ['source'],
    });
    const pages = made.map(({ id: _, document = '', ...writing }) => ({
      ...writing,
      source: documents.get(document)?.source ?? '',
    }));
    const texts = await deps.work.exported(pages, organization);
    return keys.map((key, at) => {
      const source = texts[at] as string;
      return [key, { source, oid: blobOid(source), isChanged: source !== pages[at]?.source }] as const;
    });
  });
  for (const writing of writings) {
    const { source, oid, isChanged } = written.get(keyOf(writing)) as RememberedSource;
    if (isChanged) sources.set(writing.id, { source, oid, of: writing.document });
  }
}

/** Names all that the source of a page is written from. */
const keyOf = ({ document, addresses, edits, title }: Writing): string =>
  JSON.stringify([document, [...addresses], edits, title]);

async function readFileEmojis(deps: Dependencies, sourcing: Sourcing): Promise<Map<string, string>> {
  const emojis = new Map<string, string>();
  const pages = [...sourcing.view.pageById.values()].filter(({ emoji, document }) => emoji && document);
  for (const part of splitIntoParts(pages, atOnce.links)) {
    const documents = await readDocuments(deps, sourcing, part);
    for (const { id, document = '' } of part) {
      const emoji = documents.get(document)?.meta.emoji;
      if (emoji) emojis.set(id, emoji);
    }
  }
  return emojis;
}

/** The bytes of a page as the space has them. */
export const readStoredSource = async (
  { store }: Dependencies,
  { revision: { space } }: RevisionView,
  document: string | undefined,
): Promise<string> =>
  (await store.get(pageDocuments, documentId(space, document ?? ''), { fields: ['source'] }))?.source ?? '';
