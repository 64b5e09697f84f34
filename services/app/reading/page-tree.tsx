import type { VNode } from 'preact';
import { showTree, type TreeEntry } from '../../content/contract.js';
import { Emblem } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { type Place, pageAddress, visitorOf } from './places.js';

/** The pages of a place, as its readers see them in their order. */
export async function treeOf({ call }: Pick<ScreenRequest, 'call'>, place: Place): Promise<TreeEntry[]> {
  return (await call(showTree, { visitor: visitorOf(place) })).decode().pages ?? [];
}

interface Shown {
  place: Place;
  /** The id of the page that is shown. */
  current?: string | undefined;
}

const maxDepth = 12;

/** The pages of a place as navigation. */
export function pageTree(
  request: Pick<ScreenRequest, 'to'>,
  entries: readonly TreeEntry[],
  shown: Shown,
  depth = 0,
): VNode | null {
  if (entries.length === 0 || depth > maxDepth) return null;
  return (
    <ul class="page-tree">
      {entries.map((entry) => (
        <li>
          {entryOf(request, entry, shown)}
          {pageTree(request, entry.pages, shown, depth + 1)}
        </li>
      ))}
    </ul>
  );
}

function entryOf(request: Pick<ScreenRequest, 'to'>, entry: TreeEntry, { place, current }: Shown): VNode {
  const { id, title, kind, path, emoji, icon, target } = entry;
  const label = (
    <>
      {(emoji || icon) && <Emblem emoji={emoji} icon={icon} fallback="file-lines" />} <span>{title}</span>
    </>
  );
  if (kind === 'group') return <p class="tree-group">{label}</p>;
  if (kind === 'document')
    return (
      <a href={pageAddress(request, place, path)} aria-current={id === current ? 'page' : undefined}>
        {label}
      </a>
    );
  return target?.kind === 'url' ? (
    <a href={target.url} rel="noopener noreferrer">
      {label}
    </a>
  ) : (
    <span>{label}</span>
  );
}
