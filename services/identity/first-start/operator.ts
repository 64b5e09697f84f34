import type { Store } from '../../../shared/store/port.js';
import { firstStarts, theFirstStart } from './model.js';

/** Returns a question for the id of the operator's own organization: that of the first start, null before it. */
export function openOperatorLookup(store: Store): () => Promise<string | null> {
  let known: string | undefined;
  return async () => {
    known ??= (await store.get(firstStarts, theFirstStart._id, { fields: ['organization'] }))?.organization;
    return known ?? null;
  };
}
