import { maxArchiveLines, type ReadPage } from '../../../shared/contract/archive.js';
import { readBelow } from '../../../shared/contract/archive-reading.js';
import type { Collection, Document } from '../../../shared/store/port.js';
import { sites } from '../site/model.js';

/** Reads the documents that name a site. */
export const readBySite = readBelow(sites, 'site');

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
