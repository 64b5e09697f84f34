import { newId } from '../../shared/ids.js';
import type { Page, PageRequest } from '../../shared/paging.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { checkCondition } from './conditions.js';
import { type SectionDocument, sections, siteSpaces } from './model.js';
import { pageOf } from './pages.js';
import { presentSections, viewOf } from './present.js';
import type { SiteSection } from './resources.js';
import type { Acting, Looking, SiteRules } from './rules.js';
import { siteOf } from './sites.js';
import { spaceFor } from './spaces.js';
import {
  addSection,
  findSection,
  moveSection,
  type Position,
  removeSection,
  renameSection,
  sectionsOf,
  setDefaultVariant,
  slugOf,
} from './structure.js';

export async function getSection(rules: SiteRules, looking: Looking, site: string, id: string): Promise<SiteSection> {
  const view = await viewOf(rules, looking, await siteOf(rules.store, site));
  const [shown] = await presentSections(rules, looking, view, [findSection(view.structure, id)]);
  return shown as SiteSection;
}

export async function listSections(
  rules: SiteRules,
  looking: Looking,
  site: string,
  query: PageRequest & { shareKey?: string | undefined },
): Promise<Page<SiteSection>> {
  const view = await viewOf(rules, looking, await siteOf(rules.store, site), query.shareKey);
  return pageOf(
    sectionsOf(view.structure),
    ({ id }) => id,
    query,
    (items) => presentSections(rules, looking, view, items),
  );
}

export interface SectionInput {
  spaceId: string;
  title?: string | null | undefined;
  icon?: string | null | undefined;
}

export async function createSection(
  rules: SiteRules,
  acting: Acting,
  organization: string,
  site: string,
  { spaceId, title: given, icon }: SectionInput,
): Promise<SiteSection> {
  const space = await spaceFor(acting, organization, spaceId);
  const [id, wrapping, siteSpace] = [newId(), newId(), newId()];
  const title = given ?? space.title;
  await rules.structures.change(site, async (structure, { title: siteTitle }) => {
    const variant = { id: siteSpace, space: spaceId, path: slugOf(space.title, 'space') };
    addSection(
      structure,
      { id, slug: slugOf(title, 'section'), variant },
      { id: wrapping, slug: slugOf(siteTitle, 'section') },
    );
    const isWrapped = sectionsOf(structure).some((section) => section.id === wrapping);
    return {
      answer: undefined,
      writes: [
        write.insert(sections, { _id: id, site, title, ...(icon ? { icon } : {}) }),
        write.insert(siteSpaces, { _id: siteSpace, site }),
        ...(isWrapped ? [write.insert(sections, { _id: wrapping, site, title: siteTitle })] : []),
      ],
      record: acting.audit('site-section', id, { details: { site, title, space: spaceId } }),
    };
  });
  return getSection(rules, acting, site, id);
}

export interface SectionChanges {
  title?: string | undefined;
  path?: string | undefined;
  defaultSiteSpace?: string | undefined;
  condition?: string | null | undefined;
  icon?: string | null | undefined;
  description?: string | null | undefined;
}

export async function updateSection(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  { path, defaultSiteSpace, ...texts }: SectionChanges,
): Promise<SiteSection> {
  if (texts.condition) checkCondition(texts.condition);
  await rules.structures.change(site, async (structure) => {
    const section = findSection(structure, id);
    if (path !== undefined) renameSection(structure, id, path);
    if (defaultSiteSpace !== undefined) setDefaultVariant(structure, section, defaultSiteSpace);
    const given = Object.entries({ path, defaultSiteSpace, ...texts }).filter(([, value]) => value !== undefined);
    return {
      answer: undefined,
      writes: await textWrites(rules.store, id, texts),
      record: acting.audit('site-section', id, { details: { site, ...Object.fromEntries(given) } }),
    };
  });
  return getSection(rules, acting, site, id);
}

async function textWrites(
  store: Store,
  id: string,
  texts: Omit<SectionChanges, 'path' | 'defaultSiteSpace'>,
): Promise<Write[]> {
  const before = await store.get(sections, id);
  const $set: Partial<SectionDocument> = {};
  const $unset: Partial<Record<keyof SectionDocument, true>> = {};
  for (const [name, value] of Object.entries(texts)) {
    const field = name as keyof typeof texts;
    if (value === undefined || (value ?? undefined) === before?.[field]) continue;
    if (value === null || value === '') $unset[field] = true;
    else $set[field] = value;
  }
  if (Object.keys($set).length + Object.keys($unset).length === 0) return [];
  return [write.update(sections, { _id: id }, { $set, $unset }, { expect: 1 })];
}

export async function deleteSection(rules: SiteRules, acting: Acting, site: string, id: string): Promise<void> {
  await rules.structures.change(site, async (structure) => {
    const { variants } = removeSection(structure, id);
    return {
      answer: undefined,
      writes: [
        write.delete(sections, { _id: id }),
        ...variants.items.map((variant) => write.delete(siteSpaces, { _id: variant.id })),
      ],
      record: acting.audit('site-section', id, { details: { site } }),
    };
  });
}

export async function moveSiteSection(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  position: Position | undefined,
): Promise<SiteSection> {
  await rules.structures.change(site, async (structure) => {
    moveSection(structure, id, position);
    return { answer: undefined, writes: [], record: acting.audit('site-section', id, { details: { site, position } }) };
  });
  return getSection(rules, acting, site, id);
}
