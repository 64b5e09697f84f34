import type { Config } from '../../shared/settings/config.js';
import type { PublishingOrganization } from '../identity/contract.js';
import type { SiteDocument } from './model.js';
import type { Placed, SectionEntry, Structure } from './structure.js';

type Place = Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>;

/** Where the visitors of a site come without a proxy: its own host name, that of its organization, or a path of ours. */
export function siteURL(
  { baseUrl, PUBLISH_DOMAIN }: Place,
  { _id, basename, hostname }: Pick<SiteDocument, '_id' | 'basename' | 'hostname'>,
  { hostname: host, defaultSite }: Pick<PublishingOrganization, 'hostname' | 'defaultSite'>,
): string {
  if (hostname) return `https://${hostname}/`;
  if (!host || !PUBLISH_DOMAIN) return `${baseUrl}/sites/${_id}/`;
  const base = `https://${host}.${PUBLISH_DOMAIN}/`;
  return defaultSite === _id ? base : `${base}${encodeURIComponent(basename)}/`;
}

/** The published URLs of a site and what it holds; null while visitors cannot come. */
export interface PublishedURLs {
  site: string;
  section(section: SectionEntry): string;
  siteSpace(placed: Placed): string;
}

/** `shareKey`: that of an active share link, without which a site of visibility `share-link` has no URLs. */
export function publishedURLs(
  place: Place,
  site: SiteDocument,
  organization: PublishingOrganization,
  structure: Pick<Structure, 'defaultSection'>,
  shareKey?: string,
): PublishedURLs | null {
  if (!site.published || (site.visibility === 'share-link' && shareKey === undefined)) return null;
  const own = site.proxy ? `https://${site.proxy}/` : siteURL(place, site, organization);
  return urlsBelow(shareKey === undefined ? own : `${own}${shareKey}/`, structure);
}

/** The URLs of a site and what it holds when the site begins at `base`. */
export function urlsBelow(base: string, structure: Pick<Structure, 'defaultSection'>): PublishedURLs {
  const section = ({ id, path }: SectionEntry) =>
    structure.defaultSection === id ? base : `${base}${encodeURIComponent(path)}/`;
  return {
    site: base,
    section,
    siteSpace: ({ section: holder, variant, isDefault }) => {
      const above = holder ? section(holder) : base;
      return isDefault ? above : `${above}${encodeURIComponent(variant.path)}/`;
    },
  };
}
