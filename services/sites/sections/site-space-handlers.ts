import type { BodyOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import type { siteSpaceOperations } from '../contract/sections.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import type { HasConfig } from '../site/urls.js';
import { type SiteSpaceDocument, siteSpaces } from '../structure/model.js';
import { slugOf } from '../structure/paths.js';
import { addSiteSpace, removeSiteSpace, renameSiteSpace, repoint } from '../structure/rules.js';
import {
  defaultPlace,
  findSection,
  findSiteSpace,
  type PlacedSiteSpace,
  type Structure,
  siteSpacesOf,
} from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { HasStructures } from '../structure/structures.js';
import { presentSiteSpace } from './changed-parts.js';
import { checkCondition } from './conditions.js';
import { copySiteSpace } from './copies/site-space-copy.js';
import { movePart, positionOf } from './moves.js';
import { pageOf } from './pages.js';
import { loadView, presentSiteSpaces } from './presentation.js';
import { checkOpening } from './shown-content.js';
import { spaceFor } from './spaces.js';

export const siteSpaceHandlers = (
  deps: HasStore & HasConfig & HasStructures & HasDomainOwners & HasStructureCache,
): HandlersOf<typeof siteSpaceOperations> => {
  const { store, structures } = deps;
  return {
    async listSiteSpaces({ path: { siteId }, query }, { call }) {
      const view = await loadView(deps, { call, site: siteId, shareKey: query.shareKey });
      const place = defaultPlace(view.structure);
      const isSiteDefault = ({ section, isDefault }: PlacedSiteSpace) => isDefault && section === place;
      const items = siteSpacesOf(view.structure);
      return pageOf({
        items: query.default === undefined ? items : items.filter((each) => isSiteDefault(each) === query.default),
        idOf: ({ siteSpace }) => siteSpace.id,
        request: query,
        present: (items) => presentSiteSpaces(deps, { call, view, items }),
      });
    },

    async addSpaceToSite({ path: { organizationId: organization, siteId }, body }, context) {
      const space = await spaceFor(context, { organization, id: body.spaceId });
      const siteSpace = { _id: newId(), site: siteId };
      const changed = await structures.change(siteId, ({ structure }) => {
        const section = body.sectionId === undefined ? defaultPlace(structure) : findSection(structure, body.sectionId);
        addSiteSpace(structure, section, { id: siteSpace._id, space: space.id }, slugOf(space.title, 'space'));
        return {
          documents: { siteSpace },
          writes: [write.insert(siteSpaces, siteSpace)],
          record: context.audit('site-space', siteSpace._id, { details: { site: siteId, space: space.id } }),
        };
      });
      return presentSiteSpace(deps, { call: context.call, changed, id: siteSpace._id });
    },

    async updateSiteSpaceById({ path: { organizationId: organization, siteId, siteSpaceId: id }, body }, context) {
      const { condition, spaceId } = body;
      if (condition) checkCondition(condition);
      const changed = await structures.change(siteId, async ({ structure }) => {
        const { space } = findSiteSpace(structure, id).siteSpace;
        if (spaceId !== undefined && spaceId !== space) await spaceFor(context, { organization, id: spaceId });
        const moved = updateEntry(structure, id, body);
        const before = await documentOf(store, id);
        const changes = changesOf(before, { condition });
        if (changes) await checkOpening({ ...context, spaces: [space] });
        return {
          documents: { siteSpace: changes?.after ?? before },
          writes: changes ? [write.update(siteSpaces, { _id: id }, changes.update, { expect: 1 })] : [],
          record: context.audit('site-space', id, {
            details: { site: siteId, ...moved?.details, ...changes?.details },
          }),
        };
      });
      return presentSiteSpace(deps, { call: context.call, changed, id });
    },

    duplicateSiteSpace({ path: { organizationId: organization, siteId: site, siteSpaceId: id } }, context) {
      return copySiteSpace(deps, { organization, site, id }, context);
    },

    async deleteSiteSpaceById({ path: { siteId, siteSpaceId: id } }, { audit }) {
      await structures.change(siteId, ({ structure }) => {
        removeSiteSpace(structure, id);
        return {
          writes: [write.delete(siteSpaces, { _id: id })],
          record: audit('site-space', id, { details: { site: siteId } }),
        };
      });
    },

    async moveSiteSpace({ path: { siteId, siteSpaceId: id }, body }, context) {
      const position = positionOf(body.position);
      const changed = await movePart(deps, { context, site: siteId, type: 'site-space', id, position });
      return presentSiteSpace(deps, { call: context.call, changed, id });
    },
  };
};

/** Changes what the structure holds of a site space: its path and the space that it shows. */
function updateEntry(
  structure: Structure,
  id: string,
  { path, spaceId: space }: BodyOf<typeof siteSpaceOperations.updateSiteSpaceById>,
) {
  const { siteSpace } = findSiteSpace(structure, id);
  const before = { _id: id, path: siteSpace.path, space: siteSpace.space };
  if (path !== undefined) renameSiteSpace(structure, id, path);
  if (space !== undefined) repoint(structure, id, space);
  return changesOf(before, { path, space });
}

async function documentOf(store: Store, id: string): Promise<SiteSpaceDocument> {
  const found = await store.get(siteSpaces, id);
  if (!found) throw notFound('Site space');
  return found;
}
