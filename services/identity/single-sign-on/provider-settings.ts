import type { Context } from '../../../shared/contract/service.js';
import { conflict, invalid } from '../../../shared/errors/errors.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { organizations, teams } from '../organizations/model.js';
import { findActiveProviders, maxProviders, remainsActiveCheck } from '../organizations/single-sign-on.js';
import type { Team } from '../teams/resources.js';
import { presentTeams } from '../teams/teams.js';

/** Returns the write that counts one more provider. Throws 409 at the limit. */
export async function addedProviderWrite(store: Store, organization: string): Promise<Write> {
  const { providers = 0 } = (await store.get(organizations, organization, { fields: ['providers'] })) ?? {};
  if (providers >= maxProviders)
    throw conflict(`An organization has at most ${maxProviders} providers of single sign-on`, 'limit_reached');
  const below = { _id: organization, providers: { $lt: maxProviders } };
  return write.update(organizations, below, { $inc: { providers: 1 } }, { expect: 1 });
}

/** Returns the write that counts one provider less. */
export const removedProviderWrite = (organization: string): Write =>
  write.update(organizations, { _id: organization }, { $inc: { providers: -1 } }, { expect: 1 });

/** Returns the conditions that teams are of the organization; `named`: each with its field. Throws 400 naming the field of any other. */
export async function ownTeamChecks(
  store: Store,
  { organization, named }: { organization: string; named: (readonly [team: string, field: string])[] },
): Promise<Write[]> {
  const ids = [...new Set(named.map(([team]) => team))];
  const found = await store.getMany(teams, ids, { fields: ['organization'] });
  const own = new Set(found.flatMap(({ _id, organization: owner }) => (owner === organization ? [_id] : [])));
  const wrong = named.find(([team]) => !own.has(team));
  if (wrong) throw invalid(`${wrong[1]}: not a team of this organization`);
  return ids.map((_id) => write.check(teams, { _id, organization }, 1));
}

/**
 * Returns the condition under which a provider may end without locking members out. Throws 409 while the organization enforces single
 * sign-on and has no other active provider.
 */
export async function checkProviderEnd(
  store: Store,
  { _id, organization }: { _id: string; organization: string },
): Promise<Write> {
  const other = (await findActiveProviders(store, organization)).find(({ id }) => id !== _id);
  if (other) return remainsActiveCheck(other);
  const { sso } = (await store.get(organizations, organization, { fields: ['sso'] })) ?? {};
  if (sso)
    throw conflict(
      'The organization enforces single sign-on and this is its last active provider: turn `sso` off or set up another provider first',
      'last_single_sign_on_provider',
    );
  return write.check(organizations, { _id: organization, sso: { $ne: true } }, 1);
}

/** Presents the default teams of providers of one organization, by their ids, as the caller sees them. */
export async function presentDefaultTeams(
  store: Store,
  {
    context,
    organization,
    items,
  }: {
    context: Pick<Context, 'call' | 'caller'>;
    organization: string;
    items: { defaultTeam?: string | null }[];
  },
): Promise<Map<string | null | undefined, Team>> {
  const wanted = new Set(items.flatMap(({ defaultTeam }) => defaultTeam ?? []));
  const found = (await store.getMany(teams, [...wanted])).filter((team) => team.organization === organization);
  const presented = await presentTeams({ context, organization, items: found });
  return new Map(presented.map((team) => [team.id, team]));
}
