import { chunkSize } from './model.js';

/** How a list of pages, files or others is cut: the ids of its chunks, and how many items each holds. */
export interface CutList {
  ids: string[];
  lengths: number[];
}

/** By the list itself. Content never changes, so a list that is used again needs not be cut again. */
const known = new WeakMap<readonly unknown[], CutList>();

export const knownCut = (list: readonly unknown[]): CutList | undefined => known.get(list);
export const rememberCut = (list: readonly unknown[], cut: CutList): void => void known.set(list, cut);

/** The chunks of a list with the items that each holds. */
export function chunksWithItems<T>(list: readonly T[]): { id: string; items: readonly T[] }[] {
  const { ids, lengths } = known.get(list) ?? { ids: [], lengths: [] };
  let start = 0;
  return ids.map((id, at) => {
    const items = list.slice(start, start + (lengths[at] as number));
    start += items.length;
    return { id, items };
  });
}

/** A part of a list: a chunk that an earlier list has as well, or items that are a chunk of their own. */
export type ListPart<T> = { id: string; items: readonly T[] } | { id?: undefined; items: readonly T[] };

/** Items that are not worth a chunk of their own. */
const few = chunkSize / 4;

/**
 * Cuts a list into parts of at most `chunkSize` items. What it has in common with `earlier` at both ends keeps its chunks, so
 * that a change in the middle of a long list makes one new chunk.
 */
export function cutIntoParts<T>(list: readonly T[], earlier: readonly T[] = []): ListPart<T>[] {
  const chunks = chunksWithItems(earlier);
  const before: ListPart<T>[] = [];
  let from = 0;
  while (before.length < chunks.length && hasItemsAt(list, from, chunks[before.length] as ListPart<T>)) {
    before.push(chunks[before.length] as ListPart<T>);
    from += (before.at(-1) as ListPart<T>).items.length;
  }
  const after: ListPart<T>[] = [];
  let to = list.length;
  for (let at = chunks.length - 1; at >= before.length; at--) {
    const chunk = chunks[at] as ListPart<T>;
    if (to - chunk.items.length < from || !hasItemsAt(list, to - chunk.items.length, chunk)) break;
    after.unshift(chunk);
    to -= chunk.items.length;
  }
  const middle = list.slice(from, to);
  const near = smallestJoinable(middle.length, before.at(-1), after[0]);
  if (near === undefined) return [...before, ...cutEvenly(middle), ...after];
  return near === before.at(-1)
    ? [...before.slice(0, -1), ...cutEvenly([...near.items, ...middle]), ...after]
    : [...before, ...cutEvenly([...middle, ...near.items]), ...after.slice(1)];
}

/** The chunk that a few items join, so that no list ends up in many small ones. */
function smallestJoinable<T>(count: number, ...chunks: (ListPart<T> | undefined)[]): ListPart<T> | undefined {
  if (count === 0 || count >= few) return undefined;
  const fitting = chunks.filter((chunk) => chunk !== undefined && chunk.items.length + count <= chunkSize);
  return (fitting as ListPart<T>[]).sort((a, b) => a.items.length - b.items.length)[0];
}

const hasItemsAt = <T>(list: readonly T[], start: number, { items }: ListPart<T>): boolean =>
  start + items.length <= list.length && items.every((item, at) => list[start + at] === item);

function cutEvenly<T>(items: readonly T[]): ListPart<T>[] {
  const count = Math.ceil(items.length / chunkSize);
  const size = Math.ceil(items.length / Math.max(1, count));
  return Array.from({ length: count }, (_, at) => ({ items: items.slice(at * size, (at + 1) * size) }));
}
