import { invalid } from '../../../shared/errors/errors.js';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../../shared/lists/paging.js';

interface List<T, R> {
  items: T[];
  idOf: (item: T) => string;
  request: PageRequest;
  present: (items: T[]) => Promise<R[]>;
}

/** A page of items in the order of a structure. The structure may change between pages: the walk continues at its place. */
export async function pageOf<T, R>({ items, idOf, request, present }: List<T, R>): Promise<Page<R>> {
  const { page, limit } = request;
  const ids = items.map(idOf);
  const start = page === undefined ? 0 : startAt(ids, page);
  const end = start + limit;
  const answer = { count: items.length, items: await present(items.slice(start, end)) };
  if (limit === 0 || end >= items.length) return answer;
  return { next: { page: cursorAt(ids, end) }, ...answer };
}

const neighbours = 8;

/** A place between two items, described by the items around it: it is lost only when all of them are deleted. */
const cursorAt = (ids: string[], at: number): string =>
  encodeCursor([
    at,
    ids
      .slice(Math.max(0, at - neighbours), at)
      .reverse()
      .join(' '),
    ids.slice(at, at + neighbours).join(' '),
  ]);

/** The index next to the nearest neighbour that still exists; the former index when none does. */
function startAt(ids: string[], page: string): number {
  const [position, before, after] = decodeCursor(page, 3);
  if (typeof position !== 'number' || typeof before !== 'string' || typeof after !== 'string')
    throw invalid('page: not a page of this list; use next.page of the previous answer', 'list_page_unknown');
  const places = new Map(ids.map((id, at) => [id, at]));
  const [seen, unseen] = [before.split(' '), after.split(' ')];
  for (let distance = 0; distance < neighbours; distance++) {
    const last = places.get(seen[distance] ?? '');
    if (last !== undefined) return last + 1;
    const next = places.get(unseen[distance] ?? '');
    if (next !== undefined) return next;
  }
  return Math.max(0, Math.trunc(position));
}
