import type { Context } from '../../../../../shared/contract/service.js';
import { countOpenComments } from '../../contract/comments.js';

/** A space or a change request. */
interface Commented {
  _id: string;
  openComments?: number;
}

/**
 * The numbers of open comments of spaces or change requests, by their ids. Visitors of a site see none: sites need no comments. Only of
 * documents of an earlier release, which do not hold the number yet, the service of comments is asked.
 */
export async function openCommentCounts(
  { call, caller }: Pick<Context, 'call' | 'caller'>,
  commented: readonly Commented[],
): Promise<(place: string) => number> {
  if (caller.kind === 'content') return () => 0;
  const places = commented.filter(({ openComments }) => openComments === undefined).map(({ _id }) => _id);
  const counts = new Map(Object.entries(places.length > 0 ? await call(countOpenComments, { places }) : {}));
  for (const { _id, openComments } of commented) if (openComments !== undefined) counts.set(_id, openComments);
  return (place) => counts.get(place) ?? 0;
}
