import type { Store } from '../../../shared/store/port.js';
import type { CommentedPage } from '../contract.js';
import { comments } from '../texts/model.js';

/** The number of open comments on each block of a page that has some, from the index alone. */
export async function countOnBlocks(store: Store, { place, page }: CommentedPage): Promise<Record<string, number>> {
  return Object.fromEntries(await store.countBy(comments, 'node.id', { place, page, status: 'open' }));
}
