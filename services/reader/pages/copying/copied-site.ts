import { posix } from 'node:path';
import { apiError, conflict } from '../../../../shared/errors/errors.js';
import { listedPages } from '../../../../shared/values/listed-pages.js';
import { showTree, type TreeEntry } from '../../../content/contract.js';
import { encodedPath } from '../../marks/fill-marks.js';
import { addressesOf, type RequestPlace, siteSpacesOf } from '../../site/addresses.js';
import type { ReaderDependencies } from '../../site/reader-context.js';
import type { Visit } from '../../visits/visit.js';
import { archivePath } from './references.js';

/** Pages of a copy. */
const maxPages = 20_000;

/** A visit of the start of a space. */
export type Opened = RequestPlace & { visit: Visit };

/** A page of a copy. */
export interface CopiedPage {
  /** The start of its space, as visitors reach it. */
  start: string;
  /** Within the space. */
  path: string;
  /** In the archive. */
  file: string;
  isFirst: boolean;
}

export interface CopiedSite {
  pages: CopiedPage[];
  /** Where a page is in the archive, by its address (`addressKey`). */
  files: ReadonlyMap<string, string>;
}

/** The list of all pages of a space, by its first page. */
export const listBeside = (first: string): string => first.replace(/index\.html$/, '~all/index.html');

/** Equal for addresses of the same page. */
export const addressKey = ({ pathname }: Pick<URL, 'pathname'>): string => archivePath(pathname);

/** Visits an address as somebody without claims; undefined where it shows nothing to them. */
export async function openAt(deps: ReaderDependencies, address: string): Promise<Opened | undefined> {
  const found = await deps.visits.outcomeOf(`copy ${address}`, address, { given: {}, isAnonymous: true });
  if (!('visit' in found)) return undefined;
  const url = new URL(address);
  const base = new URL(deps.config.baseUrl);
  const rootPath = url.hostname === base.hostname ? base.pathname.replace(/\/+$/, '') : '';
  return { url, known: url, rootPath, visit: found.visit };
}

/** Everything that a copy of a site has. Throws 409 for a site that shows nothing, 422 for one with too many pages. */
export async function listSite(deps: ReaderDependencies, address: string): Promise<CopiedSite> {
  const opened = await openAt(deps, address);
  const listed = new Map<string, CopiedPage>();
  const files = new Map<string, string>();
  for (const part of opened ? partsOf(opened) : []) {
    for (const page of await pagesOf(deps, opened as Opened, part)) {
      // As on the site, the name of a section goes before a page that is called so.
      if (listed.has(page.file)) continue;
      listed.set(page.file, page);
      const place = `${new URL(page.start).pathname}/${encodedPath(page.path)}`;
      files.set(archivePath(place), page.file);
      if (page.isFirst) files.set(archivePath(`${place}/~all`), listBeside(page.file));
    }
    if (listed.size > maxPages)
      throw apiError('UNPROCESSABLE', `The site has more pages than an archive takes: ${maxPages}`, 'too_complex');
  }
  if (listed.size === 0) throw conflict('The site shows nothing to visitors without claims', 'wrong_state');
  return { pages: [...listed.values()], files };
}

async function pagesOf(
  deps: ReaderDependencies,
  opened: Opened,
  { start, space, folder }: Part,
): Promise<CopiedPage[]> {
  const { visitor } = opened.visit;
  const { pages = [] } = (await deps.callAs(visitor)(showTree, { visitor, space, withHidden: true })).decode();
  return Array.from(listedPages(pages, kinds), ({ page: { path } }) => {
    const place = archivePath(`${folder}/${encodedPath(path)}`);
    return { start, path, file: posix.join(place, 'index.html'), isFirst: path === '' };
  });
}

interface Part {
  start: string;
  space: string;
  /** Relative to the start of the site. */
  folder: string;
}

/** The spaces that a visitor sees, the one at the start of the site last. */
function partsOf(opened: Opened): Part[] {
  const { visit, url } = opened;
  const { shown, visitor } = visit;
  const { local, page } = addressesOf(visit, opened);
  const parts = siteSpacesOf(visit).flatMap(({ id, space, urls }): Part[] => {
    const isShown = id === shown.siteSpace;
    const path = isShown ? page('') : urls.published && local(urls.published);
    if (!path?.startsWith(shown.siteBasePath) || !visitor.spaces.includes(space.id)) return [];
    return [{ start: new URL(path, url).href, space: space.id, folder: path.slice(shown.siteBasePath.length) }];
  });
  return parts.sort((one, other) => Number(one.folder === '') - Number(other.folder === ''));
}

const kinds = {
  isPage: ({ kind }: TreeEntry) => kind === 'document',
  isGroup: ({ kind }: TreeEntry) => kind === 'group',
};
