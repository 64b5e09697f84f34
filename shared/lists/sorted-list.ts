import { type Collection, type Document, eachDocument, type Filter, type Store } from '../store/port.js';
import { sha256 } from '../values/ids.js';
import { type Page, type PageRequest, slicePage } from './paging.js';

interface SortedList<D extends Document, T> {
  filter: Filter<D>;
  /** The fields that are compared. */
  fields: (keyof D & string)[];
  /** Leaves out what no filter can; everything is kept by default. */
  keeps?: (document: D) => boolean;
  compare: (one: D, other: D) => number;
  request: PageRequest;
  present: (document: D) => T;
}

/** A page of documents in an order that no index has: all that match are read and compared, so there are ten thousand at most. */
export async function listSorted<D extends Document, T>(
  store: Store,
  collection: Collection<D>,
  { filter, fields, keeps = () => true, compare, request, present }: SortedList<D, T>,
): Promise<Page<T>> {
  const all: D[] = [];
  for await (const document of eachDocument(store, collection, filter, fields)) if (keeps(document)) all.push(document);
  const ids = all.sort(compare).map(({ _id }) => _id);
  const { items, ...page } = slicePage(ids, sha256(ids.join()).slice(0, 16), request, (id) => id);
  const found = new Map((await store.getMany(collection, items)).map((document) => [document._id, document]));
  const shown = items.flatMap((id): T[] => {
    const document = found.get(id);
    return document ? [present(document)] : [];
  });
  return { ...page, items: shown };
}
