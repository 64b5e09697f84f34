import type { Call } from '../../../shared/contract/service.js';
import type { Store } from '../../../shared/store/port.js';
import type { SiteAddresses } from '../contract.js';
import type { HasDomainOwners } from './domain-owners.js';
import { sites } from './model.js';
import { type HasConfig, publisherOf, siteURL, visitorURL } from './urls.js';

type Deps = HasConfig & HasDomainOwners & { store: Store };

interface Question {
  call: Call;
  organization: string;
  site: string;
}

/** Every address of a site, also those that only lead to it; null when the organization has no such site. */
export async function addressesOf(
  deps: Deps,
  { call, organization, site: id }: Question,
): Promise<SiteAddresses | null> {
  const { config } = deps;
  const site = await deps.store.get(sites, id);
  if (site?.organization !== organization) return null;
  const publisher = publisherOf(deps, { call, organization });
  const shown = await Promise.all([
    visitorURL(config, { site, publisher }),
    siteURL(config, { site, publisher }),
    siteURL(config, { site: { ...site, hostname: '' }, publisher }),
  ]);
  const renderers = config.RENDERER_URLS.map((url) => `${url}/`);
  return {
    published: site.published,
    addresses: [...new Set([...shown, `${config.baseUrl}/sites/${id}/`, ...renderers])],
  };
}
