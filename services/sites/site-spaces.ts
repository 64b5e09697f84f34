import { newId } from '../../shared/ids.js';
import type { Page, PageRequest } from '../../shared/paging.js';
import { eachDocument, type Write, write } from '../../shared/store/port.js';
import { checkCondition } from './conditions.js';
import { type SiteSpaceDocument, siteSpaces, structures } from './model.js';
import { pageOf } from './pages.js';
import { presentSiteSpaces, viewOf } from './present.js';
import { siteTag, spaceTag } from './renderers.js';
import type { SiteSpace } from './resources.js';
import type { Acting, Looking, SiteRules } from './rules.js';
import { siteOf } from './sites.js';
import { spaceFor } from './spaces.js';
import {
  addVariant,
  defaultPlace,
  findSection,
  findSiteSpace,
  moveVariant,
  type Position,
  removeVariant,
  renameVariant,
  repoint,
  siteSpacesOf,
  siteSpacesShowing,
  slugOf,
} from './structure.js';

export async function getSiteSpace(rules: SiteRules, looking: Looking, site: string, id: string): Promise<SiteSpace> {
  const view = await viewOf(rules, looking, await siteOf(rules.store, site));
  const [shown] = await presentSiteSpaces(rules, looking, view, [findSiteSpace(view.structure, id)]);
  return shown as SiteSpace;
}

export async function listSiteSpaces(
  rules: SiteRules,
  looking: Looking,
  site: string,
  query: PageRequest & { shareKey?: string | undefined; default?: boolean | undefined },
): Promise<Page<SiteSpace>> {
  const view = await viewOf(rules, looking, await siteOf(rules.store, site), query.shareKey);
  const place = defaultPlace(view.structure);
  const isSiteDefault = ({ section, isDefault }: { section: unknown; isDefault: boolean }) =>
    isDefault && section === place;
  const wanted = siteSpacesOf(view.structure).filter(
    (each) => query.default === undefined || isSiteDefault(each) === query.default,
  );
  return pageOf(
    wanted,
    ({ variant }) => variant.id,
    query,
    (items) => presentSiteSpaces(rules, looking, view, items),
  );
}

/** Without a section it goes to the default one, or to the root of a flat site. */
export async function addSiteSpace(
  rules: SiteRules,
  acting: Acting,
  organization: string,
  site: string,
  { spaceId, sectionId }: { spaceId: string; sectionId?: string | undefined },
): Promise<SiteSpace> {
  const space = await spaceFor(acting, organization, spaceId);
  const id = newId();
  await rules.structures.change(site, async (structure) => {
    const section = sectionId === undefined ? defaultPlace(structure) : findSection(structure, sectionId);
    addVariant(structure, section, { id, space: spaceId }, slugOf(space.title, 'space'));
    return {
      answer: undefined,
      writes: [write.insert(siteSpaces, { _id: id, site })],
      record: acting.audit('site-space', id, { details: { site, space: spaceId } }),
    };
  });
  return getSiteSpace(rules, acting, site, id);
}

export interface SiteSpaceChanges {
  path?: string | undefined;
  condition?: string | null | undefined;
  spaceId?: string | undefined;
}

export async function updateSiteSpace(
  rules: SiteRules,
  acting: Acting,
  organization: string,
  site: string,
  id: string,
  { path, condition, spaceId }: SiteSpaceChanges,
): Promise<SiteSpace> {
  if (condition) checkCondition(condition);
  if (spaceId !== undefined) await spaceFor(acting, organization, spaceId);
  await rules.structures.change(site, async (structure) => {
    findSiteSpace(structure, id);
    if (path !== undefined) renameVariant(structure, id, path);
    if (spaceId !== undefined) repoint(structure, id, spaceId);
    const details = { site, ...defined({ path, condition, space: spaceId }) };
    return {
      answer: undefined,
      writes: await conditionWrites(rules, id, condition),
      record: acting.audit('site-space', id, { details }),
    };
  });
  return getSiteSpace(rules, acting, site, id);
}

const defined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

async function conditionWrites(
  { store }: SiteRules,
  id: string,
  condition: SiteSpaceChanges['condition'],
): Promise<Write[]> {
  const before = (await store.get(siteSpaces, id, { fields: ['condition'] }))?.condition;
  if (condition === undefined || (condition ?? undefined) === before) return [];
  const update = condition === null ? { $unset: { condition: true as const } } : { $set: { condition } };
  return [write.update<SiteSpaceDocument>(siteSpaces, { _id: id }, update, { expect: 1 })];
}

export async function removeSiteSpace(rules: SiteRules, acting: Acting, site: string, id: string): Promise<void> {
  await rules.structures.change(site, async (structure) => {
    removeVariant(structure, id);
    return {
      answer: undefined,
      writes: [write.delete(siteSpaces, { _id: id })],
      record: acting.audit('site-space', id, { details: { site } }),
    };
  });
}

export async function moveSiteSpace(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  position: Position | undefined,
): Promise<SiteSpace> {
  await rules.structures.change(site, async (structure) => {
    moveVariant(structure, id, position);
    return { answer: undefined, writes: [], record: acting.audit('site-space', id, { details: { site, position } }) };
  });
  return getSiteSpace(rules, acting, site, id);
}

/** Tells renderers of changed spaces and of the sites that show them. */
export async function tellOfSpaces(
  { store, renderers }: SiteRules,
  changed: { organization: string; space: string }[],
): Promise<void> {
  if (!renderers.any) return;
  const tags: string[] = [];
  for (const { organization, space } of changed) {
    tags.push(spaceTag(space));
    for await (const { _id } of eachDocument(store, structures, { organization, spaces: space }, ['version']))
      tags.push(siteTag(_id));
  }
  await store.batch(renderers.told(tags));
}

/** Takes a space that is gone for good off every site that shows it. */
export async function removeSpace(
  rules: SiteRules,
  acting: Pick<Acting, 'audit'>,
  organization: string,
  space: string,
): Promise<void> {
  for await (const { _id } of eachDocument(rules.store, structures, { organization, spaces: space }, ['version']))
    await rules.structures.change(_id, async (structure) => {
      const gone = siteSpacesShowing(structure, space).map(({ id }) => id);
      for (const id of gone) removeVariant(structure, id);
      return {
        answer: undefined,
        writes: gone.map((id) => write.delete(siteSpaces, { _id: id })),
        record: acting.audit('site', _id, { organization, details: { removed: gone, space } }),
      };
    });
}
