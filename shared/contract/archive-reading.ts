import type { Collection, Document, Filter, HasStore, Scalar } from '../store/port.js';
import { maxArchiveLines, type ReadPage } from './archive.js';

/**
 * Reads the documents of an organization that name another one by `field`, such as the sections of its sites: those of one after those of another, in
 * the order of ids.
 */
export const readBelow =
  <P extends Document & { organization: string }, F extends string>(parents: Collection<P>, field: F) =>
  <D extends Document & Record<F, string>>(collection: Collection<D>): ReadPage<D> =>
  async ({ store }, organization, after = []) => {
    // A cursor is the parent, and where it goes on with that unless it was read to its end.
    let [parent, ...rest]: (Scalar | undefined)[] = after;
    for (;;) {
      if (rest.length === 0) parent = await findAfter({ store }, parents, { organization, id: parent });
      if (parent === undefined) return { items: [] };
      const { items, next = [] } = await store.page(collection, {
        filter: { [field]: parent } as Filter<D>,
        sort: {},
        limit: maxArchiveLines,
        after: rest.length > 0 ? (rest as Scalar[]) : undefined,
      });
      if (items.length > 0) return { items, next: [parent, ...next] };
      rest = next;
    }
  };

async function findAfter<P extends Document & { organization: string }>(
  { store }: HasStore,
  parents: Collection<P>,
  { organization, id }: { organization: string; id: Scalar | undefined },
) {
  const after = id === undefined ? undefined : [id];
  const page = { filter: { organization } as Filter<P>, sort: {}, limit: 1, after, fields: [] };
  return (await store.page(parents, page)).items[0]?._id;
}
