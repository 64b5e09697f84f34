import { type Access, type AccessQuestion, accessOfRole } from '../../../shared/contract/access.js';
import { type Caller, type InstallationCaller, reachesPlace } from '../../../shared/contract/caller.js';
import type { Filter, Store } from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import type { Role } from '../../identity/resources.js';
import { type GivenRole, type GrantsBySite, grantsTo, roleOnSite, siteReaderOf } from './grants.js';
import { isOpen, openSites, type SiteDocument, sites } from './model.js';

type Owned = Pick<SiteDocument, '_id' | 'organization' | 'published' | 'visibility'>;

/**
 * The access of a caller to a site: by the grants to it there, or else its role in the organization; without a role only where anyone
 * may visit the site. A visitor has access to the site it visits, an installation to those that it is installed on.
 */
export function accessToSite(site: Owned, caller: Caller, given: readonly GivenRole[] = []): Access | null {
  const { _id, organization, published } = site;
  if (caller.kind === 'content')
    return caller.site === _id && caller.organization === organization
      ? { organization, role: null, state: 'active' }
      : null;
  if (caller.kind === 'installation')
    return caller.organization === organization && reachesPlace(caller.sites, _id)
      ? { organization, role: roleOfInstallation(caller), state: 'active' }
      : null;
  const reader = siteReaderOf(caller, organization);
  const role = reader && roleOnSite(given, reader);
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
  const grants = await grantsOn(store, { caller, found });
  return ids.map((id) => {
    const site = siteById.get(id);
    return site ? accessToSite(site, caller, grants.get(id)) : null;
  });
}

/** The grants to a caller on sites of one or more organizations, by site. */
export async function grantsOn(
  store: Store,
  { caller, found }: { caller: Caller; found: Pick<SiteDocument, '_id' | 'organization'>[] },
): Promise<GrantsBySite> {
  const byOrganization = groupBy(found, ({ organization }) => organization);
  const all = await Promise.all(
    [...byOrganization].map(([organization, items]) =>
      grantsTo(store, { caller, organization, sites: items.map(({ _id }) => _id) }),
    ),
  );
  return new Map(all.flatMap((grants) => [...grants]));
}

/** Which sites of an organization a caller sees: those where it has a role, and those that anyone may visit. */
export async function sitesSeenBy(
  store: Store,
  { caller, organization }: { caller: Caller; organization: string },
): Promise<Filter<SiteDocument>> {
  if (caller.kind === 'installation') return {};
  const reader = siteReaderOf(caller, organization);
  if (!reader) return openSites;
  const grants = [...(await grantsTo(store, { caller, organization }))];
  const other = grants.filter(([, given]) => (roleOnSite(given, reader) === null) !== (reader.role === null));
  const ids = other.map(([site]) => site);
  if (reader.role === null) return ids.length > 0 ? { $or: [openSites, { _id: { $in: ids } }] } : openSites;
  return ids.length > 0 ? { $or: [openSites, { _id: { $nin: ids } }] } : {};
}

/** Whether an organization has a site. */
export async function isSiteOf(
  store: Store,
  { organization, site }: { organization: string; site: string },
): Promise<boolean> {
  const found = await store.get(sites, site, { fields: ['organization'] });
  return found?.organization === organization;
}
