import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors.js';
import type { Config } from '../../../shared/settings/config.js';
import { findOrganization, type PublishingOrganization } from '../../identity/contract.js';
import type { SiteDocument } from './model.js';

type Place = Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>;

/** The organization of a site, for URLs that contain its host name. */
export type AskOrganization = () => Promise<PublishingOrganization>;

/** Asks identity for an organization once, and only when a URL needs it. Throws 404 when it does not exist. */
export function organizationOf(call: Call, id: string): AskOrganization {
  let asked: Promise<PublishingOrganization> | undefined;
  return () => (asked ??= findOrThrow(call, id));
}

async function findOrThrow(call: Call, id: string): Promise<PublishingOrganization> {
  const organization = await call(findOrganization, { id });
  if (!organization) throw notFound('Organization');
  return organization;
}

interface Hosting {
  site: Pick<SiteDocument, '_id' | 'basename' | 'hostname' | 'proxy'>;
  organization: AskOrganization;
}

/** The URL of a site without its proxy: at its own host name, at that of its organization, or below the base URL. */
export async function siteURL({ baseUrl, PUBLISH_DOMAIN }: Place, { site, organization }: Hosting): Promise<string> {
  const { _id, basename, hostname } = site;
  if (hostname) return `https://${hostname}/`;
  const host = PUBLISH_DOMAIN === undefined ? null : await organization();
  if (!host?.hostname) return `${baseUrl}/sites/${_id}/`;
  const base = `https://${host.hostname}.${PUBLISH_DOMAIN}/`;
  return host.defaultSite === _id ? base : `${base}${encodeURIComponent(basename)}/`;
}

/** The URL of a site for its visitors, published or not. `shareKey`: the key of the share link that they use. */
export async function visitorURL(
  place: Place,
  { site, organization, shareKey }: Hosting & { shareKey?: string | undefined },
): Promise<string> {
  const own = site.proxy ? `https://${site.proxy}/` : await siteURL(place, { site, organization });
  return shareKey === undefined ? own : `${own}${shareKey}/`;
}

/** The published URL of a site; null while it has none: unpublished, or of visibility `share-link` without a key. */
export async function publishedURL(
  place: Place,
  {
    site,
    organization,
    shareKey,
  }: { site: SiteDocument; organization: AskOrganization; shareKey?: string | undefined },
): Promise<string | null> {
  if (!site.published || (site.visibility === 'share-link' && shareKey === undefined)) return null;
  return visitorURL(place, { site, organization, shareKey });
}
