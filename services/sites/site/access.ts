import { type Access, type AccessQuestion, accessOfRole } from '../../../shared/contract/access.js';
import { type Caller, type InstallationCaller, membershipOf, reachesPlace } from '../../../shared/contract/caller.js';
import type { Store } from '../../../shared/store/port.js';
import type { Role } from '../../identity/resources.js';
import { isOpen, type SiteDocument, sites } from './model.js';

type Owned = Pick<SiteDocument, '_id' | 'organization' | 'published' | 'visibility'>;

/**
 * The access of a caller to a site: by its membership of the organization, for guests only where anyone may visit the site; a
 * visitor has access to the site it visits, an installation to those that it is installed on.
 */
export function accessToSite(site: Owned, caller: Caller): Access | null {
  const { _id, organization, published } = site;
  if (caller.kind === 'content')
    return caller.site === _id && caller.organization === organization
      ? { organization, role: null, state: 'active' }
      : null;
  if (caller.kind === 'installation')
    return caller.organization === organization && reachesPlace(caller.sites, _id)
      ? { organization, role: roleOfInstallation(caller), state: 'active' }
      : null;
  const role = membershipOf(caller, organization)?.role;
  const isShown = role !== null || (published && isOpen(site));
  return accessOfRole(caller, organization, isShown ? role : undefined);
}

/** Scopes that open operations which need the right to change or to publish a site. */
const administering = ['site:adaptive:write', 'site:visitor:auth', 'site:views:read'];

/** The lowest role with the rights that the operations need which an installation with these scopes may call on a site. */
const roleOfInstallation = ({ scopes }: InstallationCaller): Role =>
  scopes.some((scope) => administering.includes(scope)) ? 'create' : 'read';

/** Answers the access of a caller to several sites, in the order of their ids. */
export async function resolveSites(store: Store, { caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  const found = await store.getMany(sites, ids, { fields: ['organization', 'published', 'visibility'] });
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
