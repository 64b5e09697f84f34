import { type Access, type AccessQuestion, accessOf } from '../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { Store } from '../../../shared/store/port.js';
import { type SiteDocument, sites } from './model.js';

type Owned = Pick<SiteDocument, '_id' | 'organization'>;

/** The access of a caller to a site: by its membership of the organization; a visitor has access to the site it visits. */
export function accessToSite({ _id, organization }: Owned, caller: Caller): Access | null {
  if (caller.kind === 'content')
    return caller.site === _id && caller.organization === organization
      ? { organization, role: null, state: 'active' }
      : null;
  return accessOf(caller, organization, membershipOf(caller, organization)?.role);
}

/** Answers the access of a caller to several sites, in the order of their ids. */
export async function resolveSites(store: Store, { caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  const found = await store.getMany(sites, ids, { fields: ['organization'] });
  const siteById = new Map(found.map((site) => [site._id, site]));
  return ids.map((id) => {
    const site = siteById.get(id);
    return site ? accessToSite(site, caller) : null;
  });
}

/** Whether an organization has a site. */
export async function isSiteOf(
  store: Store,
  { organization, site }: { organization: string; site: string },
): Promise<boolean> {
  const found = await store.get(sites, site, { fields: ['organization'] });
  return found?.organization === organization;
}
