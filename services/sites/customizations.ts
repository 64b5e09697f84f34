import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../shared/errors.js';
import { again } from '../../shared/store/again.js';
import { eachDocument, type Filter, type Store, type Write, write } from '../../shared/store/port.js';
import { customizedBy, defaultCustomization, overridesAfter } from './customization-defaults.js';
import type { Customization, CustomizationOverrides } from './customization-schema.js';
import { customizations, type SiteSpaceDocument, siteSpaces, sites } from './model.js';
import { siteTag } from './renderers.js';
import type { Acting, SiteRules } from './rules.js';

/** Complete: what was never said, or came with a later release, has its default. */
export async function getSiteCustomization({ store }: Pick<SiteRules, 'store'>, site: string): Promise<Customization> {
  const found = await store.get(customizations, site);
  return customizedBy(defaultCustomization, found?.settings ?? {});
}

/** Says all of it anew. */
export async function setSiteCustomization(
  rules: SiteRules,
  { audit }: Acting,
  site: string,
  settings: Customization,
): Promise<Customization> {
  const { store } = rules;
  const before = await store.get(customizations, site);
  if (!isDeepStrictEqual(before?.settings, settings))
    await store.batch([
      write.check(sites, { _id: site }, 1),
      write.upsert(customizations, { _id: site }, { $set: { settings } }),
      ...rules.renderers.told([siteTag(site)]),
      audit('site', site, { details: { customization: changedFields(before?.settings ?? {}, settings) } }),
    ]);
  return getSiteCustomization(rules, site);
}

/** The names of the fields of the first level that differ. */
const changedFields = (before: object, after: object): string[] => {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (field) => !isDeepStrictEqual(old[field], now[field]),
  );
};

/** 404 for one that is not on this site. */
async function siteSpaceOf(store: Store, site: string, id: string): Promise<SiteSpaceDocument> {
  const found = await store.get(siteSpaces, id);
  if (found?.site !== site) throw notFound('Site space');
  return found;
}

export async function getSiteSpaceCustomization(
  rules: Pick<SiteRules, 'store'>,
  site: string,
  id: string,
): Promise<Customization> {
  const [{ customization = {} }, ofSite] = await Promise.all([
    siteSpaceOf(rules.store, site, id),
    getSiteCustomization(rules, site),
  ]);
  return customizedBy(ofSite, customization);
}

export async function overrideCustomization(
  rules: SiteRules,
  acting: Acting,
  site: string,
  id: string,
  changes: CustomizationOverrides,
): Promise<Customization> {
  await changeOverrides(rules, acting, site, id, (before) => overridesAfter(before, changes));
  return getSiteSpaceCustomization(rules, site, id);
}

/** Nothing to drop is no error. */
export const dropOverrides = (rules: SiteRules, acting: Acting, site: string, id: string): Promise<void> =>
  changeOverrides(rules, acting, site, id, () => null);

/** On the version that was read, so that of two who change different fields none loses. */
function changeOverrides(
  { store, renderers }: SiteRules,
  { audit }: Acting,
  site: string,
  id: string,
  decide: (before: CustomizationOverrides | undefined) => CustomizationOverrides | null,
): Promise<void> {
  return again(async () => {
    const { customization: before, customizationVersion: version } = await siteSpaceOf(store, site, id);
    const after = decide(before);
    if (isDeepStrictEqual(after ?? undefined, before)) return;
    await store.batch([
      overridesWrite({ _id: id, customizationVersion: version ?? { $exists: false } }, after, (version ?? 0) + 1),
      ...renderers.told([siteTag(site)]),
      audit('site-space', id, { details: { site, customization: changedFields(before ?? {}, after ?? {}) } }),
    ]);
  });
}

const overridesWrite = (
  filter: Filter<SiteSpaceDocument>,
  after: CustomizationOverrides | null,
  version: number,
): Write =>
  write.update(
    siteSpaces,
    filter,
    after
      ? { $set: { customization: after, customized: true, customizationVersion: version } }
      : { $unset: { customization: true, customized: true, customizationVersion: true } },
    { expect: 1 },
  );

/** How a site looks, and how each of its site spaces does; all complete. */
export interface Customizations {
  site: Customization;
  siteSpaces: Record<string, Customization>;
}

/** For renderers, which ask for the one of each site space that they show. */
export async function customizationsOf(
  rules: Pick<SiteRules, 'store'>,
  id: string,
  shown: string[],
): Promise<Customizations> {
  const site = await getSiteCustomization(rules, id);
  const own = new Map<string, Customization>();
  const filter: Filter<SiteSpaceDocument> = { site: id, customized: true };
  for await (const { _id, customization = {} } of eachDocument(rules.store, siteSpaces, filter, ['customization']))
    own.set(_id, customizedBy(site, customization));
  return { site, siteSpaces: Object.fromEntries(shown.map((each) => [each, own.get(each) ?? site])) };
}
