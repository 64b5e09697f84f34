import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { HasStore, Store } from '../../../shared/store/port.js';
import { findOrganization } from '../../identity/contract.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteDocument, sites } from '../site/model.js';
import { type HasConfig, type Publisher, previewHost, publisherOf } from '../site/urls.js';
import { readable, segmentsOf } from './locate.js';

/** A URL as a visitor has it, without scheme, credentials, query and fragment. */
export interface Asked {
  /** Lower case, in ASCII; without the port, which distinguishes no sites. */
  host: string;
  /** Whether the URL names a port. */
  withPort: boolean;
  /** Segments of the path, percent-encoded. */
  segments: string[];
}

/** The site of a URL. */
export interface Hosted {
  site: SiteDocument;
  publisher: Publisher;
  /** The number of segments that name it. */
  used: number;
  /** One more segment may name another site of this host. */
  further: boolean;
  /** The URL names the site although it needs no name: it is the default site of its host. */
  naming: boolean;
}

/** Throws 400 for a text that is not an http(s) URL. */
export function parseURL(text: string): Asked {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw invalid('url: must be an http(s) URL');
  const host = url.hostname.replace(/\.$/, '');
  return { host, withPort: url.port !== '', segments: segmentsOf(url.pathname) };
}

const both = (texts: string[]) => [...new Set([...texts, ...texts.map((text) => text.toLowerCase())])];

/** The site of a URL; null when there is none. Reads a fixed number of times: at most one organization and two sites. */
export async function siteAt(deps: Deps, { call, asked }: { call: Call; asked: Asked }): Promise<Hosted | null> {
  const below = await belowBase(deps, asked);
  if (below) return newHosted(deps, { call, ...below });
  const label = labelOf(deps, asked.host);
  if (label !== null) return ofOrganization(deps, { call, label, first: asked.segments[0] });
  const own = await atOwnHost(deps, { call, host: asked.host });
  if (own) return newHosted(deps, { call, site: own, used: 0 });
  const proxied = await behindProxy(deps, { call, asked });
  return proxied && newHosted(deps, { call, ...proxied });
}

/** Whether a site may be shown at a host name, so that it may have a certificate. */
export async function isSiteHost(deps: Deps, { call, host }: { call: Call; host: string }): Promise<boolean> {
  const label = labelOf(deps, host);
  if (label === previewHost) return true;
  if (label === null) return (await atOwnHost(deps, { call, host })) !== null;
  return !label.includes('.') && (await call(findOrganization, { hostname: label })) !== null;
}

type Deps = HasStore & HasConfig & HasDomainOwners;

const newHosted = (deps: Deps, { call, site, used }: Pick<Hosted, 'site' | 'used'> & { call: Call }): Hosted => ({
  site,
  publisher: publisherOf(deps, { call, organization: site.organization }),
  used,
  further: false,
  naming: false,
});

/** The site of `<base URL>/sites/<id>`. */
async function belowBase({ store, config }: Deps, { host, segments }: Asked) {
  const base = parseURL(config.baseUrl);
  const [mark, id, used] = [base.segments.length, base.segments.length + 1, base.segments.length + 2];
  const isBelow = host === base.host && base.segments.every((segment, at) => segments[at] === segment);
  if (!isBelow || segments[mark]?.toLowerCase() !== 'sites' || segments[id] === undefined) return null;
  const site = await siteNamed(store, readable(segments[id]));
  return site && { site, used };
}

/** The site with an id, in upper or lower case. */
export function siteNamed(store: Store, id: string): Promise<SiteDocument | null> {
  const [kind, rest] = id.split(/_(.*)/);
  return store.get(sites, `${kind?.toLowerCase()}_${rest?.toUpperCase()}`);
}

/** The host name of an organization below the domain for sites; null for any other host. */
function labelOf({ config }: Deps, host: string): string | null {
  const domain = config.PUBLISH_DOMAIN;
  if (!domain || !host.endsWith(`.${domain}`)) return null;
  return host.slice(0, -domain.length - 1);
}

/** The site that the first segment names, else the default site of the organization. */
async function ofOrganization(
  deps: Deps,
  { call, label, first }: { call: Call; label: string; first: string | undefined },
): Promise<Hosted | null> {
  const found = label.includes('.') ? null : await call(findOrganization, { hostname: label });
  if (!found) return null;
  const { store } = deps;
  const { id, defaultSite } = found;
  const publisher = { ...publisherOf(deps, { call, organization: id }), organization: async () => found };
  const basename = { $in: first === undefined ? [] : both([readable(first)]) };
  const named = first === undefined ? null : await store.findOne(sites, { organization: id, basename });
  if (named) return { site: named, publisher, used: 1, further: false, naming: named._id === defaultSite };
  const atRoot = defaultSite === undefined ? null : await store.get(sites, defaultSite);
  if (atRoot?.organization !== id) return null;
  return { site: atRoot, publisher, used: 0, further: first === undefined, naming: false };
}

/** The site whose own host name this is, among those that ask for it: that of the organization for which it counts. */
async function atOwnHost({ store, domainOwners }: Deps, { call, host }: { call: Call; host: string }) {
  const asking = await store.findOne(sites, { hostname: host });
  if (!asking) return null;
  for (const organization of await domainOwners.of(call, host)) {
    const isThis = asking.organization === organization;
    const site = isThis ? asking : await store.findOne(sites, { hostname: host, organization });
    if (site) return site;
  }
  return null;
}

/** The site that a proxy of the customer shows at this host and path; the longest path wins. */
async function behindProxy({ store, domainOwners }: Deps, { call, asked }: { call: Call; asked: Asked }) {
  const { host, segments } = asked;
  const origins = segments.slice(0, maxProxyDepth).map((_, at) => `${host}/${segments.slice(0, at + 1).join('/')}`);
  const proxy = { $in: both(origins) };
  if (origins.length === 0 || !(await store.findOne(sites, { proxy }, { fields: ['proxy'] }))) return null;
  const owners = await domainOwners.of(call, host);
  const filter = { proxy, organization: { $in: owners } };
  const { items } = await store.page(sites, { filter, sort: {}, limit: 100 });
  const depth = ({ proxy = '' }: SiteDocument) => proxy.split('/').length - 1;
  const rank = ({ organization }: SiteDocument) => owners.indexOf(organization);
  const [site] = items.sort((a, b) => depth(b) - depth(a) || rank(a) - rank(b));
  return site ? { site, used: depth(site) } : null;
}

const maxProxyDepth = 8;
