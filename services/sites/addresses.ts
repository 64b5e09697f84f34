import type { ContentCaller } from '../../shared/contract/caller.js';
import { pathSegment } from '../../shared/text/path-segment.js';
import type { PublishingOrganization } from '../identity/contract.js';
import type { Target } from './former-target.js';
import { readable } from './locate.js';
import type { SiteDocument } from './model.js';
import { previewURLs } from './preview.js';
import type { PublishingRules } from './publishing-rules.js';
import type { Structure } from './structure.js';
import { type PublishedURLs, publishedURLs } from './urls.js';

type Visitor = Partial<Pick<ContentCaller, 'claims' | 'until' | 'preview' | 'shareKey'>>;

/** The URLs of a site's pages for one visitor: the canonical ones, also while it is unpublished; in a preview those of the preview. */
export async function addressesOf(
  rules: PublishingRules,
  { site, organization }: { site: SiteDocument; organization: PublishingOrganization },
  structure: Pick<Structure, 'defaultSection'>,
  { claims = {}, until, preview, shareKey }: Visitor,
): Promise<(target: Target) => string> {
  if (preview) return below(await previewURLs(rules, { site: site._id, claims, until, preview }, structure));
  const shown: SiteDocument = { ...site, published: true, visibility: 'public' };
  const urls = publishedURLs(rules.config, shown, organization, structure, shareKey);
  if (!urls) throw new Error('a published site has URLs');
  return below(urls);
}

const below =
  (urls: PublishedURLs) =>
  ({ placed, rest }: Target): string =>
    urls.siteSpace(placed) + rest.map(encoded).join('/');

const encoded = (segment: string) => pathSegment(readable(segment));
