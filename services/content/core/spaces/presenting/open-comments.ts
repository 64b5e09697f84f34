import type { Context } from '../../../../../shared/contract/service.js';
import { countOpenComments } from '../../contract/comments.js';

/** The numbers of open comments of spaces or change requests, by their ids. Visitors of a site see none: sites need no comments. */
export async function openCommentCounts(
  { call, caller }: Pick<Context, 'call' | 'caller'>,
  places: string[],
): Promise<(place: string) => number> {
  const asks = caller.kind !== 'content' && places.length > 0;
  const counts = asks ? await call(countOpenComments, { places }) : {};
  return (place) => counts[place] ?? 0;
}
