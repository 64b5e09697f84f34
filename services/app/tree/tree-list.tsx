import type { VNode } from 'preact';
import type { Page } from '../../content/resources.js';
import { Emblem } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import type { Entry } from './pages.js';

interface Shown {
  /** The address of the screen. */
  base: string;
  /** The id of the page that is chosen. */
  chosen: string | undefined;
  row: typeof pageRow;
}

/** The deepest level that is indented; pages below stand there too. */
const maxIndent = 8;

/** All pages, a line each: flat, so that a thousand are shown at once. */
export const treeList = (request: Pick<ScreenRequest, 'words'>, entries: readonly Entry[], shown: Shown): VNode => (
  // biome-ignore lint/a11y/noRedundantRoles: a list without bullets is none for some browsers.
  <ol class="tree-list" role="list" aria-label={request.words.tree.list} data-tree>
    {entries.map((entry) => shown.row(request, entry, shown))}
  </ol>
);

export function pageRow(
  { words: { tree } }: Pick<ScreenRequest, 'words'>,
  { page, depth }: Entry,
  { base, chosen }: Shown,
): VNode {
  const { id, title, type, path, hidden } = page;
  return (
    <li
      class={`tree-row depth-${Math.min(depth, maxIndent)}`}
      data-page={id}
      data-holds={type === 'document' || type === 'group' ? '' : undefined}
    >
      <a
        id={`page-${id}`}
        href={`${base}?page=${encodeURIComponent(id)}#page-${id}`}
        aria-current={id === chosen ? 'true' : undefined}
      >
        {emblemOf(page)}
        <span class="tree-title">{title}</span>
        {type === 'document' ? <small class="tree-path">/{path}</small> : <small>{tree[type]}</small>}
        {hidden && <small class="badge">{tree.hiddenMark}</small>}
      </a>
    </li>
  );
}

/** The sign of a page that has one. Most have none: the same sign a thousand times would be half of the screen. */
const emblemOf = ({ emoji, icon, type }: Page): VNode =>
  type === 'document' && !emoji && !icon ? (
    <span class="emblem" />
  ) : (
    <Emblem emoji={emoji} icon={icon} fallback={fallbacks[type]} />
  );

const fallbacks = { document: 'file-lines', group: 'folder', link: 'link', computed: 'code' } as const;
