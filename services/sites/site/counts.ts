import type { Store } from '../../../shared/store/port.js';
import type { CountSites } from '../../identity/contract.js';
import { type GrantsBySite, grantsOfPrincipals, roleOnSite, siteGrants } from './grants.js';
import { isOpen, openSites, sites } from './model.js';

/** Counts the sites that each member can access: all of the organization or, as a guest, those that anyone may visit, and what grants change. */
export async function countAccessibleSites(store: Store, { organization, members }: CountSites): Promise<number[]> {
  const [all, open, grants] = await Promise.all([
    members.some(({ role }) => role !== null) ? store.count(sites, { organization }) : 0,
    members.some(({ role }) => role === null) ? store.count(sites, { organization, ...openSites }) : 0,
    grantsToMembers(store, { organization, members }),
  ]);
  const closed = await closedSites(store, [...grants.keys()]);
  return members.map(({ user = '', role, teams = [], disabled }) => {
    if (disabled) return 0;
    const changed = closed.filter((site) => {
      const held = roleOnSite(grants.get(site) ?? [], { user, role, teams });
      return (held === null) !== (role === null);
    });
    return role === null ? open + changed.length : all - changed.length;
  });
}

async function grantsToMembers(store: Store, { organization, members }: CountSites): Promise<GrantsBySite> {
  if (!(await store.findOne(siteGrants, { organization }, { fields: ['site'] }))) return new Map();
  const ids = new Set(members.flatMap(({ user, teams = [] }) => [...(user ? [user] : []), ...teams]));
  return grantsOfPrincipals(store, { organization, ids: [...ids] });
}

/** Keeps the sites that not everybody may visit. */
async function closedSites(store: Store, ids: string[]): Promise<string[]> {
  const found = await store.getMany(sites, ids, { fields: ['published', 'visibility'] });
  return found.flatMap((site) => (site.published && isOpen(site) ? [] : [site._id]));
}
