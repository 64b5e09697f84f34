import type { Page } from '../../content/resources.js';
import { type FieldValue, openFrontMatter } from '../sources/front-matter.js';

type Layout = NonNullable<Page['layout']>;

/** How a page looks, beside its text. */
export interface Look {
  /** An address, or the path of a file; empty for none. */
  cover: string;
  layout: Layout;
}

/** The cover that a source names; undefined where its front matter cannot be read. */
export function coverIn(source: string): string | undefined {
  const cover = openFrontMatter(source).read(['cover']);
  return cover === undefined ? undefined : typeof cover === 'string' ? cover : '';
}

/** Where a layout is written, and the value there; null for the default, which need not be written. */
const settings: readonly [path: string[], valueIn: (layout: Layout) => FieldValue][] = [
  [['width'], ({ width }) => (width === 'wide' ? width : null)],
  [['cover', 'visible'], ({ cover }) => (cover ? null : false)],
  [['cover', 'size'], ({ coverSize }) => (coverSize === 'full' ? coverSize : null)],
  [['cover', 'mask'], ({ coverMask }) => (coverMask === 'radial' ? coverMask : null)],
  ...(
    [
      'title',
      'description',
      'tableOfContents',
      'outline',
      'pagination',
      'metadata',
      'tags',
      'actions',
      'anchors',
    ] as const
  ).map((name): [string[], (layout: Layout) => FieldValue] => [
    [name, 'visible'],
    (layout) => (layout[name] ? null : false),
  ]),
];

/** Front matter without an entry, with the empty line behind it. */
const empty = /^(\uFEFF?)---[ \t]*(?:\r\n?|\n)---[ \t]*(?:$|(?:\r\n?|\n){1,2})/;

/** The source of a page with another look than it has, `before`: no other line changes. Undefined where its front matter cannot be read. */
export function withLook(source: string, { cover, layout }: Look, before: Layout): string | undefined {
  const shown = coverIn(source);
  if (shown === undefined) return undefined;
  const changes: [path: string[], value: FieldValue][] = [];
  // A layout by its name, such as `landing`, says nothing of what differs from it.
  const isNamed = typeof openFrontMatter(source).read(['layout']) === 'string';
  const isSame = settings.every(([, valueIn]) => valueIn(layout) === valueIn(before));
  if (isNamed && !isSame) changes.push([['layout'], null]);
  for (const [path, valueIn] of settings) {
    const value = valueIn(layout);
    if (!isSame && (isNamed || value !== valueIn(before))) changes.push([['layout', ...path], value]);
  }
  if (cover !== shown) {
    const keys = cover === '' ? ['cover', 'coverY', 'coverDark'] : ['cover'];
    changes.push(...keys.map((key): [string[], FieldValue] => [[key], cover || null]));
  }
  return changed(source, changes);
}

function changed(source: string, changes: readonly [path: string[], value: FieldValue][]): string | undefined {
  let text = source;
  for (const [path, value] of changes) {
    const change = openFrontMatter(text).change(path, value);
    if (change === undefined) return undefined;
    if (change) text = text.slice(0, change.from) + change.insert + text.slice(change.to);
  }
  return text === source ? source : text.replace(empty, '$1');
}
