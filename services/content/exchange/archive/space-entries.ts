import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { ArchiveEntry } from '../../../../shared/zip/zip-stream.js';
import type { SpaceDocument } from '../../core/nodes/model.js';
import type { FileEntry, RedirectEntry, ReusableEntry } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { eachPageOf, isGenerated, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { type ExportedContent, planExport } from '../exports/exported-content.js';
import { toJson, toLines } from './lines.js';

type Dependencies = HasStore & HasBlobs & HasRevisions & HasWork;

/** The files of a space: what it is, the ids of what it holds, and its content as a repository that Git sync reads. */
export async function* spaceEntries(deps: Dependencies, space: SpaceDocument): AsyncGenerator<ArchiveEntry> {
  const { _id, organization, revision } = space;
  const view = await deps.revisions.get(_id, revision);
  const directory = view.revision.repository?.directory ?? '';
  const content = await planExport(deps, {
    organization,
    space: _id,
    view,
    base: undefined,
    directory,
    theirs: [],
    others: [],
  });
  const at = (path: string) => `spaces/${_id}/${path}`;
  yield { path: at('space.json'), content: toJson(describeSpace(space, directory)) };
  yield { path: at('pages.ndjson'), content: toLines(describePages(view, content)) };
  yield { path: at('files.ndjson'), content: toLines(view.files.map((file) => describeFile(file, content))) };
  yield {
    path: at('reusable-contents.ndjson'),
    content: toLines(view.reusable.map((it) => describeReusable(it, content))),
  };
  yield { path: at('redirects.ndjson'), content: toLines([...view.redirects.values()].map(describeRedirect)) };
  for (const path of [...content.oids.keys()].sort())
    yield { path: at(`content/${path}`), content: await content.read(path) };
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
