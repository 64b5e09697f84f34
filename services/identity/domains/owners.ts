import type { HasConfig } from '../../../shared/settings/config.js';
import type { HasStore } from '../../../shared/store/port.js';
import { domains } from './model.js';

type Dependencies = HasConfig & HasStore & { operator: () => Promise<string | null> };

const atOnce = 100;

/** The organizations whose domains count without proof, the operator's own first. */
export async function trustedOrganizations({ config, operator }: Omit<Dependencies, 'store'>): Promise<string[]> {
  const own = await operator();
  return [...new Set([...(own === null ? [] : [own]), ...config.TRUSTED_ORGANIZATIONS])];
}

/**
 * The organizations for which each of these domains counts, by domain: the one that has proven it, else those that need no
 * proof, the first of which goes before the others.
 */
export async function domainOwners(
  deps: Dependencies,
  { domains: names }: { domains: string[] },
): Promise<Record<string, string[]>> {
  const trusted = await trustedOrganizations(deps);
  const owners = Object.fromEntries(names.map((name) => [name, trusted]));
  for (let at = 0; at < names.length; at += atOnce) {
    const filter = { proven: { $in: names.slice(at, at + atOnce) } };
    const { items } = await deps.store.page(domains, { filter, sort: {}, limit: atOnce });
    for (const { domain, organization } of items) owners[domain] = [organization];
  }
  return owners;
}

/** Whether a domain counts for an organization: it has proven it, or needs no proof and no other organization has. */
export async function isDomainOwner(
  deps: Dependencies,
  { organization, domain }: { organization: string; domain: string },
): Promise<boolean> {
  const { [domain]: owners = [] } = await domainOwners(deps, { domains: [domain] });
  return owners.includes(organization);
}
