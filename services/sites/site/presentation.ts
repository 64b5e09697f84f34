import type { Config } from '../../../shared/settings/config.js';
import type { SiteDocument } from './model.js';
import type { Site } from './resources.js';
import { type Publisher, siteURL } from './urls.js';

/** The API resource of a site. `published`: the URL of its visitors, null while it has none. */
export async function presentSite(
  config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>,
  { site, publisher, published }: { site: SiteDocument; publisher: Publisher; published: string | null },
): Promise<Site> {
  const { _id: id, hostname, proxy } = site;
  return {
    object: 'site',
    id,
    type: site.type,
    title: site.title,
    ...(hostname ? { hostname } : {}),
    basename: site.basename,
    ...(proxy ? { proxy: { origin: proxy, target: await siteURL(config, { site, publisher }) } } : {}),
    visibility: site.visibility,
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
    },
  };
}
