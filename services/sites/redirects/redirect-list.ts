import type { QueryOf } from '../../../shared/contract/operation.js';
import { listPage, type Page } from '../../../shared/lists/paging.js';
import { listSorted } from '../../../shared/lists/sorted-list.js';
import type { Filter, Store } from '../../../shared/store/port.js';
import type { redirectOperations } from '../contract/redirects.js';
import { presentRedirect, type RedirectDocument, redirects } from './model.js';
import type { SiteRedirect } from './resources.js';

type Query = QueryOf<typeof redirectOperations.listSiteRedirects>;
type Compared = Pick<RedirectDocument, '_id' | 'source' | 'createdAt' | 'updatedAt'>;

/** The redirects of a site, in an order. */
export async function listRedirects(
  store: Store,
  site: string,
  { draft, search = '', orderBy, ...request }: Query,
): Promise<Page<SiteRedirect>> {
  const filter: Filter<RedirectDocument> = { site, draft: draft || null };
  if (search === '' && orderBy !== 'updatedAt') {
    const sort = orderBy === 'source' ? ({ source: 1 } as const) : ({ createdAt: -1 } as const);
    return listPage(store, redirects, { filter, sort, request }, (items) => items.map(presentRedirect));
  }
  const wanted = search.toLowerCase();
  return listSorted(store, redirects, {
    filter,
    fields: ['source', 'createdAt', 'updatedAt'],
    keeps: ({ source }) => source.toLowerCase().includes(wanted),
    compare: (one, other) => (keys[orderBy](one) < keys[orderBy](other) === (orderBy === 'source') ? -1 : 1),
    request,
    present: presentRedirect,
  });
}

/** Compared as texts, in which no two are the same. */
const keys: Record<Query['orderBy'], (redirect: Compared) => string> = {
  source: ({ source, _id }) => `${source} ${_id}`,
  createdAt: ({ createdAt, _id }) => createdAt + _id,
  updatedAt: ({ createdAt, updatedAt = createdAt, _id }) => updatedAt + _id,
};
