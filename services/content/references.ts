import { posix } from 'node:path';
import { percentDecoded } from './format/paths.js';
import type { ContentRef } from './resources.js';
import type { PageEntry, RevisionView } from './revisions.js';

const scheme = /^[a-z][a-z0-9+.-]*:|^\/\//i;

/** Whether an address names its host or scheme, and so nothing of the repository. */
export const isOutside = (url: string): boolean => scheme.test(url);

/** The path in the repository that a relative link of a file means; undefined for one that leaves the tree. */
export function targetPath(fromFile: string, link: string): string | undefined {
  const path = link.startsWith('/') ? link.slice(1) : posix.join(posix.dirname(fromFile), link);
  const normal = posix.normalize(percentDecoded(path)).replace(/^\.\//, '');
  return normal.startsWith('..') ? undefined : normal;
}

/** The files whose page a path may mean, the likeliest first. */
export function pageFiles(path: string): string[] {
  const plain = path.replace(/\/+$/, '');
  const folder = plain === '' || plain === '.' ? '' : `${plain}/`;
  return [plain, `${folder}README.md`, `${plain}.md`];
}

function pageAt(view: RevisionView, path: string): PageEntry | undefined {
  for (const file of pageFiles(path)) {
    const page = view.pageByFile.get(file);
    if (page) return page;
  }
  return undefined;
}

type Aliased = Pick<PageEntry, 'aliases'>;

/** The anchor that a link means: by the name that it has, or by another one of the same. */
const anchorIn = ({ aliases = [] }: Aliased, anchor: string): string => {
  const name = percentDecoded(anchor);
  return aliases.find(([alias]) => alias === name)?.[1] ?? anchor;
};

/** What no page, file or reusable content is called: readers of a revision do not find it, and show a broken reference as such. */
const nowhere = 'broken';

/** What a URL in a page points at within its revision; undefined for an address outside, which stays as it is written. */
export function refOf(
  view: RevisionView,
  page: Pick<PageEntry, 'git' | 'aliases'>,
  url: string,
  kind: string,
): ContentRef | undefined {
  if (url === '' || isOutside(url)) return undefined;
  const [link = '', anchor] = url.split('#', 2);
  if (link === '') return anchor ? { kind: 'anchor', anchor: anchorIn(page, anchor) } : undefined;
  const path = targetPath(page.git?.path ?? '', link.split('?', 1)[0] as string);
  return (path === undefined ? undefined : refAt(view, path, anchor, kind)) ?? brokenRef(kind);
}

/** Where a link of the navigation leads that is no page of the space. */
export function linkTarget(view: RevisionView, href: string): ContentRef {
  if (isOutside(href)) return { kind: 'url', url: href };
  const [path = '', anchor] = href.split('#', 2);
  return refAt(view, path.replace(/^\/+/, ''), anchor, 'link') ?? brokenRef('link');
}

function refAt(view: RevisionView, path: string, anchor: string | undefined, kind: string): ContentRef | undefined {
  const reusable = kind === 'include' ? view.reusableByPath.get(path) : undefined;
  if (reusable) return { kind: 'reusable-content', reusableContent: reusable.id };
  const file = view.fileByPath.get(path);
  if (file) return { kind: 'file', file: file.id };
  const page = pageAt(view, path);
  if (!page) return outside(view, path, anchor);
  return anchor ? { kind: 'anchor', anchor: anchorIn(page, anchor), page: page.id } : { kind: 'page', page: page.id };
}

/** A file or folder of the repository that is no part of the space, where the repository is shown. */
function outside(view: RevisionView, path: string, anchor: string | undefined): ContentRef | undefined {
  const { treeURL } = view.revision;
  const plain = path.replace(/\/+$/, '');
  if (!treeURL || !view.outside.has(plain)) return undefined;
  const place = plain.split('/').map(encodeURIComponent).join('/');
  return { kind: 'url', url: `${treeURL.replace(/\/+$/, '')}/${place}${anchor ? `#${anchor}` : ''}` };
}

function brokenRef(kind: string): ContentRef {
  if (kind === 'image' || kind === 'file') return { kind: 'file', file: nowhere };
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: nowhere };
  return { kind: 'page', page: nowhere };
}
