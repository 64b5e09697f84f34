import { eachInSlices } from '../../../../shared/work/slices.js';
import type { RedirectEntry } from '../../core/revisions/model.js';
import { pageMetaFields } from '../../core/revisions/page-fields.js';
import { anchorByAlias } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { PageMeta } from '../../format/document/stored-page.js';
import type { Outline } from '../../format/space/outline/outline.js';
import type { OutlinePage, OutlineTarget } from '../../format/space/outline/outline-pages.js';
import { withFormerPaths } from '../../writing/changes/commit-primary.js';
import type { FileTimes } from '../git/tree/source-tree.js';
import { newPageIds, type PageIdentity } from './page-ids.js';
import type { Aliases, UsedAnchors } from './used-anchors.js';

/** The file of a page as an import knows it once its document is stored. */
export interface StoredPage {
  oid: string;
  title?: string;
  meta: PageMeta;
}

export interface TreeParts {
  outline: Outline;
  /** By the path of the file. */
  stored: ReadonlyMap<string, StoredPage>;
  /** By the path of the file: the names that links of the tree use for its anchors. */
  aliases: ReadonlyMap<string, Aliases>;
  /** The revision that ids and times are kept from. */
  before: RevisionView | null;
  /** By the path of the file, from the history; other files get the time of the import. */
  times: ReadonlyMap<string, FileTimes>;
  importedAt: string;
}

/** The pages of the outline with their documents, kept ids and times, and the redirects that lead to them: also from their former paths. */
export async function buildPageTree(parts: TreeParts): Promise<{ pages: PageEntry[]; redirects: RedirectEntry[] }> {
  const { outline, stored, before } = parts;
  const identities = new Map<OutlinePage, PageIdentity>();
  await eachInSlices(eachOutlinePage(outline.pages), (page) => identities.set(page, pageIdentityOf(page, stored)));
  const ids = await newPageIds(before).assign([...identities.values()]);
  const idOf = (page: OutlinePage) => ids.get(identities.get(page) as PageIdentity) as string;
  const idByFile = new Map(
    [...identities].flatMap(([page, { file }]) => (file ? [[file.path, idOf(page)] as const] : [])),
  );
  const entries = new Map<OutlinePage, PageEntry>();
  await eachInSlices(identities.keys(), (page) => {
    const id = idOf(page);
    const own = pageFieldsOf(page, parts, idByFile);
    entries.set(page, { ...own, ...pageTimesOf(own, before?.pageById.get(id), parts), id, pages: [] });
  });
  const entriesOfPages = (pages: OutlinePage[]) => pages.map((page) => entries.get(page) as PageEntry);
  for (const [page, entry] of entries) entry.pages = entriesOfPages(pagesBelow(page));
  const pages = entriesOfPages(outline.pages);
  const own = redirectEntries(parts, idByFile);
  return { pages, redirects: before ? await withFormerPaths(before, pages, own) : own };
}

const pagesBelow = (page: OutlinePage): OutlinePage[] => ('children' in page ? page.children : []);

export function* eachOutlinePage(pages: OutlinePage[]): Generator<OutlinePage> {
  for (const page of pages) {
    yield page;
    yield* eachOutlinePage(pagesBelow(page));
  }
}

function pageIdentityOf(page: OutlinePage, stored: TreeParts['stored']): PageIdentity {
  const path = 'path' in page ? page.path : '';
  const oid = page.type === 'document' && page.file !== undefined ? stored.get(page.file)?.oid : undefined;
  return {
    type: page.type,
    title: page.title,
    path,
    ...(page.type === 'document' && page.file !== undefined && oid ? { file: { path: page.file, oid } } : {}),
    ...(page.type === 'link' ? { href: targetHref(page.target) } : {}),
  };
}

type OwnFields = Omit<PageEntry, 'id' | 'pages'>;

/** Identifies the content of a page: its document when it has a file. */
const contentKeyOf = ({ document, title, href, computed }: OwnFields): string =>
  document ?? JSON.stringify([title, href, computed]);

/** A page keeps the time when it was made, and the time of its last change while its content stays the same. */
function pageTimesOf(
  own: OwnFields,
  before: PageEntry | undefined,
  { times, importedAt }: TreeParts,
): Required<Pick<PageEntry, 'createdAt' | 'updatedAt'>> {
  const known = times.get(own.git?.path ?? '');
  const createdAt = before?.createdAt ?? known?.createdAt ?? importedAt;
  const same = before && contentKeyOf(before) === contentKeyOf(own);
  const updatedAt = (same ? before.updatedAt : undefined) ?? known?.updatedAt ?? importedAt;
  if (updatedAt < createdAt) return { createdAt, updatedAt: createdAt };
  return { createdAt, updatedAt };
}

function pageFieldsOf(page: OutlinePage, parts: TreeParts, idByFile: ReadonlyMap<string, string>): OwnFields {
  if (page.type === 'document') return documentFields(page, parts);
  if (page.type === 'group') return { type: 'group', title: page.title, slug: page.slug, path: page.path };
  if (page.type === 'computed')
    return { type: 'computed', title: page.title, slug: page.slug, path: page.path, computed: page.computed };
  return linkFields(page, parts, idByFile);
}

function documentFields(page: Extract<OutlinePage, { type: 'document' }>, { stored, aliases }: TreeParts): OwnFields {
  const { title, slug, path, file, emoji, linkTitle } = page;
  const placed = {
    type: 'document' as const,
    title,
    slug,
    path,
    ...(emoji ? { emoji } : {}),
    ...(linkTitle ? { linkTitle } : {}),
  };
  const found = file === undefined ? undefined : stored.get(file);
  if (!found || file === undefined) return placed;
  const names = aliases.get(file);
  return {
    ...placed,
    ...pageMetaFields(found.meta),
    document: found.oid,
    ...(names ? { aliases: names } : {}),
    git: { oid: found.oid, path: file },
  };
}

const targetHref = (target: OutlineTarget): string =>
  'href' in target ? target.href : `${target.file}${target.anchor ? `#${target.anchor}` : ''}`;

function resolveAnchor({ aliases }: TreeParts, file: string, name: string): string {
  const known = aliases.get(file);
  return (known && anchorByAlias(known, name)) ?? name;
}

/** A link to a page of the space points at the page; any other link keeps its address. */
function linkFields(
  { title, linkTitle, target }: Extract<OutlinePage, { type: 'link' }>,
  parts: TreeParts,
  idByFile: ReadonlyMap<string, string>,
): OwnFields {
  const own = {
    type: 'link' as const,
    title,
    ...(linkTitle ? { linkTitle } : {}),
    slug: '',
    path: '',
    href: targetHref(target),
  };
  const page = 'file' in target ? idByFile.get(target.file) : undefined;
  if (page === undefined || 'href' in target) return { ...own, target: { kind: 'url', url: own.href } };
  const { file, anchor } = target;
  if (!anchor) return { ...own, target: { kind: 'page', page } };
  return { ...own, target: { kind: 'anchor', anchor: resolveAnchor(parts, file, anchor), page } };
}

const redirectEntries = (parts: TreeParts, idByFile: ReadonlyMap<string, string>): RedirectEntry[] =>
  parts.outline.redirects.flatMap(({ from, file, anchor }) => {
    const page = idByFile.get(file);
    return page === undefined ? [] : { from, page, ...(anchor ? { anchor: resolveAnchor(parts, file, anchor) } : {}) };
  });

/** Notes the anchors that the outline itself links to. */
export function noteOutlineAnchors({ pages, redirects }: Outline, used: UsedAnchors): void {
  for (const page of eachOutlinePage(pages))
    if (page.type === 'link' && 'file' in page.target && page.target.anchor)
      used.noteName(page.target.file, page.target.anchor);
  for (const { file, anchor } of redirects) if (anchor) used.noteName(file, anchor);
}
