import { permissionsOf } from '../../../shared/contract/access.js';
import type { Caller } from '../../../shared/contract/caller.js';
import type { Config } from '../../../shared/settings/config.js';
import { accessToSite } from './access.js';
import type { GivenRole } from './grants.js';
import type { SiteDocument } from './model.js';
import { type Site, siteKind } from './resources.js';
import { type Publisher, previewPlace, siteURL } from './urls.js';

interface Shown {
  caller: Caller;
  /** The grants to the caller on the site. */
  given?: readonly GivenRole[] | undefined;
  site: SiteDocument;
  publisher: Publisher;
  /** The URL of its visitors, null while it has none. */
  published: string | null;
  /** Where its visitors sign in. */
  login?: string | undefined;
}

/** The API resource of a site, with the permissions of the caller. */
export async function presentSite(
  config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>,
  { caller, given, site, publisher, published, login }: Shown,
): Promise<Site> {
  const { _id: id, hostname, proxy } = site;
  return {
    object: 'site',
    id,
    type: site.type,
    appliedType: site.type,
    title: site.title,
    ...(hostname ? { hostname } : {}),
    basename: site.basename,
    ...(proxy ? { proxy: { origin: proxy, target: await siteURL(config, { site, publisher }) } } : {}),
    visibility: site.visibility,
    defaultLevel: 'inherit',
    permissions: permissionsOf(siteKind, accessToSite(site, caller, given)?.role),
    published: site.published,
    siteSpaces: site.siteSpaces,
    createdAt: site.createdAt,
    adaptiveContent: { enabled: site.adaptiveContent },
    agentsContext: site.agentsContext,
    features: [],
    urls: {
      location: `${config.baseUrl}/v1/orgs/${site.organization}/sites/${id}`,
      app: `${config.baseUrl}/app/o/${site.organization}/sites/${id}`,
      ...(published === null ? {} : { published }),
      ...(login ? { login } : {}),
      preview: `${previewPlace(config)}${id}/`,
    },
  };
}
