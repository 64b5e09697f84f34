import type { Store } from '../../../shared/store/port.js';
import type { CommentStatus } from '../../content/resources.js';
import { type Counts, commenterId, commenters, places, targetPageId, targetPages } from './model.js';
import type { CommentPlace } from './places.js';

interface ListFilter {
  status: CommentStatus | 'all';
  targetPage?: string | undefined;
  authors?: string[] | undefined;
}

/** The total of a list, from the counters of its place, its page or its authors; none where it is counted in the index. */
export async function countOf(
  store: Store,
  { id }: CommentPlace,
  { status, targetPage, authors }: ListFilter,
): Promise<{ count?: number }> {
  if (targetPage !== undefined && authors !== undefined) return {};
  const fields = ['open', 'resolved'] as const;
  const options = { fields: [...fields] };
  const found: (Counts | null)[] =
    authors !== undefined
      ? await store.getMany(
          commenters,
          [...new Set(authors)].map((user) => commenterId(id, user)),
          options,
        )
      : targetPage !== undefined
        ? [await store.get(targetPages, targetPageId(id, targetPage), options)]
        : [await store.get(places, id, options)];
  const wanted = status === 'all' ? fields : [status];
  return {
    count: found.flatMap((counts) => wanted.map((each) => counts?.[each] ?? 0)).reduce((sum, each) => sum + each, 0),
  };
}
