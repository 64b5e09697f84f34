import { conflict } from '../errors/errors.js';
import type { Collection, Document, Filter, Store } from './port.js';

/**
 * Throws a CONFLICT when there are `most` documents or more. Requests at the same time may exceed it by their number: it keeps
 * strangers from filling a store.
 */
export async function checkBound<D extends Document>(
  store: Store,
  collection: Collection<D>,
  filter: Filter<D>,
  { max, what }: { max: number; what: string },
): Promise<void> {
  if ((await store.count(collection, filter)) >= max)
    throw conflict(`There are at most ${max.toLocaleString('en')} ${what}; delete some first`, 'limit_reached');
}
