import type { Call } from '../../../shared/contract/service.js';
import type { Collection, Document, HasStore, Store } from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { presentSpaces } from '../../content/contract.js';
import { checkShareKey } from '../publishing/share-keys.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteDocument, siteOf } from '../site/model.js';
import { type HasConfig, publishedURL, publisherOf } from '../site/urls.js';
import {
  type GroupDocument,
  groups,
  type LinkDocument,
  links,
  type SiteSpaceDocument,
  sections,
  siteSpaces,
} from '../structure/model.js';
import {
  type GroupEntry,
  groupOf,
  groupsOf,
  isLink,
  isSection,
  type LinkEntry,
  linksOf,
  type PlacedSiteSpace,
  placedSiteSpaces,
  type SectionEntry,
  type Structure,
  sectionsOf,
  siteSpacesOf,
} from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { ChangedSite, PartDocuments } from '../structure/structures.js';
import { type SiteURLs, urlsBelow } from '../structure/urls.js';
import type { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from './resources.js';

/** Data that presenting a site's parts needs, read once per answer. */
export interface SiteView {
  site: SiteDocument;
  structure: Structure;
  /** Null while the site has no published URL. */
  urls: SiteURLs | null;
  /** Documents that need not be read. */
  documents: PartDocuments;
}

type Deps = HasStore & HasConfig & HasDomainOwners & HasStructureCache;

interface Viewed {
  call: Call;
  site: SiteDocument;
  /** The key of a share link, for its URLs. */
  shareKey?: string | undefined;
}

/** The view of a loaded site. Throws 404 for a share key that does not belong to an active link of this site. */
export async function viewOf(deps: Deps, { call, site, shareKey }: Viewed): Promise<SiteView> {
  const [structure, base] = await Promise.all([
    deps.structureCache.structureOf(site),
    baseURL(deps, { call, site, shareKey }),
    shareKey === undefined ? null : checkShareKey(deps.store, { site: site._id, key: shareKey }),
  ]);
  return { site, structure, urls: base === null ? null : urlsBelow(base, structure), documents: {} };
}

/** Loads a site for its view. Throws 404 when it does not exist. */
export const loadView = async (deps: Deps, { site, ...viewed }: Omit<Viewed, 'site'> & { site: string }) =>
  viewOf(deps, { ...viewed, site: await siteOf(deps.store, site) });

/** The view of a site after a change: nothing is read again. */
export async function viewAfter(
  deps: Deps,
  { call, changed }: { call: Call; changed: ChangedSite },
): Promise<SiteView> {
  const base = await baseURL(deps, { call, site: changed.site });
  return { ...changed, urls: base === null ? null : urlsBelow(base, changed.structure) };
}

const baseURL = (deps: Deps, { call, site, shareKey }: Viewed): Promise<string | null> =>
  publishedURL(deps.config, {
    site,
    publisher: publisherOf(deps, { call, organization: site.organization }),
    shareKey,
  });

interface Presented<T> {
  call: Call;
  view: SiteView;
  items: T[];
}

type Read = Pick<Deps, 'store'>;

/** The site spaces in their order, without those whose space does not exist any more. */
export async function presentSiteSpaces(
  { store }: Read,
  { call, view: { site, urls, documents }, items }: Presented<PlacedSiteSpace>,
): Promise<SiteSpace[]> {
  if (items.length === 0) return [];
  const ids = [...new Set(items.map(({ siteSpace }) => siteSpace.space))];
  const [spaces, documentById] = await Promise.all([
    call(presentSpaces, { organization: site.organization, ids }),
    documentsOf<SiteSpaceDocument>(store, {
      collection: siteSpaces,
      ids: items.map(({ siteSpace }) => siteSpace.id),
      known: documents.siteSpace,
      fields: ['condition'],
    }),
  ]);
  const spaceById = new Map(ids.map((id, at) => [id, spaces[at]]));
  return items.flatMap((item): SiteSpace[] => {
    const { siteSpace, section, isDefault } = item;
    const { id, path } = siteSpace;
    const space = spaceById.get(siteSpace.space);
    const condition = documentById.get(id)?.condition;
    if (!space) return [];
    return [
      {
        object: 'site-space',
        id,
        path,
        ...(section ? { section: section.id } : {}),
        space,
        title: space.title,
        default: isDefault,
        draft: false,
        ...(condition ? { condition } : {}),
        hasAdvancedCustomizationFeature: true,
        urls: urls ? { published: urls.siteSpace(item) } : {},
      },
    ];
  });
}

export async function presentSections(
  { store }: Read,
  { call, view, items }: Presented<SectionEntry>,
): Promise<SiteSection[]> {
  const inside = items.flatMap((section) => placedSiteSpaces(section, section.siteSpaces));
  const [documentById, siteSpaces] = await Promise.all([
    documentsOf(store, { collection: sections, ids: items.map(({ id }) => id), known: view.documents.section }),
    presentSiteSpaces({ store }, { call, view, items: inside }),
  ]);
  const bySection = groupBy(siteSpaces, ({ section }) => section);
  return items.flatMap((section): SiteSection[] => {
    const { id, path } = section;
    const document = documentById.get(id);
    if (!document) return [];
    const { title, localizedTitle, description, localizedDescription, condition, icon } = document;
    const group = groupOf(view.structure, id);
    return [
      omitUndefined({
        object: 'site-section',
        id,
        title,
        localizedTitle,
        description: description || undefined,
        localizedDescription,
        default: view.structure.defaultSection === id,
        draft: false,
        path,
        condition: condition || undefined,
        sectionGroup: group?.id,
        icon: icon || undefined,
        siteSpaces: bySection.get(id) ?? [],
        urls: view.urls ? { published: view.urls.section(section) } : {},
      }),
    ];
  });
}

export async function presentLinks(
  { store }: Read,
  { view, items }: Pick<Presented<LinkEntry>, 'view' | 'items'>,
): Promise<SiteExternalLink[]> {
  const ids = items.map(({ id }) => id);
  const documentById = await documentsOf<LinkDocument>(store, { collection: links, ids, known: view.documents.link });
  return ids.flatMap((id): SiteExternalLink[] => {
    const document = documentById.get(id);
    if (!document) return [];
    const { _id, site: _, description, icon, condition, draft = false, ...fields } = document;
    return [
      omitUndefined({
        object: 'site-external-link',
        id,
        ...fields,
        description: description || undefined,
        icon: icon || undefined,
        sectionGroup: groupOf(view.structure, id)?.id,
        draft,
        condition: condition || undefined,
      }),
    ];
  });
}

export async function presentGroups(
  { store }: Read,
  { call, view, items }: Presented<GroupEntry>,
): Promise<SiteSectionGroup[]> {
  const inside = items.flatMap((group) => group.children);
  const [documentById, sections, links] = await Promise.all([
    groupDocuments(store, { view, items }),
    presentSections({ store }, { call, view, items: inside.filter(isSection) }),
    presentLinks({ store }, { view, items: inside.filter(isLink) }),
  ]);
  return groupsWith([...sections, ...links], { items, documentById });
}

const groupDocuments = (store: Store, { view, items }: Pick<Presented<GroupEntry>, 'view' | 'items'>) =>
  documentsOf(store, { collection: groups, ids: items.map(({ id }) => id), known: view.documents.group });

function groupsWith(
  inside: (SiteSection | SiteExternalLink)[],
  { items, documentById }: { items: GroupEntry[]; documentById: Map<string, GroupDocument> },
): SiteSectionGroup[] {
  const byId = new Map(inside.map((child) => [child.id, child]));
  return items.flatMap(({ id, children: entries }): SiteSectionGroup[] => {
    const document = documentById.get(id);
    if (!document) return [];
    const { title, localizedTitle, icon } = document;
    const children = entries.flatMap((entry) => byId.get(entry.id) ?? []);
    return [
      {
        object: 'site-section-group',
        id,
        title,
        ...(localizedTitle ? { localizedTitle } : {}),
        ...(icon ? { icon } : {}),
        draft: false,
        sections: children.filter((child) => child.object === 'site-section'),
        children,
      },
    ];
  });
}

/** The whole structure of a site, in order. */
export async function presentStructure(
  { store }: Read,
  { call, view }: Omit<Presented<never>, 'items'>,
): Promise<SiteStructure> {
  const { structure } = view;
  if (structure.siteSpaces.items.length > 0 || structure.entries.length === 0) {
    const items = siteSpacesOf(structure);
    return { type: 'siteSpaces', structure: await presentSiteSpaces({ store }, { call, view, items }) };
  }
  const items = groupsOf(structure);
  const [sections, links, documentById] = await Promise.all([
    presentSections({ store }, { call, view, items: sectionsOf(structure) }),
    presentLinks({ store }, { view, items: linksOf(structure) }),
    groupDocuments(store, { view, items }),
  ]);
  const inside = [...sections, ...links];
  const all = [...inside, ...groupsWith(inside, { items, documentById })];
  const byId = new Map<string, (typeof all)[number]>(all.map((entry) => [entry.id, entry]));
  return { type: 'sections', structure: structure.entries.flatMap(({ id }) => byId.get(id) ?? []) };
}

interface Wanted<D extends Document> {
  collection: Collection<D>;
  ids: string[];
  known: D | undefined;
  fields?: (keyof D & string)[];
}

/** Documents by their id; the one that is known is not read. */
async function documentsOf<D extends Document>(
  store: Store,
  { collection, ids, known, fields }: Wanted<D>,
): Promise<Map<string, D>> {
  const unread = ids.filter((id) => id !== known?._id);
  const found = unread.length > 0 ? await store.getMany(collection, unread, fields ? { fields } : {}) : [];
  return new Map([...found, ...(known ? [known] : [])].map((document) => [document._id, document]));
}
