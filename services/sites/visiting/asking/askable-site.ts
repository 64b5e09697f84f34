import type { Context } from '../../../../shared/contract/service.js';
import { forbidden } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { type AskedSpaces, askerOf } from '../../../content/contract.js';
import { customizationOf } from '../../customization/customizations.js';
import { siteOf } from '../../site/model.js';
import type { HasStructureCache } from '../../structure/structure-cache.js';
import { type SearchScope, spacesSearched } from '../site-search.js';
import type { HasVisibleSites } from '../visible-site-cache.js';

/** Modes of the customization in which visitors may ask. */
const askingModes = new Set(['search', 'assistant']);

export type AsksInSites = HasStore & HasStructureCache & HasVisibleSites;

/** Who asks in a site, and the spaces that may tell. Throws 403 for visitors of a site that offers no answers. */
export async function askedInSite(
  deps: AsksInSites,
  { call, caller, network }: Context,
  { siteId, scope }: { siteId: string; scope: SearchScope },
): Promise<AskedSpaces & { site: string }> {
  const site = await siteOf(deps.store, siteId);
  if (caller.kind === 'content') {
    const { ai } = await customizationOf(deps.store, siteId);
    if (!askingModes.has(ai.mode))
      throw forbidden('This site answers no questions (`ai.mode` of its customization)', 'ai_disabled');
  }
  return {
    organization: site.organization,
    site: siteId,
    asker: askerOf(caller, network),
    spaces: await spacesSearched(deps, { call, caller, site, scope }),
    ...(caller.kind === 'content' ? { claims: caller.claims } : {}),
  };
}
