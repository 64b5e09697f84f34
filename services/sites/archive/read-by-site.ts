import { maxArchiveLines, type ReadPage } from '../../../shared/contract/archive.js';
import type { Collection, Document, Filter, Scalar, Store } from '../../../shared/store/port.js';
import { sites } from '../site/model.js';

/** Reads the documents that name a site: site after site, in the order of ids. */
export const readBySite =
  <D extends Document & { site: string }>(collection: Collection<D>): ReadPage<D> =>
  async ({ store }, organization, after = []) => {
    // A cursor is the site, and where it goes on with the site unless that was read to its end.
    let [site, ...rest]: (Scalar | undefined)[] = after;
    for (;;) {
      if (rest.length === 0) site = await findSiteAfter(store, organization, site);
      if (site === undefined) return { items: [] };
      const { items, next = [] } = await store.page(collection, {
        filter: { site } as Filter<D>,
        sort: {},
        limit: maxArchiveLines,
        after: rest.length > 0 ? (rest as Scalar[]) : undefined,
      });
      if (items.length > 0) return { items, next: [site, ...next] };
      rest = next;
    }
  };

async function findSiteAfter(store: Store, organization: string, site: Scalar | undefined) {
  const after = site === undefined ? undefined : [site];
  const { items } = await store.page(sites, { filter: { organization }, sort: {}, limit: 1, after, fields: [] });
  return items[0]?._id;
}

/** Reads the documents that have the ids of sites. */
export const readOfSites =
  <D extends Document>(collection: Collection<D>): ReadPage<D> =>
  async ({ store }, organization, after) => {
    const page = { filter: { organization }, sort: {}, limit: maxArchiveLines, after, fields: [] };
    const { items, next } = await store.page(sites, page);
    const ids = items.map(({ _id }) => _id);
    const found = new Map((await store.getMany(collection, ids)).map((each) => [each._id, each]));
    return { items: ids.flatMap((id) => found.get(id) ?? []), ...(next ? { next } : {}) };
  };
