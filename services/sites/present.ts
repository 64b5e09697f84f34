import { notFound } from '../../shared/errors.js';
import { presentSpaces } from '../content/contract.js';
import { findOrganization, type PublishingOrganization } from '../identity/contract.js';
import { groups, type SiteDocument, sections, siteSpaces } from './model.js';
import type { Site, SiteSection, SiteSectionGroup, SiteSpace } from './resources.js';
import type { Looking, SiteRules } from './rules.js';
import { activeShareKey } from './share-keys.js';
import { type GroupEntry, groupOf, type Placed, type SectionEntry, type Structure } from './structure.js';
import { type PublishedURLs, publishedURLs, siteURL } from './urls.js';

/** What the presentation of a site's parts needs to know, read once an answer. */
export interface SiteView {
  site: SiteDocument;
  organization: PublishingOrganization;
  structure: Structure;
  urls: PublishedURLs | null;
}

export async function organizationOf({ call }: Pick<Looking, 'call'>, id: string): Promise<PublishingOrganization> {
  const organization = await call(findOrganization, { id });
  if (!organization) throw notFound('Organization');
  return organization;
}

/** 404 for a share key that is not of an active link of this site. */
export async function viewOf(
  rules: SiteRules,
  looking: Pick<Looking, 'call'>,
  site: SiteDocument,
  shareKey?: string,
): Promise<SiteView> {
  const [structure, organization] = await Promise.all([
    rules.structures.of(site),
    organizationOf(looking, site.organization),
    shareKey === undefined ? null : activeShareKey(rules.store, site._id, shareKey),
  ]);
  return { site, organization, structure, urls: publishedURLs(rules.config, site, organization, structure, shareKey) };
}

export function presentSite({ config }: SiteRules, { site, organization, urls }: Omit<SiteView, 'structure'>): Site {
  const { _id: id, type, title, hostname, basename, proxy, visibility, published, createdAt, agentsContext } = site;
  const location = `${config.baseUrl}/v1/orgs/${site.organization}/sites/${id}`;
  return {
    object: 'site',
    id,
    type,
    title,
    ...(hostname ? { hostname } : {}),
    basename,
    ...(proxy ? { proxy: { origin: proxy, target: siteURL(config, site, organization) } } : {}),
    visibility,
    published,
    siteSpaces: site.siteSpaces,
    createdAt,
    adaptiveContent: { enabled: site.adaptiveContent },
    agentsContext,
    features: [],
    urls: {
      location,
      app: `${config.baseUrl}/app/o/${site.organization}/sites/${id}`,
      ...(urls ? { published: urls.site } : {}),
    },
  };
}

/** In their order; those whose space is gone are left out. */
export async function presentSiteSpaces(
  { store }: SiteRules,
  { call }: Pick<Looking, 'call'>,
  { site, urls }: SiteView,
  items: Placed[],
): Promise<SiteSpace[]> {
  if (items.length === 0) return [];
  const ids = [...new Set(items.map(({ variant }) => variant.space))];
  const [spaces, documents] = await Promise.all([
    call(presentSpaces, { organization: site.organization, ids }),
    store.getMany(
      siteSpaces,
      items.map(({ variant }) => variant.id),
      { fields: ['condition'] },
    ),
  ]);
  const spaceById = new Map(ids.map((id, at) => [id, spaces[at]]));
  const conditionById = new Map(documents.map(({ _id, condition }) => [_id, condition]));
  return items.flatMap((item): SiteSpace[] => {
    const { variant, section, isDefault } = item;
    const space = spaceById.get(variant.space);
    const condition = conditionById.get(variant.id);
    if (!space) return [];
    return [
      {
        object: 'site-space',
        id: variant.id,
        path: variant.path,
        ...(section ? { section: section.id } : {}),
        space,
        title: space.title,
        default: isDefault,
        ...(condition ? { condition } : {}),
        hasAdvancedCustomizationFeature: true,
        urls: urls ? { published: urls.siteSpace(item) } : {},
      },
    ];
  });
}

export async function presentSections(
  rules: SiteRules,
  looking: Pick<Looking, 'call'>,
  view: SiteView,
  items: SectionEntry[],
): Promise<SiteSection[]> {
  const inside = items.flatMap((section): Placed[] =>
    section.variants.items.map((variant) => ({ variant, section, isDefault: section.variants.default === variant.id })),
  );
  const [documents, shown] = await Promise.all([
    rules.store.getMany(
      sections,
      items.map(({ id }) => id),
    ),
    presentSiteSpaces(rules, looking, view, inside),
  ]);
  const documentById = new Map(documents.map((document) => [document._id, document]));
  const bySection = grouped(shown);
  return items.flatMap((section): SiteSection[] => {
    const document = documentById.get(section.id);
    if (!document) return [];
    const { title, description, condition, icon } = document;
    const group = groupOf(view.structure, section.id);
    return [
      {
        object: 'site-section',
        id: section.id,
        title,
        ...(description ? { description } : {}),
        default: view.structure.defaultSection === section.id,
        path: section.path,
        ...(condition ? { condition } : {}),
        ...(group ? { sectionGroup: group.id } : {}),
        ...(icon ? { icon } : {}),
        siteSpaces: bySection.get(section.id) ?? [],
        urls: view.urls ? { published: view.urls.section(section) } : {},
      },
    ];
  });
}

/** By section, in their order. */
function grouped(shown: SiteSpace[]): Map<string | undefined, SiteSpace[]> {
  const bySection = new Map<string | undefined, SiteSpace[]>();
  for (const item of shown) {
    const same = bySection.get(item.section);
    if (same) same.push(item);
    else bySection.set(item.section, [item]);
  }
  return bySection;
}

export async function presentGroups(
  rules: SiteRules,
  looking: Pick<Looking, 'call'>,
  view: SiteView,
  items: GroupEntry[],
): Promise<SiteSectionGroup[]> {
  const [documents, inside] = await Promise.all([
    rules.store.getMany(
      groups,
      items.map(({ id }) => id),
    ),
    presentSections(
      rules,
      looking,
      view,
      items.flatMap((group) => group.sections),
    ),
  ]);
  const documentById = new Map(documents.map((document) => [document._id, document]));
  return items.flatMap(({ id }): SiteSectionGroup[] => {
    const document = documentById.get(id);
    if (!document) return [];
    const { title, icon } = document;
    const own = inside.filter(({ sectionGroup }) => sectionGroup === id);
    return [{ object: 'site-section-group', id, title, ...(icon ? { icon } : {}), sections: own }];
  });
}
