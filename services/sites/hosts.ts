import { invalid } from '../../shared/errors.js';
import type { Store } from '../../shared/store/port.js';
import { findOrganization, type PublishingOrganization } from '../identity/contract.js';
import { readable, segmentsOf } from './locate.js';
import { type SiteDocument, sites } from './model.js';
import { organizationOf } from './present.js';
import type { Looking, SiteRules } from './rules.js';

/** A URL as a visitor has it; scheme, port, credentials, query and fragment do not count. */
export interface Asked {
  /** Lower case, in ASCII. */
  host: string;
  /** Of the path, percent-encoded. */
  segments: string[];
}

/** The site of a URL. */
export interface Hosted {
  site: SiteDocument;
  organization: PublishingOrganization;
  /** Segments that name it. */
  used: number;
  /** One more segment may name another site of this host. */
  further: boolean;
  /** Its name is there though it needs none: it is the one at the root of its host. */
  naming: boolean;
}

/** 400 for what is no web address. */
export function parseURL(text: string): Asked {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw invalid('url: must be an http(s) URL');
  return { host: url.hostname.replace(/\.$/, ''), segments: segmentsOf(url.pathname) };
}

const both = (texts: string[]) => [...new Set([...texts, ...texts.map((text) => text.toLowerCase())])];

/** Null where no site is. A fixed number of reads: at most one of an organization and two of sites. */
export async function siteAt(rules: SiteRules, { call }: Pick<Looking, 'call'>, asked: Asked): Promise<Hosted | null> {
  const below = await belowBase(rules, asked);
  if (below) return placed(call, below.site, below.used);
  const label = labelOf(rules, asked.host);
  if (label !== null) return ofOrganization(rules, call, label, asked.segments);
  const own = await rules.store.findOne(sites, { hostname: asked.host });
  if (own) return placed(call, own, 0);
  const proxied = await behindProxy(rules, asked);
  return proxied && placed(call, proxied.site, proxied.used);
}

async function placed(call: Looking['call'], site: SiteDocument, used: number): Promise<Hosted> {
  const organization = await organizationOf({ call }, site.organization);
  return { site, organization, used, further: false, naming: false };
}

/** `<base URL>/sites/<id>` */
async function belowBase({ store, config }: SiteRules, { host, segments }: Asked) {
  const base = parseURL(config.baseUrl);
  const [mark, id, used] = [base.segments.length, base.segments.length + 1, base.segments.length + 2];
  const isBelow = host === base.host && base.segments.every((segment, at) => segments[at] === segment);
  if (!isBelow || segments[mark]?.toLowerCase() !== 'sites' || segments[id] === undefined) return null;
  const site = await siteNamed(store, readable(segments[id]));
  return site && { site, used };
}

/** The site of an id in any case. */
export function siteNamed(store: Store, id: string): Promise<SiteDocument | null> {
  const [kind, rest] = id.split(/_(.*)/);
  return store.get(sites, `${kind?.toLowerCase()}_${rest?.toUpperCase()}`);
}

/** The host name of an organization below the domain for sites; null for any other host. */
function labelOf({ config }: SiteRules, host: string): string | null {
  const domain = config.PUBLISH_DOMAIN;
  if (!domain || !host.endsWith(`.${domain}`)) return null;
  return host.slice(0, -domain.length - 1);
}

async function ofOrganization(
  { store }: SiteRules,
  call: Looking['call'],
  label: string,
  [first]: string[],
): Promise<Hosted | null> {
  const organization = label.includes('.') ? null : await call(findOrganization, { hostname: label });
  if (!organization) return null;
  const { id, defaultSite } = organization;
  const basename = first === undefined ? [] : both([readable(first)]);
  const [named, atRoot] = await Promise.all([
    basename.length > 0 ? store.findOne(sites, { organization: id, basename: { $in: basename } }) : null,
    defaultSite === undefined ? null : store.get(sites, defaultSite),
  ]);
  if (named) return { site: named, organization, used: 1, further: false, naming: named._id === atRoot?._id };
  if (atRoot?.organization !== id) return null;
  return { site: atRoot, organization, used: 0, further: first === undefined, naming: false };
}

/** Host and path that a proxy of the customer shows; the longest path wins. */
async function behindProxy({ store }: SiteRules, { host, segments }: Asked) {
  const origins = segments.slice(0, deepestProxy).map((_, at) => `${host}/${segments.slice(0, at + 1).join('/')}`);
  if (origins.length === 0) return null;
  const { items } = await store.page(sites, { filter: { proxy: { $in: both(origins) } }, sort: {}, limit: 20 });
  const depth = ({ proxy = '' }: SiteDocument) => proxy.split('/').length - 1;
  const [site] = items.sort((a, b) => depth(b) - depth(a));
  return site ? { site, used: depth(site) } : null;
}

const deepestProxy = 8;
