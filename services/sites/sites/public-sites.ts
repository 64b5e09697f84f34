import type { Call } from '../../../shared/contract/service.js';
import type { HasStore } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { PublicSite } from '../contract.js';
import { customizations } from '../customization/model.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { domainsOf, type SiteDocument, sites } from '../site/model.js';
import { type HasConfig, type Publisher, publisherOf, visitorURL } from '../site/urls.js';

const maxSites = 50;

/** The sites that anybody may find, the oldest first, with their addresses. */
export async function publicSites(
  deps: HasStore & HasConfig & HasDomainOwners,
  call: Call,
): Promise<{ items: PublicSite[]; more: boolean }> {
  const { store, domainOwners } = deps;
  const { items: found, next } = await store.page(sites, {
    filter: { published: true, visibility: 'public' },
    sort: { createdAt: 1 },
    limit: maxSites,
  });
  const [looks] = await Promise.all([
    store.getMany(
      customizations,
      found.map(({ _id }) => _id),
    ),
    domainOwners.ofAll(call, found.flatMap(domainsOf)),
  ]);
  const settingsOf = new Map(looks.map(({ _id, settings }) => [_id, settings]));
  const publishers = new Map<string, Publisher>();
  const publisherFor = ({ organization }: SiteDocument): Publisher => {
    const known = publishers.get(organization) ?? publisherOf(deps, { call, organization });
    publishers.set(organization, known);
    return known;
  };
  const shown = found.map(async (site): Promise<PublicSite[]> => {
    const publisher = publisherFor(site);
    const organization = await publisher.organization().catch(() => null);
    if (!organization) return [];
    const { title, favicon } = settingsOf.get(site._id) ?? {};
    return [
      omitUndefined({
        title: title ?? site.title,
        url: await visitorURL(deps.config, { site, publisher }),
        organization: organization.title,
        emoji: favicon?.emoji,
      }),
    ];
  });
  return { items: (await Promise.all(shown)).flat(), more: next !== undefined };
}
