import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { isTurnOver, nextTurn } from '../../../../../shared/work/slices.js';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';
import type { SpaceDocument } from '../../../core/nodes/model.js';
import type { FileEntry, RedirectEntry, ReusableEntry } from '../../../core/revisions/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import { eachPageOf, isGenerated, type PageEntry, type RevisionView } from '../../../core/revisions/revision-view.js';
import { blobOid } from '../../../format/space/blob-oid.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import { ExportMemory } from '../../exports/export-memory.js';
import { type ExportedContent, planExport } from '../../exports/exported-content.js';
import { historyEntry, type RevisionFiles } from '../history/history-entry.js';
import { toJson, toLines } from '../lines.js';
import { contentFolder, historyFile } from './space-files.js';

type Dependencies = HasStore & HasBlobs & HasRevisions & HasWork & { scratchDir: string };

export interface SpaceArchiving {
  /** The names of the members of the organization, by the ids of their users. */
  names: ReadonlyMap<string, string>;
  signal: AbortSignal;
}

/** The files of a space: what it is, the ids of what it holds, its content as a repository that Git sync reads, and its history. */
export async function* spaceEntries(
  deps: Dependencies,
  space: SpaceDocument,
  { names, signal }: SpaceArchiving,
): AsyncGenerator<ArchiveEntry> {
  const { _id, revision } = space;
  const tip = await deps.revisions.get(_id, revision);
  const memory = new ExportMemory();
  const filesOf = (view: RevisionView) => revisionFiles(deps, { space, view, memory });
  const files = await filesOf(tip);
  const at = (path: string) => `spaces/${_id}/${path}`;
  yield { path: at('space.json'), content: toJson(describeSpace(space, directoryOf(tip))) };
  for (const path of files.oids.keys()) yield { path: at(path), content: await files.read(path) };
  yield* historyEntry(deps, { path: at(historyFile), tip, filesOf, names, signal });
}

const directoryOf = ({ revision }: RevisionView): string => revision.repository?.directory ?? '';

interface Filed {
  space: SpaceDocument;
  view: RevisionView;
  memory: ExportMemory;
}

/** The files of a revision: the ids of what it holds, and its content. */
async function revisionFiles(
  deps: Dependencies,
  { space: { _id, organization }, view, memory }: Filed,
): Promise<RevisionFiles> {
  const content = await planExport(deps, {
    organization,
    space: _id,
    view,
    base: undefined,
    directory: directoryOf(view),
    theirs: [],
    others: [],
    memory,
  });
  const lists = new Map([
    ['pages.ndjson', await textOf(describePages(view, content))],
    ['files.ndjson', await textOf(view.files.map((file) => describeFile(file, content)))],
    ['reusable-contents.ndjson', await textOf(view.reusable.map((it) => describeReusable(it, content)))],
    ['redirects.ndjson', await textOf([...view.redirects.values()].map(describeRedirect))],
  ]);
  const oids = new Map([...lists].map(([path, text]) => [path, blobOid(text)]));
  for (const path of [...content.oids.keys()].sort()) oids.set(contentFolder + path, content.oids.get(path) as string);
  return {
    oids,
    read: async (path) => lists.get(path) ?? content.read(path.slice(contentFolder.length)),
  };
}

async function textOf(values: Iterable<object>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of toLines(values)) {
    pieces.push(piece);
    if (isTurnOver()) await nextTurn();
  }
  return Buffer.concat(pieces);
}

const describeSpace = (space: SpaceDocument, directory: string) =>
  omitUndefined({
    id: space._id,
    title: space.title,
    emoji: space.emoji,
    icon: space.icon,
    language: space.language,
    editMode: space.editMode,
    defaultLevel: space.defaultLevel,
    parent: space.parent ?? undefined,
    formerParent: space.formerParent,
    order: space.orderKey,
    translationOf: space.translationOf,
    directory: directory || undefined,
    createdBy: space.creator,
    createdAt: space.createdAt,
    updatedAt: space.updatedAt,
  });

/** In reading order. The pages that a computed page generates are left out: an import generates them again. */
function* describePages({ pages, parentById }: RevisionView, { paths }: ExportedContent) {
  for (const page of eachPageOf(pages))
    if (!isGenerated(page)) yield describePage(page, parentById.get(page.id), paths.get(page.id));
}

const describePage = (page: PageEntry, parent: string | undefined, file: string | undefined) =>
  omitUndefined({
    id: page.id,
    parent,
    type: page.type,
    title: page.title,
    linkTitle: page.linkTitle,
    slug: page.slug,
    path: page.path,
    file,
    emoji: page.emoji,
    icon: page.icon,
    description: page.description,
    hidden: page.hidden,
    noIndex: page.noIndex,
    noRobotsIndex: page.noRobotsIndex,
    href: page.href,
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
  });

const describeFile = ({ id, name, contentType, size }: FileEntry, { paths }: ExportedContent) =>
  omitUndefined({ id, name, contentType, size, file: paths.get(id) });

const describeReusable = ({ id, title }: ReusableEntry, { paths }: ExportedContent) =>
  omitUndefined({ id, title, file: paths.get(id) });

const describeRedirect = ({ from, page, anchor }: RedirectEntry) => omitUndefined({ from, page, anchor });
