import { missesRight } from '../../../shared/contract/access.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { type HasStore, write } from '../../../shared/store/port.js';
import { identityContract } from '../../identity/contract.js';
import type { customHostnameOperations } from '../contract/custom-hostnames.js';
import type { HasRenderers } from '../renderers/renderers.js';
import { accessToSite, grantsOn } from '../site/access.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteDocument, sites } from '../site/model.js';
import { siteKind } from '../site/resources.js';
import { type HasConfig, publisherOf } from '../site/urls.js';
import { revalidateSite } from './revalidation.js';

const administrators: readonly (string | null)[] = siteKind.rights.admin;

export const customHostnameHandlers = (
  deps: HasStore & HasConfig & HasRenderers & HasDomainOwners,
): HandlersOf<typeof customHostnameOperations> => ({
  async getCustomHostname({ path }, context) {
    const { site, counts } = await siteNamed(deps, path.hostname, context);
    return {
      object: 'custom-hostname',
      hostname: site.hostname,
      target: { type: 'site', site: site._id },
      isActive: counts,
      ...(counts ? { status: 'dns_passed' as const } : {}),
      urls: { location: `${deps.config.baseUrl}/v1/custom-hostnames/${site.hostname}` },
    };
  },

  async dnsRevalidateCustomHostname({ path }, context) {
    const { site } = await siteNamed(deps, path.hostname, context);
    const domain = { organizationId: site.organization, domain: site.hostname };
    await context.call(identityContract.checkDomainInOrganization, { path: domain });
  },

  async removeCustomHostname({ path }, context) {
    const { site } = await siteNamed(deps, path.hostname, context);
    const { _id, organization, hostname, ...rest } = site;
    const after = { ...rest, _id, organization };
    await deps.store.batch([
      write.update(sites, { _id, hostname }, { $unset: { hostname: true } }, { expect: 1 }),
      ...(await revalidateSite(deps, { call: context.call, states: [site, after] })),
      context.audit('site', _id, { organization, details: { hostname: null } }),
    ]);
  },
});

interface NamedSite {
  site: SiteDocument & { hostname: string };
  /** Whether the host name counts for the organization of the site. */
  counts: boolean;
}

/**
 * The site that asks for a host name and that the caller administers; of several, that which the name counts for. Throws 404 without
 * one that the caller belongs to, 403 without the right.
 */
async function siteNamed(
  deps: HasStore & HasDomainOwners,
  name: string,
  { call, caller }: Pick<Context, 'call' | 'caller'>,
): Promise<NamedSite> {
  const hostname = name.toLowerCase();
  const organization = { $in: caller.kind === 'user' ? Object.keys(caller.memberships) : [] };
  const { items } = await deps.store.page(sites, {
    filter: { hostname, organization },
    sort: {},
    limit: Math.max(1, organization.$in.length),
  });
  const grants = await grantsOn(deps.store, { caller, found: items });
  const reached = items.flatMap((site) => {
    const access = accessToSite(site, caller, grants.get(site._id));
    return access && access.refused === undefined && access.role !== null ? [{ site, access }] : [];
  });
  if (reached.length === 0) throw notFound('Custom hostname');
  const found: NamedSite[] = [];
  for (const { site, access } of reached)
    if (administrators.includes(access.role)) {
      const counts = await publisherOf(deps, { call, organization: site.organization }).owns(hostname);
      found.push({ site: { ...site, hostname }, counts });
    }
  const named = found.find(({ counts }) => counts) ?? found[0];
  if (!named) throw missesRight('admin', siteKind);
  return named;
}
