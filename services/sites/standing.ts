import type { ContentCaller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { declaredClaims } from './adaptive-schema.js';
import { type SiteDocument, sites } from './model.js';
import { type PublishingDocument, publishing } from './model-publishing.js';
import { mayPreviewBy } from './preview.js';
import type { PublishingRules } from './publishing-rules.js';
import { isActiveKey } from './share-keys.js';
import { siteSpacesOf } from './structure.js';
import { keyMark } from './visitors.js';

/** What a visitor reads now; null when what its token was given out for is gone. */
export async function standingOf(
  rules: PublishingRules,
  call: Call,
  visitor: ContentCaller,
): Promise<Pick<ContentCaller, 'spaces' | 'claims'> | null> {
  const [site, known] = await Promise.all([
    rules.store.get(sites, visitor.site),
    rules.store.get(publishing, visitor.site),
  ]);
  if (site?.organization !== visitor.organization) return null;
  if (!(await isStillAdmitted(rules, call, { site, known, visitor }))) return null;
  const claims = site.adaptiveContent || visitor.preview ? declaredClaims(known?.schema, visitor.claims) : {};
  const { structure, spaces } = await rules.visible.seenBy(site, claims);
  const placed = siteSpacesOf(structure).find(({ variant }) => variant.id === visitor.siteSpace);
  if (placed?.variant.space !== visitor.space) return null;
  const shown = new Set(spaces);
  return { claims, spaces: visitor.spaces.filter((space) => shown.has(space)) };
}

interface Admitted {
  site: SiteDocument;
  known: PublishingDocument | null;
  visitor: ContentCaller;
}

/** Whether the way by which a visitor came in is open still. */
async function isStillAdmitted(
  rules: PublishingRules,
  call: Call,
  { site, known, visitor }: Admitted,
): Promise<boolean> {
  const { preview, shareKey, signedBy } = visitor;
  if (preview) return preview.apiToken === undefined || mayPreviewBy(rules, call, site._id, preview.apiToken);
  if (!site.published) return false;
  if (signedBy !== undefined && (!known || signedBy !== keyMark(known))) return false;
  if (site.visibility === 'visitor-auth' && signedBy === undefined) return false;
  if (shareKey !== undefined) return isActiveKey(rules.store, site._id, shareKey);
  return site.visibility !== 'share-link';
}
