import { posix } from 'node:path';
import type { LinkPlace } from '../format/document/link-places.js';
import { percentDecoded } from '../format/space/paths.js';
import type { FileEntry } from '../revisions/model.js';
import { isAbsoluteUrl, refOf } from '../revisions/references.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';
import { pageAtPath } from '../revisions/revision-view.js';

/** What links of a batch may name. */
export interface LinkScope {
  /** The content with all changes of the batch, but for the sources that it writes. */
  view: RevisionView;
  /** The ids of the pages and files that the batch names for itself. */
  refs: ReadonlyMap<string, { page: string } | { file: string }>;
  /** Of this server; addresses of its files mean the files. */
  baseUrl: string;
}

/** What a link means: a target by its id, nothing that exists, or (undefined) what it says as it is written. */
export type Target = { page: string; anchor: string | undefined } | { file: string } | 'nothing' | undefined;

/** A link of a page's new source. */
export interface NewLink extends Pick<LinkPlace, 'url' | 'kind'> {
  page: PageEntry;
  /** Whether the page had it before. */
  known: boolean;
}

/**
 * What a link means. A link by the path of a file in the repository stays as written: such paths do not change when pages move.
 * So does one that the page had before. Every other link within the space is to be written by the id of its target.
 */
export function targetOf(scope: LinkScope, link: NewLink): Target {
  const { page, url, kind, known } = link;
  if (url === '' || url.startsWith('#') || kind === 'include') return undefined;
  if (isAbsoluteUrl(url)) return ownFile(scope, url);
  const [address = '', anchor] = url.split('#', 2);
  const path = percentDecoded(address.split('?', 1)[0] as string);
  const target = named(scope, path, anchor);
  if (target || (page.git && isFound(scope, link))) return target;
  const found = placed(scope, link, { path, anchor });
  if (found || known || (!page.git && isFound(scope, link))) return found;
  return 'nothing';
}

/** `./<ref>`, `/pages/<id>` and `/files/<id>`. */
function named({ view, refs }: LinkScope, path: string, anchor: string | undefined): Target {
  const ref = path.startsWith('./') ? path.slice(2) : '';
  const target = refs.get(ref) ?? refs.get(ref.replace(/\.md$/, ''));
  if (target) return 'page' in target ? { ...target, anchor } : target;
  const [, kind, id = ''] = /^\/(pages|files)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'pages' && view.pageById.has(id)) return { page: id, anchor };
  return kind === 'files' && view.fileById.has(id) ? { file: id } : undefined;
}

/** The page or file at a path: below `/pages`, as seen from the file that the page has or would have, or from the page itself. */
function placed(
  { view }: LinkScope,
  { page, kind }: NewLink,
  { path, anchor }: { path: string; anchor: string | undefined },
): Target {
  const mayBePage = kind !== 'image' && kind !== 'file';
  for (const candidate of candidates(page, path)) {
    const found = mayBePage ? pageAtPath(view, withoutFile(candidate)) : undefined;
    if (found) return { page: found.id, anchor };
    const file = view.fileByPath.get(candidate);
    if (file) return { file: file.id };
  }
  return undefined;
}

function* candidates(page: PageEntry, path: string): Generator<string> {
  if (path.startsWith('/')) return yield path.replace(/^\/(?:pages\/)?/, '');
  const file = page.pages.length > 0 ? `${page.path}/README.md` : `${page.path}.md`;
  for (const from of [file, page.path]) {
    const joined = posix.join(posix.dirname(from), path);
    if (!joined.startsWith('..')) yield joined === '.' ? '' : joined;
  }
}

/** The path of the page that a file has or would have. */
const withoutFile = (path: string) => path.replace(/(?:^|\/)readme\.md$/i, '').replace(/\.md$/i, '');

/** Whether readers find the target of the link as it is written. */
function isFound({ view }: LinkScope, { page, url, kind }: NewLink): boolean {
  const ref = refOf(view, page, url, kind);
  return ref !== undefined && !Object.values(ref).includes('broken');
}

/** A file of the space by its own address, as `format=markdown` gives it. */
function ownFile({ view, baseUrl }: LinkScope, url: string): Target {
  const prefix = `${baseUrl}/~files/`;
  if (!url.startsWith(prefix)) return undefined;
  const [blob, name = ''] = url.slice(prefix.length).split('?', 1)[0]?.split('/') ?? [];
  const same = view.files.filter((file: FileEntry) => file.blob === blob);
  const file = same.find((each) => each.name === percentDecoded(name)) ?? same[0];
  return file && { file: file.id };
}
