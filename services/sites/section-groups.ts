import { invalid } from '../../shared/errors.js';
import { newId } from '../../shared/ids.js';
import type { Page, PageRequest } from '../../shared/paging.js';
import { type Write, write } from '../../shared/store/port.js';
import { type GroupDocument, groups } from './model.js';
import { pageOf } from './pages.js';
import { presentGroups, viewOf } from './present.js';
import type { SiteSectionGroup } from './resources.js';
import type { Acting, Looking, SiteRules } from './rules.js';
import { siteOf } from './sites.js';
import {
  addGroup,
  addToGroup,
  findGroup,
  groupsOf,
  moveGroup,
  type Position,
  removeFromGroup,
  removeGroup,
  sectionsOf,
} from './structure.js';

export async function getGroup(
  rules: SiteRules,
  looking: Looking,
  site: string,
  id: string,
): Promise<SiteSectionGroup> {
  const view = await viewOf(rules, looking, await siteOf(rules.store, site));
  const [shown] = await presentGroups(rules, looking, view, [findGroup(view.structure, id)]);
  return shown as SiteSectionGroup;
}

export async function listGroups(
  rules: SiteRules,
  looking: Looking,
  site: string,
  query: PageRequest,
): Promise<Page<SiteSectionGroup>> {
  const view = await viewOf(rules, looking, await siteOf(rules.store, site));
  return pageOf(
    groupsOf(view.structure),
    ({ id }) => id,
    query,
    (items) => presentGroups(rules, looking, view, items),
  );
}

export async function createGroup(
  rules: SiteRules,
  acting: Acting,
  site: string,
  { title, icon, sections }: { title: string; icon?: string | null | undefined; sections: string[] },
): Promise<SiteSectionGroup> {
  const id = newId();
  await rules.structures.change(site, async (structure) => {
    addGroup(structure, id, sections);
    return {
      answer: undefined,
      writes: [write.insert(groups, { _id: id, site, title, ...(icon ? { icon } : {}) })],
      record: acting.audit('site-section-group', id, { details: { site, title, sections } }),
    };
  });
  return getGroup(rules, acting, site, id);
}

export interface GroupChanges {
  title?: string | undefined;
  icon?: string | null | undefined;
}

export async function updateGroup(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  { title, icon }: GroupChanges,
): Promise<SiteSectionGroup> {
  await rules.structures.change(site, async (structure) => {
    findGroup(structure, id);
    const before = await rules.store.get(groups, id);
    const writes: Write[] = [];
    if (title !== undefined && title !== before?.title)
      writes.push(write.update(groups, { _id: id }, { $set: { title } }, { expect: 1 }));
    if (icon !== undefined && (icon || undefined) !== before?.icon)
      writes.push(
        write.update<GroupDocument>(groups, { _id: id }, icon ? { $set: { icon } } : { $unset: { icon: true } }, {
          expect: 1,
        }),
      );
    return {
      answer: undefined,
      writes,
      record: acting.audit('site-section-group', id, { details: { site, title, icon } }),
    };
  });
  return getGroup(rules, acting, site, id);
}

/** Its sections stay, in its place. */
export async function deleteGroup(rules: SiteRules, acting: Acting, site: string, id: string): Promise<void> {
  await rules.structures.change(site, async (structure) => {
    removeGroup(structure, id);
    return {
      answer: undefined,
      writes: [write.delete(groups, { _id: id })],
      record: acting.audit('site-section-group', id, { details: { site } }),
    };
  });
}

export async function putIntoGroup(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  sectionId: string,
): Promise<SiteSectionGroup> {
  await rules.structures.change(site, async (structure) => {
    const group = findGroup(structure, id);
    const section = sectionsOf(structure).find((each) => each.id === sectionId);
    if (!section) throw invalid('sectionId: no such section on this site');
    addToGroup(structure, group, section);
    return {
      answer: undefined,
      writes: [],
      record: acting.audit('site-section-group', id, { details: { site, added: sectionId } }),
    };
  });
  return getGroup(rules, acting, site, id);
}

export async function takeFromGroup(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  sectionId: string,
): Promise<void> {
  await rules.structures.change(site, async (structure) => {
    removeFromGroup(structure, findGroup(structure, id), sectionId);
    return {
      answer: undefined,
      writes: [],
      record: acting.audit('site-section-group', id, { details: { site, removed: sectionId } }),
    };
  });
}

export async function moveSectionGroup(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  position: Position | undefined,
): Promise<SiteSectionGroup> {
  await rules.structures.change(site, async (structure) => {
    moveGroup(structure, id, position);
    return {
      answer: undefined,
      writes: [],
      record: acting.audit('site-section-group', id, { details: { site, position } }),
    };
  });
  return getGroup(rules, acting, site, id);
}
