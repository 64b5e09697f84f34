import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors.js';
import type { previewOperations } from '../contract/visiting.js';
import type { sitesContract } from '../contract.js';
import type { SitesDependencies } from '../dependencies.js';
import { publishing } from '../publishing/model.js';
import { parseClaims } from '../publishing/rison.js';
import { siteOf } from '../site/model.js';
import { siteSpacesOf } from '../structure/structure.js';
import { previewURLs } from './preview.js';
import { claimsOf } from './visitors.js';

export const previewHandlers = (
  deps: SitesDependencies,
): HandlersOf<typeof sitesContract, typeof previewOperations> => ({
  async getSitePublishingPreviewById({ path: { siteId }, query }, { caller }) {
    const site = await siteOf(deps.store, siteId);
    const structure = await deps.structureCache.structureOf(site);
    const placed = siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === query.siteSpace);
    if (query.siteSpace !== undefined && !placed) throw invalid('siteSpace: no such site space on this site');
    const claims =
      query.claims === undefined ? {} : claimsOf(await deps.store.get(publishing, siteId), parseClaims(query.claims));
    const urls = await previewURLs(deps, {
      site: siteId,
      claims,
      preview: caller.kind === 'user' ? { by: caller.token } : {},
      structure,
    });
    return { url: placed ? urls.siteSpace(placed) : urls.site };
  },
});
