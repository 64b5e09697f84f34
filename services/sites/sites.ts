import { type Access, type AccessQuestion, accessOf } from '../../shared/contract/access.js';
import { membershipOf } from '../../shared/contract/caller.js';
import { conflict, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { again } from '../../shared/store/again.js';
import { eachDocument, type Filter, type Store, StoreDuplicate, type Write, write } from '../../shared/store/port.js';
import { contentContract, importHandbook } from '../content/contract.js';
import { customizations, groups, type SiteDocument, sections, siteSpaces, sites, structures } from './model.js';
import { publishingGone } from './model-publishing.js';
import { organizationOf, presentSite } from './present.js';
import { hostTag, siteTag } from './renderers.js';
import type { Site } from './resources.js';
import type { Acting, Looking, SiteRules } from './rules.js';
import { spacesFor } from './spaces.js';
import { addVariant, emptyStructure, setDefaultSection, setDefaultVariant, slugOf } from './structure.js';
import { publishedURLs, siteURL } from './urls.js';

/** 404 for one that is not there. */
export async function siteOf(store: Store, id: string): Promise<SiteDocument> {
  const site = await store.get(sites, id);
  if (!site) throw notFound('Site');
  return site;
}

async function present(rules: SiteRules, looking: Pick<Looking, 'call'>, items: SiteDocument[]): Promise<Site[]> {
  const [first] = items;
  if (!first) return [];
  const organization = await organizationOf(looking, first.organization);
  return items.map((site) => {
    const urls = publishedURLs(rules.config, site, organization, { defaultSection: null });
    return presentSite(rules, { site, organization, urls });
  });
}

const presentOne = async (rules: SiteRules, looking: Pick<Looking, 'call'>, site: SiteDocument): Promise<Site> =>
  (await present(rules, looking, [site]))[0] as Site;

export const getSite = async (rules: SiteRules, looking: Pick<Looking, 'call'>, id: string): Promise<Site> =>
  presentOne(rules, looking, await siteOf(rules.store, id));

export interface SiteQuery extends PageRequest {
  space?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  type?: SiteDocument['type'][] | undefined;
}

/** In order of creation. */
export async function listSites(
  rules: SiteRules,
  looking: Pick<Looking, 'call'>,
  organization: string,
  query: SiteQuery,
): Promise<Page<Site>> {
  const { store } = rules;
  const { space, title, published, type } = query;
  const filter: Filter<SiteDocument> = {
    organization,
    ...(published === undefined ? {} : { published }),
    ...(type && type.length > 0 ? { type: { $in: type } } : {}),
    ...(title ? { $contains: { index: 'title', text: title } } : {}),
    ...(space === undefined ? {} : { _id: { $in: await sitesShowing(store, organization, space) } }),
  };
  return listPage(store, sites, { filter, sort: { createdAt: 1 }, request: query }, (items) =>
    present(rules, looking, items),
  );
}

async function sitesShowing(store: Store, organization: string, space: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { _id } of eachDocument(store, structures, { organization, spaces: space }, ['version']))
    ids.push(_id);
  return ids;
}

export interface SiteInput {
  type: SiteDocument['type'];
  title?: string | undefined;
  visibility: SiteDocument['visibility'];
  spaces: string[] | 'sample' | 'empty';
}

const untitled = 'Untitled site';

/** The spaces that it begins with; new ones are made first. */
async function firstSpaces(
  acting: Acting,
  organization: string,
  { spaces, title = untitled }: SiteInput,
): Promise<{ id: string; title: string }[]> {
  if (Array.isArray(spaces))
    return spacesFor(
      acting,
      organization,
      spaces.map((id, at) => ({ id, field: `spaces.${at}` })),
    );
  if (spaces === 'sample') {
    const creator = acting.caller.kind === 'user' ? acting.caller.user : acting.caller.kind;
    const space = newId();
    await acting.call(importHandbook, { organization, creator, space });
    return [{ id: space, title: 'Handbook' }];
  }
  const made = await acting.call(contentContract.createSpace, {
    path: { organizationId: organization },
    body: { title: title.slice(0, 50) },
  });
  return [made];
}

export async function createSite(
  rules: SiteRules,
  acting: Acting,
  organization: string,
  input: SiteInput,
): Promise<Site> {
  const { store } = rules;
  const { title = untitled, type, visibility } = input;
  const structure = emptyStructure();
  for (const space of await firstSpaces(acting, organization, input))
    addVariant(structure, null, { id: newId(), space: space.id }, slugOf(space.title, 'space'));
  const shown = structure.siteSpaces.items;
  const slug = slugOf(title, 'site');
  const made = await again(
    async () => {
      const site: SiteDocument = {
        _id: `site_${newId()}`,
        organization,
        type,
        title,
        visibility,
        published: false,
        basename: await freeBasename(store, organization, slug),
        adaptiveContent: true,
        agentsContext: 'included',
        structureVersion: 1,
        siteSpaces: shown.length,
        createdAt: timestamp(),
      };
      await store.batch([
        write.insert(sites, site),
        ...rules.structures.first(site, structure),
        ...shown.map(({ id }) => write.insert(siteSpaces, { _id: id, site: site._id })),
        acting.audit('site', site._id, { details: { title } }),
      ]);
      return site;
    },
    { duplicates: true },
  );
  return presentOne(rules, acting, made);
}

async function freeBasename(store: Store, organization: string, slug: string): Promise<string> {
  for (let next = 0; ; next++) {
    const basename = next === 0 ? slug : `${slug}-${next}`;
    if (!(await store.findOne(sites, { organization, basename }, { fields: ['basename'] }))) return basename;
  }
}

export interface SiteChanges {
  title?: string | undefined;
  visibility?: SiteDocument['visibility'] | undefined;
  basename?: string | undefined;
  hostname?: string | null | undefined;
  adaptiveContent?: { enabled: boolean } | undefined;
  agentsContext?: SiteDocument['agentsContext'] | undefined;
  defaultSiteSpace?: string | undefined;
  defaultSiteSection?: string | undefined;
  proxy?: string | null | undefined;
}

/** Tells renderers of a site as it is and as it is to be, with the hosts at which visitors ask for it. */
async function toldOf(rules: SiteRules, looking: Pick<Looking, 'call'>, ...states: SiteDocument[]): Promise<Write[]> {
  const [site] = states;
  if (!site || !rules.renderers.any) return [];
  const organization = await organizationOf(looking, site.organization);
  const urls = states.flatMap((state) => [
    siteURL(rules.config, state, organization),
    ...(state.proxy ? [`https://${state.proxy}/`] : []),
  ]);
  return rules.renderers.told([siteTag(site._id), ...urls.map((url) => hostTag(new URL(url).hostname))]);
}

/** What differs from what is stored. */
function updateOf(site: SiteDocument, changes: Omit<SiteChanges, 'defaultSiteSpace' | 'defaultSiteSection'>) {
  const { adaptiveContent, ...plain } = changes;
  const wanted = { ...plain, ...(adaptiveContent ? { adaptiveContent: adaptiveContent.enabled } : {}) };
  const $set: Record<string, unknown> = {};
  const $unset: Record<string, true> = {};
  for (const [field, value] of Object.entries(wanted)) {
    const old = site[field as keyof SiteDocument];
    if (value === undefined || value === old || (value === null && old === undefined)) continue;
    if (value === null) $unset[field] = true;
    else $set[field] = value;
  }
  return { $set, $unset };
}

export async function updateSite(
  rules: SiteRules,
  acting: Acting,
  id: string,
  { defaultSiteSpace, defaultSiteSection, ...changes }: SiteChanges,
): Promise<Site> {
  await rules.structures
    .change(id, async (structure, site) => {
      if (defaultSiteSection !== undefined) setDefaultSection(structure, defaultSiteSection);
      if (defaultSiteSpace !== undefined) setDefaultVariant(structure, null, defaultSiteSpace);
      const { $set, $unset } = updateOf(site, changes);
      const changed = [...Object.keys($set), ...Object.keys($unset)];
      const details = { ...$set, ...Object.fromEntries(Object.keys($unset).map((field) => [field, null])) };
      const writes: Write[] =
        changed.length === 0
          ? []
          : [
              write.update(sites, { _id: id }, { $set, $unset }, { expect: 1 }),
              ...(await toldOf(rules, acting, site, { ...site, ...details } as SiteDocument)),
            ];
      return { answer: undefined, writes, record: acting.audit('site', id, { details }) };
    })
    .catch(taken);
  return getSite(rules, acting, id);
}

function taken(error: unknown): never {
  if (!(error instanceof StoreDuplicate)) throw error;
  const field = ['hostname', 'proxy'].find((name) => error.fields.includes(name)) ?? 'basename';
  throw conflict(`${field}: already taken`);
}

/** Idempotent, both ways. */
export async function setPublished(rules: SiteRules, acting: Acting, id: string, published: boolean): Promise<Site> {
  const site = await siteOf(rules.store, id);
  if (site.published !== published)
    await rules.store.batch([
      write.update(sites, { _id: id, published: !published }, { $set: { published } }, { expect: 1 }),
      ...(await toldOf(rules, acting, site)),
      acting.audit('site', id, { details: { published } }),
    ]);
  return getSite(rules, acting, id);
}

/** Gone at once; what it held is out of reach and swept away with it. */
export async function deleteSite(rules: SiteRules, acting: Acting, id: string): Promise<void> {
  const site = await siteOf(rules.store, id);
  await rules.store.batch([
    write.delete(sites, { _id: id }, { expect: 1 }),
    write.delete(structures, { _id: id }),
    write.delete(customizations, { _id: id }),
    write.delete(sections, { site: id }),
    write.delete(groups, { site: id }),
    write.delete(siteSpaces, { site: id }),
    ...publishingGone(id),
    ...(await toldOf(rules, acting, site)),
    acting.audit('site', id),
  ]);
}

/** A caller's access to sites is its membership of their organizations; visitors see the one that they came to. */
export async function resolveSites(store: Store, { caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  const found = await store.getMany(sites, ids, { fields: ['organization'] });
  const organizationById = new Map(found.map(({ _id, organization }) => [_id, organization]));
  return ids.map((id) => {
    const organization = organizationById.get(id);
    if (organization === undefined) return null;
    if (caller.kind === 'content')
      return caller.site === id && caller.organization === organization
        ? { organization, role: null, state: 'active' }
        : null;
    return accessOf(caller, organization, membershipOf(caller, organization)?.role);
  });
}
