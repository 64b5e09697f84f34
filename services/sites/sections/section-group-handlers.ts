import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import type { sectionGroupOperations } from '../contract/sections.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import type { HasConfig } from '../site/urls.js';
import { type GroupDocument, groups } from '../structure/model.js';
import { addGroup, addToGroup, removeFromGroup, removeGroup } from '../structure/rules.js';
import { findGroup, groupsOf, sectionsOf } from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { HasStructures } from '../structure/structures.js';
import { presentGroup } from './changed-parts.js';
import { movePart, positionOf } from './moves.js';
import { pageOf } from './pages.js';
import { loadView, presentGroups } from './presentation.js';

export const sectionGroupHandlers = (
  deps: HasStore & HasConfig & HasStructures & HasDomainOwners & HasStructureCache,
): HandlersOf<typeof sectionGroupOperations> => {
  const { store, structures } = deps;
  return {
    async listSiteSectionGroups({ path: { siteId }, query }, { call }) {
      const view = await loadView(deps, { call, site: siteId });
      return pageOf({
        items: groupsOf(view.structure),
        idOf: ({ id }) => id,
        request: query,
        present: (items) => presentGroups(deps, { call, view, items }),
      });
    },

    async addSectionGroupToSite({ path: { siteId }, body }, { call, audit }) {
      const { title, icon, sections } = body;
      const group = { _id: newId(), site: siteId, title, ...(icon ? { icon } : {}) };
      const changed = await structures.change(siteId, ({ structure }) => {
        addGroup(structure, group._id, sections);
        return {
          documents: { group },
          writes: [write.insert(groups, group)],
          record: audit('site-section-group', group._id, { details: { site: siteId, title, sections } }),
        };
      });
      return presentGroup(deps, { call, changed, id: group._id });
    },

    async updateSiteSectionGroupById({ path: { siteId, siteSectionGroupId: id }, body }, { call, audit }) {
      const changed = await structures.change(siteId, async ({ structure }) => {
        findGroup(structure, id);
        const before = await documentOf(store, id);
        const changes = changesOf(before, body);
        return {
          documents: { group: changes?.after ?? before },
          writes: changes ? [write.update(groups, { _id: id }, changes.update, { expect: 1 })] : [],
          record: audit('site-section-group', id, { details: { site: siteId, ...changes?.details } }),
        };
      });
      return presentGroup(deps, { call, changed, id });
    },

    async deleteSiteSectionGroupById({ path: { siteId, siteSectionGroupId: id } }, { audit }) {
      await structures.change(siteId, ({ structure }) => {
        removeGroup(structure, id);
        return {
          writes: [write.delete(groups, { _id: id })],
          record: audit('site-section-group', id, { details: { site: siteId } }),
        };
      });
    },

    async addSectionToGroup({ path: { siteId, siteSectionGroupId: id }, body: { sectionId } }, { call, audit }) {
      const changed = await structures.change(siteId, ({ structure }) => {
        const group = findGroup(structure, id);
        const section = sectionsOf(structure).find((each) => each.id === sectionId);
        if (!section) throw invalid('sectionId: no such section on this site');
        addToGroup(structure, group, section);
        return { record: audit('site-section-group', id, { details: { site: siteId, added: sectionId } }) };
      });
      return presentGroup(deps, { call, changed, id });
    },

    async removeSectionFromGroup({ path: { siteId, siteSectionGroupId: id, siteSectionId: section } }, { audit }) {
      await structures.change(siteId, ({ structure }) => {
        removeFromGroup(structure, findGroup(structure, id), section);
        return { record: audit('site-section-group', id, { details: { site: siteId, removed: section } }) };
      });
    },

    async moveSiteSectionGroup({ path: { siteId, siteSectionGroupId: id }, body }, context) {
      const position = positionOf(body.position);
      const changed = await movePart(deps, { context, site: siteId, type: 'site-section-group', id, position });
      return presentGroup(deps, { call: context.call, changed, id });
    },
  };
};

async function documentOf(store: Store, id: string): Promise<GroupDocument> {
  const found = await store.get(groups, id);
  if (!found) throw notFound('Site section group');
  return found;
}
