import type { Call, HandlersOf } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../shared/store/port.js';
import { findChangeRequest } from '../../content/contract.js';
import type { previewOperations } from '../contract/visiting.js';
import { publishing } from '../publishing/model.js';
import { parseClaims } from '../publishing/rison.js';
import { siteOf } from '../site/model.js';
import type { HasConfig } from '../site/urls.js';
import { type PlacedSiteSpace, siteSpacesOf } from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import { previewURLs } from './preview.js';
import { claimsOf } from './visitors.js';

/** Throws 400 for a change request without a site space, and for one that its space does not have. */
async function changeRequestIn(call: Call, placed: PlacedSiteSpace | undefined, changeRequest: string | undefined) {
  if (changeRequest === undefined) return undefined;
  if (!placed) throw invalid('changeRequest: needs siteSpace');
  const { space } = placed.siteSpace;
  const found = await call(findChangeRequest, { space, changeRequest });
  if (!found) throw invalid('changeRequest: no such change request in the space of this site space');
  return { space, id: found.id };
}

export const previewHandlers = (
  deps: HasStore & HasConfig & HasStructureCache & { previewTokens: SignedTokens },
): HandlersOf<typeof previewOperations> => ({
  async getSitePublishingPreviewById({ path: { siteId }, query }, { call, caller }) {
    const site = await siteOf(deps.store, siteId);
    const structure = await deps.structureCache.structureOf(site);
    const placed = siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === query.siteSpace);
    if (query.siteSpace !== undefined && !placed) throw invalid('siteSpace: no such site space on this site');
    const claims =
      query.claims === undefined ? {} : claimsOf(await deps.store.get(publishing, siteId), parseClaims(query.claims));
    const by = caller.kind === 'user' ? { by: caller.token } : {};
    const changeRequest = await changeRequestIn(call, placed, query.changeRequest);
    const preview = { ...by, ...(changeRequest ? { changeRequest } : {}) };
    const urls = await previewURLs(deps, { site: siteId, claims, preview, structure });
    return { url: placed ? urls.siteSpace(placed) : urls.site };
  },
});
