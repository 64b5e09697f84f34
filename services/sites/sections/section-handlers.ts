import type { BodyOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { sectionOperations } from '../contract/sections.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import type { HasConfig } from '../site/urls.js';
import { type SectionDocument, sections, siteSpaces } from '../structure/model.js';
import { slugOf } from '../structure/paths.js';
import { addSection, removeSection, renameSection, setDefaultSiteSpace, setGroup } from '../structure/rules.js';
import { findSection, groupOf, type Structure, sectionsOf, spacesIn } from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { HasStructures } from '../structure/structures.js';
import { presentSection } from './changed-parts.js';
import { checkCondition } from './conditions.js';
import { movePart, positionOf } from './moves.js';
import { pageOf } from './pages.js';
import { loadView, presentSections } from './presentation.js';
import { checkOpening } from './shown-content.js';
import { spaceFor } from './spaces.js';

export const sectionHandlers = (
  deps: HasStore & HasConfig & HasStructures & HasDomainOwners & HasStructureCache,
): HandlersOf<typeof sectionOperations> => {
  const { store, structures } = deps;
  return {
    async listSiteSections({ path, query }, { call }) {
      const view = await loadView(deps, { call, site: path.siteId, shareKey: query.shareKey });
      return pageOf({
        items: sectionsOf(view.structure),
        idOf: ({ id }) => id,
        request: query,
        present: (items) => presentSections(deps, { call, view, items }),
      });
    },

    async addSectionToSite({ path: { organizationId: organization, siteId }, body }, context) {
      const space = await spaceFor(context, { organization, id: body.spaceId });
      const added = { section: newId(), siteSpace: newId(), wrapping: newId() };
      const title = body.title ?? space.title;
      const section = { _id: added.section, site: siteId, title, ...(body.icon ? { icon: body.icon } : {}) };
      const changed = await structures.change(siteId, ({ structure, site }) => {
        const wrapping = { id: added.wrapping, slug: slugOf(site.title, 'section') };
        const siteSpace = { id: added.siteSpace, space: space.id, path: slugOf(space.title, 'space') };
        addSection(structure, { id: added.section, slug: slugOf(title, 'section'), siteSpace }, wrapping);
        if (body.siteSectionGroupId) setGroup(structure, section._id, body.siteSectionGroupId);
        const isWrapped = sectionsOf(structure).some(({ id }) => id === wrapping.id);
        return {
          documents: { section },
          writes: [
            write.insert(sections, section),
            write.insert(siteSpaces, { _id: siteSpace.id, site: siteId }),
            ...(isWrapped ? [write.insert(sections, { _id: wrapping.id, site: siteId, title: site.title })] : []),
          ],
          record: context.audit('site-section', section._id, { details: { site: siteId, title, space: space.id } }),
        };
      });
      return presentSection(deps, { call: context.call, changed, id: section._id });
    },

    async updateSiteSectionById({ path: { siteId, siteSectionId: id }, body }, context) {
      const { call, audit } = context;
      if (body.condition) checkCondition(body.condition);
      const changed = await structures.change(siteId, async ({ structure }) => {
        const moved = updateEntry(structure, id, body);
        const before = await sectionOf(store, id);
        const { title, localizedTitle, condition, icon, description, localizedDescription } = body;
        const wanted = { title, localizedTitle, condition, icon, description, localizedDescription };
        const changes = changesOf(before, wanted);
        if (changes && changes.after.condition !== before.condition)
          await checkOpening({ ...context, spaces: spacesIn(findSection(structure, id)) });
        return {
          documents: { section: changes?.after ?? before },
          writes: changes ? [write.update(sections, { _id: id }, changes.update, { expect: 1 })] : [],
          record: audit('site-section', id, { details: { site: siteId, ...moved?.details, ...changes?.details } }),
        };
      });
      return presentSection(deps, { call, changed, id });
    },

    async deleteSiteSectionById({ path: { siteId, siteSectionId: id } }, { audit }) {
      await structures.change(siteId, ({ structure }) => {
        const removed = removeSection(structure, id);
        return {
          writes: [
            write.delete(sections, { _id: id }),
            ...removed.siteSpaces.items.map((siteSpace) => write.delete(siteSpaces, { _id: siteSpace.id })),
          ],
          record: audit('site-section', id, { details: { site: siteId } }),
        };
      });
    },

    async moveSiteSection({ path: { siteId, siteSectionId: id }, body }, context) {
      const position = positionOf(body.position);
      const changed = await movePart(deps, { context, site: siteId, type: 'site-section', id, position });
      return presentSection(deps, { call: context.call, changed, id });
    },
  };
};

/** Changes what the structure holds of a section: its path, its default site space, its group. */
function updateEntry(
  structure: Structure,
  id: string,
  { path, defaultSiteSpace, siteSectionGroupId }: BodyOf<typeof sectionOperations.updateSiteSectionById>,
) {
  const section = findSection(structure, id);
  const before = omitUndefined({
    _id: id,
    path: section.path,
    defaultSiteSpace: section.siteSpaces.default,
    siteSectionGroupId: groupOf(structure, id)?.id,
  });
  if (path !== undefined) renameSection(structure, id, path);
  if (defaultSiteSpace !== undefined) setDefaultSiteSpace(structure, section, defaultSiteSpace);
  if (siteSectionGroupId !== undefined) setGroup(structure, id, siteSectionGroupId);
  return changesOf(before, { path, defaultSiteSpace, siteSectionGroupId });
}

async function sectionOf(store: Store, id: string): Promise<SectionDocument> {
  const found = await store.get(sections, id);
  if (!found) throw notFound('Site section');
  return found;
}
