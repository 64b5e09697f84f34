import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { iconSvg } from '../../../../shared/icons/icons.js';
import { safeHref, sign } from '../frame/links.js';
import type { TreeEntry } from '../page-model.js';

/** Up to this many entries are in every page; of larger tables of contents only what is near the page. */
export const maxWholeTree = 300;
/** Of a larger one, entries beyond these are left out unless they lead to the page. */
const maxShown = 1000;
const maxDepth = 50;

/** An entry as HTML in pieces, so that it is marked without being rendered again. */
interface Row {
  /** Its HTML before and after the place of `aria-current`, then after the place of `open`, then after its children. */
  pieces: [string, string, string, string];
  /** The link alone, for a row whose children are left out. */
  alone: string;
  parent: Row | undefined;
  children: Row[];
  /** Whether it has a place for `aria-current`. */
  isMarkable: boolean;
  /** A heading of the first level: its entries are always shown. */
  isHeading: boolean;
}

/** A table of contents, rendered once for a revision. */
export interface TreeHtml {
  rows: ReadonlyMap<string, Row>;
  roots: Row[];
  isWhole: boolean;
  /** HTML of the link to the page of all pages. */
  allPages: string;
}

interface TreeOptions {
  icons: 'regular' | 'solid';
  /** Text and address of the link to the page of all pages. */
  allPages: { title: string; href: string };
}

const place = '\u0001';
const markPlace = ` data-at="${place}"`;
const currentMark = ' aria-current="page"';
const openMark = ' open';

const withoutPlaces = (text: string) => text.replaceAll(place, '\ufffd');

const label = (entry: TreeEntry, icons: 'regular' | 'solid') => [
  sign(icons, entry),
  <span>{withoutPlaces(entry.title)}</span>,
];

/** The link of an entry; `data-at` becomes the place of `aria-current`. */
function entryLink(entry: TreeEntry, icons: 'regular' | 'solid'): VNode {
  const href = safeHref(entry.href);
  if (href === undefined) return <span class="tree-text">{label(entry, icons)}</span>;
  if (entry.kind !== 'link')
    return (
      <a href={withoutPlaces(href)} data-at={place}>
        {label(entry, icons)}
      </a>
    );
  return (
    <a href={withoutPlaces(href)} rel="noopener">
      {label(entry, icons)}
      {iconSvg('arrow-up-right-from-square', 'solid', 'outside')}
    </a>
  );
}

/** A row that opens and closes has the place of `open` after its second piece. */
function rowPieces(
  entry: TreeEntry,
  icons: 'regular' | 'solid',
  depth: number,
): Pick<Row, 'pieces' | 'alone' | 'isMarkable' | 'isHeading'> {
  const html = renderToString(entryLink(entry, icons));
  // The first one is ours: it stands before every text of the author.
  const at = html.indexOf(markPlace);
  const isMarkable = at !== -1;
  const before = isMarkable ? html.slice(0, at) : html;
  const after = isMarkable ? html.slice(at + markPlace.length) : '';
  const isHeading = entry.kind === 'group' && depth === 0;
  const facts = { alone: before + after, isMarkable, isHeading };
  if (entry.children.length === 0) return { ...facts, pieces: [`<li>${before}`, `${after}</li>`, '', ''] };
  if (isHeading) return { ...facts, pieces: [`<li class="tree-heading">${before}`, `${after}<ul>`, '', '</ul></li>'] };
  const title = renderToString(<span class="visually-hidden">{withoutPlaces(entry.title)}</span>);
  const opened = `><summary>${title}</summary><ul>`;
  return { ...facts, pieces: [`<li>${before}`, `${after}<details`, opened, '</ul></details></li>'] };
}

/** Renders a table of contents once; `treeWithCurrent` marks the page in it. */
export function renderTree(entries: TreeEntry[], { icons, allPages }: TreeOptions): TreeHtml {
  const rows = new Map<string, Row>();
  let count = 0;
  const rowOf = (entry: TreeEntry, parent: Row | undefined, depth: number): Row => {
    const shown = depth < maxDepth ? entry : { ...entry, children: [] };
    const row: Row = { ...rowPieces(shown, icons, depth), parent, children: [] };
    count += 1;
    if (!rows.has(entry.id)) rows.set(entry.id, row);
    row.children = shown.children.map((child) => rowOf(child, row, depth + 1));
    return row;
  };
  const roots = entries.map((entry) => rowOf(entry, undefined, 0));
  const link = renderToString(
    <a class="all-pages" href={safeHref(allPages.href)}>
      {allPages.title}
    </a>,
  );
  return { rows, roots, isWhole: count <= maxWholeTree, allPages: link };
}

/** The table of contents with the page marked and the way to it open; of a large one, what is near the page and a link to all pages. */
export function treeWithCurrent({ rows, roots, isWhole, allPages }: TreeHtml, pageId: string | undefined): string {
  const current = pageId === undefined ? undefined : rows.get(pageId);
  const way = new Set<Row>();
  for (let row = current; row !== undefined; row = row.parent) way.add(row);
  const html: string[] = [];
  let shown = 0;
  const write = (row: Row) => {
    const [before, after, inside, end] = row.pieces;
    const isOpen = way.has(row);
    const mark = row === current && row.isMarkable ? currentMark : '';
    if (shown >= maxShown && !isOpen) return;
    shown += 1;
    if (!isWhole && row.children.length > 0 && !isOpen && !(row.isHeading && shown < maxWholeTree)) {
      html.push('<li class="tree-more">', row.alone, '</li>');
      return;
    }
    html.push(before, mark, after, isOpen && inside !== '' ? openMark : '', inside);
    for (const child of row.children) write(child);
    html.push(end);
  };
  for (const row of roots) write(row);
  return roots.length === 0 ? '' : `<ul>${html.join('')}</ul>${isWhole ? '' : allPages}`;
}
