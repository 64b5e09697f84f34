import type { Call } from '../../../shared/contract/service.js';
import { eachDocument, type HasStore, type Write } from '../../../shared/store/port.js';
import { type HasRenderers, hostTag, siteTag } from '../renderers/renderers.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteDocument, sites } from '../site/model.js';
import { type HasConfig, publisherOf, siteURL, visitorURL } from '../site/urls.js';

/** The writes that make renderers revalidate a site and its hosts, those before and after a change. */
export async function revalidateSite(
  deps: HasConfig & HasRenderers & HasDomainOwners,
  { call, states }: { call: Call; states: [SiteDocument, ...SiteDocument[]] },
): Promise<Write[]> {
  const { config, renderers } = deps;
  if (!renderers.any) return [];
  const [{ _id, organization: id }] = states;
  const publisher = publisherOf(deps, { call, organization: id });
  const urls = await Promise.all(
    states.flatMap((site) => [siteURL(config, { site, publisher }), visitorURL(config, { site, publisher })]),
  );
  return renderers.revalidate([siteTag(_id), ...urls.map((url) => hostTag(new URL(url).hostname))]);
}

/** Notifies renderers of a domain that began or ceased to count for organizations, and of their sites that ask for it. */
export async function revalidateDomain(
  { store, renderers, domainOwners }: HasStore & HasRenderers & HasDomainOwners,
  { domain, organizations }: { domain: string; organizations: string[] },
): Promise<void> {
  domainOwners.forget(domain);
  if (!renderers.any) return;
  const organization = { $in: organizations };
  // `0` follows `/`.
  const proxied = { $gte: `${domain}/`, $lt: `${domain}0` };
  const tags = [hostTag(domain)];
  for (const filter of [
    { organization, hostname: domain },
    { organization, proxy: proxied },
  ])
    for await (const { _id } of eachDocument(store, sites, filter, ['organization'])) tags.push(siteTag(_id));
  await store.batch(renderers.revalidate(tags));
}

/** Notifies renderers of sites whose pages have other scripts of integrations or other fonts: one, or without `site` all of the organization. */
export async function revalidateSites(
  { store, renderers }: HasStore & HasRenderers,
  changed: { organization: string; site?: string | undefined }[],
): Promise<void> {
  if (!renderers.any) return;
  const tags: string[] = [];
  for (const { organization, site } of changed) {
    if (site !== undefined) tags.push(siteTag(site));
    else
      for await (const { _id } of eachDocument(store, sites, { organization }, ['organization']))
        tags.push(siteTag(_id));
  }
  await store.batch(renderers.revalidate(tags));
}
