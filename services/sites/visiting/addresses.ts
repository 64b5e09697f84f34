import type { ContentCaller } from '../../../shared/contract/caller.js';
import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import { pathSegment } from '../../../shared/text/path-segment.js';
import type { SiteDocument } from '../site/model.js';
import { type HasConfig, type Publisher, visitorURL } from '../site/urls.js';
import type { Structure } from '../structure/structure.js';
import { type SiteURLs, urlsBelow } from '../structure/urls.js';
import type { Target } from './former-targets.js';
import { readable } from './locate.js';
import { previewURLs } from './preview.js';

interface Visit {
  site: SiteDocument;
  publisher: Publisher;
  structure: Pick<Structure, 'defaultSection'>;
  visitor: Partial<Pick<ContentCaller, 'claims' | 'until' | 'preview' | 'shareKey'>>;
}

/** The canonical URLs of a site's pages for one visitor, published or not; in a preview, the URLs of the preview. */
export async function canonicalURLs(
  deps: HasConfig & { previewTokens: SignedTokens },
  { site, publisher, structure, visitor: { claims = {}, until, preview, shareKey } }: Visit,
): Promise<(target: Target) => string> {
  if (preview) return below(await previewURLs(deps, { site: site._id, claims, until, preview, structure }));
  return below(urlsBelow(await visitorURL(deps.config, { site, publisher, shareKey }), structure));
}

const below =
  (urls: SiteURLs) =>
  ({ placed, rest }: Target): string =>
    urls.siteSpace(placed) + rest.map(encode).join('/');

const encode = (segment: string) => pathSegment(readable(segment));
