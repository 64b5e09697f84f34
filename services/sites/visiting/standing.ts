import type { ContentCaller } from '../../../shared/contract/caller.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import type { Call } from '../../../shared/contract/service.js';
import type { HasStore } from '../../../shared/store/port.js';
import { declaredClaims } from '../publishing/adaptive-schema.js';
import { type PublishingDocument, publishing } from '../publishing/model.js';
import { isActiveKey } from '../publishing/share-keys.js';
import { type SiteDocument, sites } from '../site/model.js';
import { siteSpacesOf } from '../structure/structure.js';
import { mayPreviewBy } from './preview.js';
import type { HasVisibleSites } from './visible-site-cache.js';
import { keyMark } from './visitors.js';

/** The spaces that a visitor may read now, and its claims; null when what its token was issued for is gone. */
export async function standingOf(
  deps: HasStore & HasVisibleSites & HasCallAs,
  { call, visitor }: { call: Call; visitor: ContentCaller },
): Promise<Pick<ContentCaller, 'spaces' | 'claims'> | null> {
  const isIdentified = visitor.signedBy !== undefined || Object.keys(visitor.claims).length > 0;
  const [site, known] = await Promise.all([
    deps.store.get(sites, visitor.site),
    isIdentified ? deps.store.get(publishing, visitor.site) : null,
  ]);
  if (site?.organization !== visitor.organization) return null;
  if (!(await isStillAdmitted(deps, { call, site, known, visitor }))) return null;
  const claims = site.adaptiveContent || visitor.preview ? declaredClaims(known?.schema, visitor.claims) : {};
  const { structure, spaces } = await deps.visibleSites.seenBy(site, claims);
  const placed = siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === visitor.siteSpace);
  if (placed?.siteSpace.space !== visitor.space) return null;
  const shown = new Set(spaces);
  return { claims, spaces: visitor.spaces.filter((space) => shown.has(space)) };
}

interface Admitted {
  call: Call;
  site: SiteDocument;
  known: PublishingDocument | null;
  visitor: ContentCaller;
}

/** Whether the way by which a visitor was admitted is still open. */
async function isStillAdmitted(
  deps: HasStore & HasCallAs,
  { call, site, known, visitor: { preview, shareKey, signedBy } }: Admitted,
): Promise<boolean> {
  if (preview) {
    const apiToken = preview.apiToken ?? preview.by;
    return apiToken === undefined || mayPreviewBy(deps, { call, site, apiToken });
  }
  if (!site.published) return false;
  if (signedBy !== undefined && (!known || signedBy !== keyMark(known))) return false;
  if (site.visibility === 'visitor-auth' && signedBy === undefined) return false;
  if (shareKey !== undefined) return isActiveKey(deps.store, { site: site._id, key: shareKey });
  return site.visibility !== 'share-link';
}
