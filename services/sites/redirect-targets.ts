import type { Caller } from '../../shared/contract/caller.js';
import { failureOf, invalid } from '../../shared/errors.js';
import { contentContract } from '../content/contract.js';
import type { Target } from './former-target.js';
import { segmentsOf } from './locate.js';
import type { PublishingRules } from './publishing-rules.js';
import type { RedirectDestination } from './resources.js';
import { type Structure, sectionsOf, siteSpacesOf } from './structure.js';
import { startOf } from './visible.js';

/** The page with an id in a space, as this caller reads it; null for one that it does not see. */
async function pathOfPage(rules: PublishingRules, caller: Caller, space: string, page: string): Promise<string | null> {
  const reader = caller.kind === 'content' ? { ...caller, space, spaces: [space] } : caller;
  try {
    const found = await rules.callAs(reader)(contentContract.getPageById, { path: { spaceId: space, pageId: page } });
    return 'path' in found && typeof found.path === 'string' ? found.path : null;
  } catch (error) {
    if (['NOT_FOUND', 'FORBIDDEN'].includes(failureOf(error).type)) return null;
    throw error;
  }
}

/** Where a destination is now; null where it is gone, or hidden from this caller. */
export async function targetOf(
  rules: PublishingRules,
  caller: Caller,
  structure: Structure,
  destination: RedirectDestination,
): Promise<Target | null> {
  if (destination.kind === 'site-section') {
    const section = sectionsOf(structure).find(({ id }) => id === destination.siteSectionId);
    const { items = [], default: chosen = null } = section?.variants ?? {};
    const variant = startOf(items, items, chosen);
    return section && variant ? { placed: { section, variant, isDefault: true }, rest: [] } : null;
  }
  const placed = siteSpacesOf(structure).find(({ variant }) => variant.id === destination.siteSpaceId);
  if (!placed) return null;
  if (destination.kind === 'site-space') return { placed, rest: [] };
  const path = await pathOfPage(rules, caller, placed.variant.space, destination.pageId);
  return path === null ? null : { placed, rest: segmentsOf(path).map(encodeURIComponent) };
}

/** 400 names the part that this site does not have. */
export async function checkDestination(
  rules: PublishingRules,
  caller: Caller,
  structure: Structure,
  destination: RedirectDestination,
): Promise<void> {
  if (destination.kind === 'site-section') {
    if (!sectionsOf(structure).some(({ id }) => id === destination.siteSectionId))
      throw invalid('destination.siteSectionId: no such section on this site');
    return;
  }
  const placed = siteSpacesOf(structure).find(({ variant }) => variant.id === destination.siteSpaceId);
  if (!placed) throw invalid('destination.siteSpaceId: no such site space on this site');
  if (destination.kind === 'site-space') return;
  if ((await pathOfPage(rules, caller, placed.variant.space, destination.pageId)) === null)
    throw invalid('destination.pageId: no such page in this site space');
}
