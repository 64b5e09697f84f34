import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { countCommentsOnBlocks } from '../../comments/contract.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import type { Place } from './places.js';

type Asking = Pick<ScreenRequest, 'call' | 'to' | 'words' | 'locale'>;

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
  const { call, words, to, locale } = request;
  const { space, changeRequest } = place;
  const open = await call(countCommentsOnBlocks, { place: changeRequest?.id ?? space.id, page });
  const counts = new Map(Object.entries(open));
  const comments = to.comments(space.id, changeRequest?.number ?? null);
  return (key) => {
    const count = counts.get(key) ?? 0;
    if (count === 0 && !space.permissions.comment) return '';
    const href = `${comments}?${new URLSearchParams({ page, block: key })}`;
    const name = count === 0 ? words.comments.aboutBlock : fill(words.comments.countOnBlock, count);
    const [kind, text] = count === 0 ? ['block-comments', '+'] : ['block-comments some', String(count)];
    return `<a class="${kind}" href="${escapeHtml(href)}" lang="${locale}" aria-label="${escapeHtml(name)}" title="${escapeHtml(name)}">${text}</a>`;
  };
}
