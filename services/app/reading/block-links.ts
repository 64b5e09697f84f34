import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { commentsContract } from '../../comments/contract.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import type { Place } from './places.js';

/** Open comments on a page that are counted. */
const maxCounted = 500;

type Asking = Pick<ScreenRequest, 'call' | 'to' | 'words'>;

/**
 * The links from the blocks of a page to their comments: at every block for people who may comment, at those with open comments for others.
 * Undefined for the past, where nobody comments.
 */
export async function blockLinks(
  request: Asking,
  place: Place,
  page: string,
): Promise<((key: string) => string) | undefined> {
  if (place.revision !== undefined) return undefined;
  const { words, to } = request;
  const { space, changeRequest } = place;
  const counts = await openOnBlocks(request, place, page);
  const comments = to.comments(space.id, changeRequest?.number ?? null);
  return (key) => {
    const count = counts.get(key) ?? 0;
    if (count === 0 && !space.permissions.comment) return '';
    const href = `${comments}?${new URLSearchParams({ page, block: key })}`;
    const name = count === 0 ? words.comments.aboutBlock : fill(words.comments.countOnBlock, count);
    const [kind, text] = count === 0 ? ['block-comments', '+'] : ['block-comments some', String(count)];
    return `<a class="${kind}" href="${escapeHtml(href)}" aria-label="${escapeHtml(name)}" title="${escapeHtml(name)}">${text}</a>`;
  };
}

/** The number of open comments on each block of a page that has some. */
async function openOnBlocks(
  { call }: Asking,
  { space, changeRequest }: Place,
  targetPage: string,
): Promise<ReadonlyMap<string, number>> {
  const path = { spaceId: space.id };
  const query = { targetPage, status: 'open' as const, limit: maxCounted };
  const { items } = await (changeRequest
    ? call(commentsContract.listCommentsInChangeRequest, {
        path: { ...path, changeRequestId: changeRequest.id },
        query,
      })
    : call(commentsContract.listCommentsInSpace, { path, query }));
  const counts = new Map<string, number>();
  for (const { target } of items) if (target.node) counts.set(target.node.id, (counts.get(target.node.id) ?? 0) + 1);
  return counts;
}
