import type { Caller } from '../../../shared/contract/caller.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import type { Call } from '../../../shared/contract/service.js';
import { failureOf, invalid } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { Page } from '../../content/resources.js';
import { type Structure, sectionsOf, siteSpacesOf } from '../structure/structure.js';
import type { Target } from '../visiting/former-targets.js';
import { segmentsOf } from '../visiting/locate.js';
import type { OtherContent } from '../visiting/other-content.js';
import { startOf } from '../visiting/visible-site-cache.js';
import type { RedirectDestination } from './resources.js';

type Deps = HasCallAs;

interface Destined {
  caller: Caller;
  structure: Structure;
  destination: RedirectDestination;
}

/** The path of a page in a space, as this caller reads it; null for a page that the caller may not see. */
async function pathOfPage(
  { callAs }: Deps,
  { caller, space, page }: { caller: Caller; space: string; page: string },
): Promise<string | null> {
  const reader = caller.kind === 'content' ? { ...caller, space, spaces: [space] } : caller;
  try {
    const found = await readPage(callAs(reader), { reader, space, page });
    return 'path' in found && typeof found.path === 'string' ? found.path : null;
  } catch (error) {
    if (['NOT_FOUND', 'FORBIDDEN'].includes(failureOf(error).type)) return null;
    throw error;
  }
}

function readPage(call: Call, { reader, space, page }: { reader: Caller; space: string; page: string }): Promise<Page> {
  const path = { spaceId: space, pageId: page };
  const { changeRequest, revision } = reader.kind === 'content' ? reader : ({} as OtherContent);
  if (changeRequest?.space === space)
    return call(contentContract.getPageInChangeRequestById, { path: { ...path, changeRequestId: changeRequest.id } });
  if (revision?.space === space)
    return call(contentContract.getPageInRevisionById, { path: { ...path, revisionId: revision.id } });
  return call(contentContract.getPageById, { path });
}

/** The present target of a destination; null when it does not exist any more or is hidden from this caller. */
export async function targetOf(deps: Deps, { caller, structure, destination }: Destined): Promise<Target | null> {
  if (destination.kind === 'site-section') return startOfSection(structure, destination.siteSectionId);
  const placed = siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === destination.siteSpaceId);
  if (!placed) return null;
  if (destination.kind === 'site-space') return { placed, rest: [] };
  const path = await pathOfPage(deps, { caller, space: placed.siteSpace.space, page: destination.pageId });
  return path === null ? null : { placed, rest: segmentsOf(path).map(encodeURIComponent) };
}

function startOfSection(structure: Structure, id: string): Target | null {
  const section = sectionsOf(structure).find((each) => each.id === id);
  if (!section) return null;
  const { items, default: chosen } = section.siteSpaces;
  const siteSpace = startOf(items, items, chosen);
  return siteSpace ? { placed: { siteSpace, section, isDefault: true }, rest: [] } : null;
}

/** Throws 400 with the field of a part that this site does not have. */
export async function checkDestination(deps: Deps, { caller, structure, destination }: Destined): Promise<void> {
  if (destination.kind === 'site-section') {
    if (!sectionsOf(structure).some(({ id }) => id === destination.siteSectionId))
      throw invalid('destination.siteSectionId: no such section on this site');
    return;
  }
  const placed = siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === destination.siteSpaceId);
  if (!placed) throw invalid('destination.siteSpaceId: no such site space on this site');
  if (destination.kind === 'site-space') return;
  const { space } = placed.siteSpace;
  if ((await pathOfPage(deps, { caller, space, page: destination.pageId })) === null)
    throw invalid('destination.pageId: no such page in this site space');
}
