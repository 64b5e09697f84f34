import type { Context } from '../../../shared/contract/service.js';
import type { HasStore } from '../../../shared/store/port.js';
import { grantsOn, resolveSites } from '../site/access.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { domainsOf, type SiteDocument, sites } from '../site/model.js';
import { presentSite } from '../site/presentation.js';
import { type Site, siteKind } from '../site/resources.js';
import { type HasConfig, publishedURL, publisherOf } from '../site/urls.js';

/** Presents sites of one organization. */
export async function presentSites(
  deps: HasStore & HasConfig & HasDomainOwners,
  items: SiteDocument[],
  { call, caller }: Pick<Context, 'call' | 'caller'>,
): Promise<Site[]> {
  const [first] = items;
  if (!first) return [];
  const { config, domainOwners } = deps;
  const publisher = publisherOf(deps, { call, organization: first.organization });
  const [grants] = await Promise.all([
    grantsOn(deps.store, { caller, found: items }),
    domainOwners.ofAll(call, items.flatMap(domainsOf)),
  ]);
  return Promise.all(
    items.map(async (site) => {
      const published = await publishedURL(config, { site, publisher });
      return presentSite(config, { caller, given: grants.get(site._id), site, publisher, published });
    }),
  );
}

const viewers: readonly (string | null)[] = siteKind.rights.view;

/** Sites for the services that show them, in the order of the ids; null for those that the caller may not view. */
export async function sitesFor(
  deps: HasStore & HasConfig & HasDomainOwners,
  { organization, ids }: { organization: string; ids: string[] },
  { call, caller }: Pick<Context, 'call' | 'caller'>,
): Promise<(Site | null)[]> {
  const wanted = [...new Set(ids)];
  const access = await resolveSites(deps.store, { caller, ids: wanted });
  const visible = wanted.filter((_, at) => {
    const held = access[at];
    return held?.organization === organization && held.refused === undefined && viewers.includes(held.role);
  });
  const presented = await presentSites(deps, await deps.store.getMany(sites, visible), { call, caller });
  const byId = new Map(presented.map((site) => [site.id, site]));
  return ids.map((id) => byId.get(id) ?? null);
}
