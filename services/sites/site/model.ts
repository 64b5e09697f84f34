import { notFound } from '../../../shared/errors/errors.js';
import { collection, type Filter, type Store } from '../../../shared/store/port.js';
import { type agentsContexts, openVisibilities, type siteTypes, type visibilities } from './resources.js';

export interface SiteDocument {
  _id: string;
  organization: string;
  type: (typeof siteTypes)[number];
  title: string;
  visibility: (typeof visibilities)[number];
  published: boolean;
  /** Its segment below the host name of the organization; unique there. */
  basename: string;
  /** The host name that it asks for; unique in the organization. It has an effect once it counts for the organization. */
  hostname?: string;
  /** Host and path that it asks for, as `hostname`. */
  proxy?: string;
  adaptiveContent: boolean;
  agentsContext: (typeof agentsContexts)[number];
  /** The version of its structure document. */
  structureVersion: number;
  /** The number of its site spaces. */
  siteSpaces: number;
  createdAt: string;
}

export const sites = collection<SiteDocument>(
  'sites_sites',
  [
    { on: { organization: 1, createdAt: 1 } },
    { on: { organization: 1, published: 1, createdAt: 1 } },
    { on: { published: 1, visibility: 1, createdAt: 1 } },
    { on: { organization: 1, basename: 1 }, unique: true },
    { on: { hostname: 1, organization: 1 }, unique: true, where: 'hostname' },
    { on: { proxy: 1, organization: 1 }, unique: true, where: 'proxy' },
    { kind: 'contains', name: 'title', fields: ['title'], within: ['organization'] },
  ],
  {
    retired: [
      { on: { hostname: 1 }, unique: true, where: 'hostname' },
      { on: { proxy: 1 }, unique: true, where: 'proxy' },
    ],
  },
);

/** The host of a proxy origin. */
export const proxyHost = (proxy: string): string => proxy.slice(0, proxy.indexOf('/'));

/** The domains that a site asks for. */
export const domainsOf = ({ hostname, proxy }: { hostname?: string | null; proxy?: string | null }): string[] => [
  ...(hostname ? [hostname] : []),
  ...(proxy ? [proxyHost(proxy)] : []),
];

/** The sites that anyone may visit. */
export const openSites: Filter<SiteDocument> = { published: true, visibility: { $in: [...openVisibilities] } };

/** Whether anyone may visit the site while it is published. */
export const isOpen = ({ visibility }: Pick<SiteDocument, 'visibility'>): boolean =>
  openVisibilities.some((open) => open === visibility);

/** Loads a site. Throws 404 when it does not exist. */
export async function siteOf(store: Store, id: string): Promise<SiteDocument> {
  const site = await store.get(sites, id);
  if (!site) throw notFound('Site');
  return site;
}
