import type { QueryOf } from '../../../shared/contract/operation.js';
import { listPage, type Page } from '../../../shared/lists/paging.js';
import { listSorted } from '../../../shared/lists/sorted-list.js';
import type { Filter, Store } from '../../../shared/store/port.js';
import type { redirectOperations } from '../contract/redirects.js';
import { presentRedirect, type RedirectDocument, redirects } from './model.js';
import type { SiteRedirect } from './resources.js';

type Query = QueryOf<typeof redirectOperations.listSiteRedirects>;

/** The redirects of a site, in an order. */
export async function listRedirects(
  store: Store,
  site: string,
  { draft, search, orderBy, ...request }: Query,
): Promise<Page<SiteRedirect>> {
  const filter: Filter<RedirectDocument> = {
    site,
    draft: draft || null,
    ...(search ? { $contains: { index: 'source', text: search } } : {}),
  };
  if (orderBy === 'updatedAt') {
    const compare = (one: RedirectDocument, other: RedirectDocument) => (lastChange(one) < lastChange(other) ? 1 : -1);
    return listSorted(
      store,
      redirects,
      { filter, fields: ['createdAt', 'updatedAt'], compare, request },
      presentRedirect,
    );
  }
  const sort = orderBy === 'source' ? ({ source: 1 } as const) : ({ createdAt: -1 } as const);
  return listPage(store, redirects, { filter, sort, request }, (items) => items.map(presentRedirect));
}

const lastChange = ({ _id, createdAt, updatedAt = createdAt }: RedirectDocument): string => updatedAt + _id;
