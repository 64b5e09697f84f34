import type { BlobLinks } from '../../../../shared/blobs/links.js';
import { Encoded } from '../../../../shared/contract/encoded.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { FileEntry, ReusableEntry } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { Presentation } from '../../reading/pages/pages.js';
import type {
  BothSides,
  CompareContents,
  ComparedFile,
  Differing,
  FileDifference,
  ListedDifferences,
  PageDifference,
  ReusableDifference,
  VariableDifference,
} from '../contract/differences.js';
import { type ComparedViews, itemChanges } from '../history/semantic-changes.js';
import { changesOf } from './changes.js';
import { findViews, namesOfViews } from './compared-views.js';
import { changesOfPage, type PagePair, pairsOfPages, shownSides } from './page-changes.js';
import { differingValues } from './value-differences.js';

/** Pages, files, reusable contents and variables of one answer each. */
const maxItems = 500;

type Dependencies = HasStore & HasRevisions & Presentation;

/** Everything that differs between two contents of a space. */
export async function listDifferences(deps: Dependencies, asked: CompareContents): Promise<Encoded<ListedDifferences>> {
  const views = { ...(await findViews(deps, asked)), presentation: deps };
  const { before, after } = views;
  return Encoded.of({
    revisions: namesOfViews(views),
    pages: await firstOf(pairsOfPages(views), (pair) => presentPair(views, pair)),
    files: await firstOf(itemChanges(before.files, after.files), (sides) => presentFiles(deps.links, sides)),
    reusableContents: await firstOf(itemChanges(before.reusable, after.reusable), presentReusables),
    variables: await firstOf(
      differingValues(before.revision.variables, after.revision.variables),
      (variable): VariableDifference => variable,
    ),
  });
}

/** Presents all items, since some turn out not to differ, and keeps the first. */
async function firstOf<T, S>(items: Iterable<T>, present: (item: T) => S | undefined): Promise<Differing<S>> {
  const first: Differing<S> = { total: 0, items: [] };
  await eachInSlices(items, (item) => {
    const presented = present(item);
    if (presented === undefined) return;
    first.total++;
    if (first.items.length < maxItems) first.items.push(presented);
  });
  return first;
}

function presentPair(views: ComparedViews, pair: PagePair): PageDifference | undefined {
  const page = pair.later ?? pair.earlier;
  const difference = changesOfPage(views, pair);
  if (!page || difference.changes.length === 0) return undefined;
  return { id: page.id, type: page.type, ...difference, ...shownSides(pair) };
}

function presentFiles(links: BlobLinks, { before, after }: BothSides<FileEntry>): FileDifference | undefined {
  const changes = changesOf({ before, after }, { name: 'name', holds: ['blob', 'contentType'] });
  const file = after ?? before;
  if (!file || changes.length === 0) return undefined;
  const shown = { before: before && presentFile(links, before), after: after && presentFile(links, after) };
  return { id: file.id, changes, ...omitUndefined(shown) };
}

function presentFile(links: BlobLinks, { name, contentType, size, dimensions, blob }: FileEntry): ComparedFile {
  const isImage = contentType.startsWith('image/');
  const path = links.signedPathOf({ id: blob, name });
  return omitUndefined({ name, contentType, size, path, isImage, dimensions });
}

function presentReusables({ before, after }: BothSides<ReusableEntry>): ReusableDifference | undefined {
  const changes = changesOf({ before, after }, { name: 'title', holds: ['document'] });
  const entry = after ?? before;
  if (!entry || changes.length === 0) return undefined;
  const shown = { before: before && { title: before.title }, after: after && { title: after.title } };
  return { id: entry.id, changes, ...omitUndefined(shown) };
}
