import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import { collection, eachDocument, type Store } from '../../../shared/store/port.js';
import { type Role, roleIncludes } from '../../identity/resources.js';

/** The role of a member or a team on a site; `_id` is `<site>:<user|team>:<id of the user or team>`. */
export interface SiteGrantDocument {
  _id: string;
  organization: string;
  site: string;
  principal: 'user' | 'team';
  /** The id of the user or the team. */
  id: string;
  /** Null is an explicit "no access". */
  role: Role | null;
  createdAt: string;
}

export const siteGrants = collection<SiteGrantDocument>('sites_grants', [
  { on: { site: 1, principal: 1, createdAt: 1 } },
  { on: { organization: 1, id: 1, site: 1 } },
]);

export const siteGrantId = ({ site, principal, id }: Pick<SiteGrantDocument, 'site' | 'principal' | 'id'>): string =>
  `${site}:${principal}:${id}`;

/** A member as its role on a site is computed. `role`: in the organization, null for a guest. */
export interface SiteReader {
  user: string;
  role: Role | null;
  teams: readonly string[];
}

export type GivenRole = Pick<SiteGrantDocument, 'principal' | 'id' | 'role'>;

/** The grant that decides for a member: its own, or else the highest of its teams; undefined where its role in the organization does. */
export function decidingGrant(given: readonly GivenRole[], { user, role, teams }: SiteReader): GivenRole | undefined {
  if (role === 'admin') return undefined;
  const own = given.find(({ principal, id }) => principal === 'user' && id === user);
  if (own) return own;
  const ofTeams = given.filter(({ principal, id }) => principal === 'team' && teams.includes(id));
  return ofTeams.reduce<GivenRole | undefined>(
    (highest, each) => (highest && roleIncludes(highest.role, each.role) ? highest : each),
    undefined,
  );
}

/** The role of a member on a site with these grants, null for none of them or as a guest. Admins of the organization are admins of each site. */
export function roleOnSite(given: readonly GivenRole[], reader: SiteReader): Role | null {
  const deciding = decidingGrant(given, reader);
  return deciding ? deciding.role : reader.role;
}

/** The caller as a reader of an organization; undefined for one who is no member there. */
export function siteReaderOf(caller: Caller, organization: string): SiteReader | undefined {
  const membership = membershipOf(caller, organization);
  if (caller.kind !== 'user' || !membership) return undefined;
  return { user: caller.user, role: membership.role as Role | null, teams: membership.teams };
}

export type GrantsBySite = ReadonlyMap<string, readonly GivenRole[]>;

interface WantedGrants {
  caller: Caller;
  organization: string;
  /** The ids of sites; all of the organization by default. */
  sites?: string[];
}

const atOnce = 500;

/** The grants to a caller and its teams on sites of an organization, by site. Reads nothing for callers whom none concerns. */
export async function grantsTo(store: Store, { caller, organization, sites }: WantedGrants): Promise<GrantsBySite> {
  const reader = siteReaderOf(caller, organization);
  if (!reader || reader.role === 'admin') return new Map();
  return grantsOfPrincipals(store, { organization, ids: [reader.user, ...reader.teams], ...(sites ? { sites } : {}) });
}

/** The grants to these users and teams, by site. */
export async function grantsOfPrincipals(
  store: Store,
  { organization, ids, sites }: { organization: string; ids: string[]; sites?: string[] },
): Promise<GrantsBySite> {
  const bySite = new Map<string, GivenRole[]>();
  for (let start = 0; start < ids.length; start += atOnce) {
    const filter = {
      organization,
      id: { $in: ids.slice(start, start + atOnce) },
      ...(sites ? { site: { $in: sites } } : {}),
    };
    for await (const { site, principal, id, role } of eachDocument(store, siteGrants, filter)) {
      const given = bySite.get(site) ?? [];
      bySite.set(site, given);
      given.push({ principal, id, role });
    }
  }
  return bySite;
}
