import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { findOrganization } from '../../identity/contract.js';
import type { SitesDependencies } from '../dependencies.js';
import { type SiteDocument, sites } from '../site/model.js';
import { type AskOrganization, organizationOf } from '../site/urls.js';
import { readable, segmentsOf } from './locate.js';

/** A URL as a visitor has it, without scheme, port, credentials, query and fragment. */
export interface Asked {
  /** Lower case, in ASCII. */
  host: string;
  /** Of the path, percent-encoded. */
  segments: string[];
}

/** The site of a URL. */
export interface Hosted {
  site: SiteDocument;
  organization: AskOrganization;
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
  return { host: url.hostname.replace(/\.$/, ''), segments: segmentsOf(url.pathname) };
}

const both = (texts: string[]) => [...new Set([...texts, ...texts.map((text) => text.toLowerCase())])];

/** The site of a URL; null when there is none. Reads a fixed number of times: at most one organization and two sites. */
export async function siteAt(deps: Deps, { call, asked }: { call: Call; asked: Asked }): Promise<Hosted | null> {
  const below = await belowBase(deps, asked);
  if (below) return hosted(call, below);
  const label = labelOf(deps, asked.host);
  if (label !== null) return ofOrganization(deps, { call, label, first: asked.segments[0] });
  const own = await deps.store.findOne(sites, { hostname: asked.host });
  if (own) return hosted(call, { site: own, used: 0 });
  const proxied = await behindProxy(deps, asked);
  return proxied && hosted(call, proxied);
}

type Deps = Pick<SitesDependencies, 'store' | 'config'>;

const hosted = (call: Call, { site, used }: Pick<Hosted, 'site' | 'used'>): Hosted => ({
  site,
  organization: organizationOf(call, site.organization),
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
  { store }: Deps,
  { call, label, first }: { call: Call; label: string; first: string | undefined },
): Promise<Hosted | null> {
  const found = label.includes('.') ? null : await call(findOrganization, { hostname: label });
  if (!found) return null;
  const { id, defaultSite } = found;
  const organization = async () => found;
  const basename = { $in: first === undefined ? [] : both([readable(first)]) };
  const named = first === undefined ? null : await store.findOne(sites, { organization: id, basename });
  if (named) return { site: named, organization, used: 1, further: false, naming: named._id === defaultSite };
  const atRoot = defaultSite === undefined ? null : await store.get(sites, defaultSite);
  if (atRoot?.organization !== id) return null;
  return { site: atRoot, organization, used: 0, further: first === undefined, naming: false };
}

/** The site that a proxy of the customer shows at this host and path; the longest path wins. */
async function behindProxy({ store }: Deps, { host, segments }: Asked) {
  const origins = segments.slice(0, deepestProxy).map((_, at) => `${host}/${segments.slice(0, at + 1).join('/')}`);
  if (origins.length === 0) return null;
  const { items } = await store.page(sites, { filter: { proxy: { $in: both(origins) } }, sort: {}, limit: 20 });
  const depth = ({ proxy = '' }: SiteDocument) => proxy.split('/').length - 1;
  const [site] = items.sort((a, b) => depth(b) - depth(a));
  return site ? { site, used: depth(site) } : null;
}

const deepestProxy = 8;
