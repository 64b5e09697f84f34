import type { BodyOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { HasStore } from '../../../shared/store/port.js';
import type { structureOperations } from '../contract/sections.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import type { HasConfig } from '../site/urls.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { HasStructures } from '../structure/structures.js';
import { presentGroup, presentLink, presentSection, presentSiteSpace } from './changed-parts.js';
import { movePart, positionOf } from './moves.js';
import { loadView, presentStructure } from './presentation.js';

const presenters = {
  'site-section': presentSection,
  'site-section-group': presentGroup,
  'site-space': presentSiteSpace,
  'site-external-link': presentLink,
};

export const structureHandlers = (
  deps: HasStore & HasConfig & HasStructures & HasDomainOwners & HasStructureCache,
): HandlersOf<typeof structureOperations> => ({
  async getSiteStructure({ path, query }, { call }) {
    const view = await loadView(deps, { call, site: path.siteId, shareKey: query.shareKey });
    return presentStructure(deps, { call, view });
  },

  async sortSiteStructure({ path: { siteId }, body }, context) {
    checkAnchors(body);
    const { type, id } = body.item;
    const changed = await movePart(deps, { context, site: siteId, type, id, position: positionOf(body.position) });
    return presenters[type](deps, { call: context.call, changed, id });
  },
});

/** Throws 400 for an anchor of a type that the item cannot stand next to. */
function checkAnchors({ item, position }: BodyOf<typeof structureOperations.sortSiteStructure>): void {
  for (const [field, anchor] of Object.entries(position ?? {}))
    if (anchor && (anchor.type === 'site-space') !== (item.type === 'site-space'))
      throw invalid(`position.${field}: a ${item.type} cannot stand next to a ${anchor.type}`);
}
