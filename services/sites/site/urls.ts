import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { Config } from '../../../shared/settings/config.js';
import { findOrganization, type PublishingOrganization } from '../../identity/contract.js';
import type { DomainOwners } from './domain-owners.js';
import { proxyHost, type SiteDocument } from './model.js';

type Place = Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>;

/** Facts that the URLs of an organization's sites depend on; each function asks identity, so call them only for a URL that needs it. */
export interface Publisher {
  /** The organization, asked once. Throws 404 when it does not exist. */
  organization: () => Promise<PublishingOrganization>;
  /** Whether a domain counts for it. */
  owns: (domain: string) => Promise<boolean>;
}

export function publisherOf(
  { domainOwners }: { domainOwners: DomainOwners },
  { call, organization: id }: { call: Call; organization: string },
): Publisher {
  let asked: Promise<PublishingOrganization> | undefined;
  return {
    organization: () => (asked ??= findOrThrow(call, id)),
    owns: async (domain) => (await domainOwners.of(call, domain)).includes(id),
  };
}

async function findOrThrow(call: Call, id: string): Promise<PublishingOrganization> {
  const organization = await call(findOrganization, { id });
  if (!organization) throw notFound('Organization');
  return organization;
}

/** The host of previews by API token, for callers who may change the site. */
export const previewHost = 'preview';

/** Where an API token previews a site, for programs that know no address of this server. */
export const previewURL = (site: string): string => `https://${previewHost}/${site}/`;

/** Where preview URLs begin: a place of their own, below which no URL belongs to a published site. */
export const previewPlace = ({ baseUrl, PUBLISH_DOMAIN }: Place): string =>
  PUBLISH_DOMAIN === undefined ? `${baseUrl}/${previewHost}/` : `https://${previewHost}.${PUBLISH_DOMAIN}/`;

interface Hosting {
  site: Pick<SiteDocument, '_id' | 'basename' | 'hostname' | 'proxy'>;
  publisher: Publisher;
}

/** A site without the names that do not count, which are not for visitors to see. */
export async function withCountingNames(site: SiteDocument, publisher: Publisher): Promise<SiteDocument> {
  const { hostname, proxy, ...rest } = site;
  return {
    ...rest,
    ...(hostname && (await publisher.owns(hostname)) ? { hostname } : {}),
    ...(proxy && (await publisher.owns(proxyHost(proxy))) ? { proxy } : {}),
  };
}

/** The URL of a site without its proxy: at its own host name if that counts, at that of its organization, or below the base URL. */
export async function siteURL({ baseUrl, PUBLISH_DOMAIN }: Place, { site, publisher }: Hosting): Promise<string> {
  const { _id, basename, hostname } = site;
  if (hostname && (await publisher.owns(hostname))) return `https://${hostname}/`;
  const host = PUBLISH_DOMAIN === undefined ? null : await publisher.organization();
  if (!host?.hostname) return `${baseUrl}/sites/${_id}/`;
  const base = `https://${host.hostname}.${PUBLISH_DOMAIN}/`;
  return host.defaultSite === _id ? base : `${base}${encodeURIComponent(basename)}/`;
}

/** The URL of a site for its visitors, published or not. `shareKey`: the key of the share link that they use. */
export async function visitorURL(
  place: Place,
  { site, publisher, shareKey }: Hosting & { shareKey?: string | undefined },
): Promise<string> {
  const isProxied = site.proxy !== undefined && (await publisher.owns(proxyHost(site.proxy)));
  const own = isProxied ? `https://${site.proxy}/` : await siteURL(place, { site, publisher });
  return shareKey === undefined ? own : `${own}${shareKey}/`;
}

/** The published URL of a site; null while it has none: unpublished, or of visibility `share-link` without a key. */
export async function publishedURL(
  place: Place,
  { site, publisher, shareKey }: { site: SiteDocument; publisher: Publisher; shareKey?: string | undefined },
): Promise<string | null> {
  if (!site.published || (site.visibility === 'share-link' && shareKey === undefined)) return null;
  return visitorURL(place, { site, publisher, shareKey });
}

export type HasConfig = { config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN' | 'RENDERER_URLS' | 'INTEGRATIONS_URL'> };
