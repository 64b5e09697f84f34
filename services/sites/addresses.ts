import type { Config } from '../../shared/config.js';
import { pathSegment } from '../../shared/path-segment.js';
import type { PublishingOrganization } from '../identity/contract.js';
import type { Target } from './former-target.js';
import { readable } from './locate.js';
import type { SiteDocument } from './model.js';
import type { Structure } from './structure.js';
import { publishedURLs } from './urls.js';

/** The canonical URLs of a site's pages, also while it is unpublished. */
export function addressesOf(
  config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN'>,
  { site, organization }: { site: SiteDocument; organization: PublishingOrganization },
  structure: Pick<Structure, 'defaultSection'>,
  shareKey?: string,
): (target: Target) => string {
  const shown: SiteDocument = { ...site, published: true, visibility: 'public' };
  const urls = publishedURLs(config, shown, organization, structure, shareKey);
  if (!urls) throw new Error('a published site has URLs');
  return ({ placed, rest }) => urls.siteSpace(placed) + rest.map(encoded).join('/');
}

const encoded = (segment: string) => pathSegment(readable(segment));
