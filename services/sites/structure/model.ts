import { type Collection, collection, type Write, write } from '../../../shared/store/port.js';
import type { CustomizationOverrides, LocalizedText } from '../resources.js';
import type { FormerPath } from './former-paths.js';
import {
  type GroupEntry,
  isGroup,
  isLink,
  isSection,
  type LinkEntry,
  type SectionEntry,
  type SiteSpaceList,
  type Structure,
} from './structure.js';

/** The structure of one site; `_id` is that of the site. Every change is made on the version that was read. */
export interface StructureDocument {
  _id: string;
  organization: string;
  version: number;
  structure: StoredStructure;
  /** Where its external links stand: beside the structure, as the last release knows sections and groups only. */
  links?: StoredLink[];
  /** Ids of the spaces that it shows, each once. */
  spaces: string[];
  /** Where its parts were before. */
  former?: FormerPath[];
}

interface StoredSection {
  id: string;
  path: string;
  /** The site spaces, by the name that they had when the first structures were stored. */
  variants: SiteSpaceList;
}

interface StoredStructure extends Pick<Structure, 'siteSpaces' | 'defaultSection'> {
  entries: (StoredSection | { id: string; sections: StoredSection[] })[];
}

const storedSection = ({ id, path, siteSpaces }: SectionEntry): StoredSection => ({ id, path, variants: siteSpaces });
const sectionEntry = ({ id, path, variants }: StoredSection): SectionEntry => ({ id, path, siteSpaces: variants });

interface StoredLink {
  id: string;
  /** The group that holds it; absent at the top level. */
  group?: string;
  /** Its place among everything that its group, or the top level, holds. */
  at: number;
}

type Stored = Pick<StructureDocument, 'structure' | 'links'>;

/** A structure as it is stored. */
export const toStored = ({ siteSpaces, entries, defaultSection }: Structure): Stored => ({
  structure: {
    siteSpaces,
    entries: entries.flatMap((entry) => {
      if (isGroup(entry)) return { id: entry.id, sections: entry.children.filter(isSection).map(storedSection) };
      return isSection(entry) ? storedSection(entry) : [];
    }),
    defaultSection,
  },
  links: [
    ...storedLinks(entries),
    ...entries
      .filter(isGroup)
      .flatMap(({ id, children }) => storedLinks(children).map((link) => ({ ...link, group: id }))),
  ],
});

const storedLinks = (items: Structure['entries']): StoredLink[] =>
  items.flatMap((item, at) => (isLink(item) ? { id: item.id, at } : []));

/** The structure that is stored. */
export function fromStored({ structure: { siteSpaces, entries, defaultSection }, links = [] }: Stored): Structure {
  const groupOfLink = new Map<string, GroupEntry>();
  const made = entries.map((entry): SectionEntry | GroupEntry => {
    if (!('sections' in entry)) return sectionEntry(entry);
    const group: GroupEntry = { id: entry.id, children: entry.sections.map(sectionEntry) };
    groupOfLink.set(entry.id, group);
    return group;
  });
  const structure: Structure = { siteSpaces, entries: made, defaultSection };
  for (const { id, group = '', at } of links) {
    const link: LinkEntry = { id, isLink: true };
    // One whose group is gone, by a process of the last release, stands at the top level.
    (groupOfLink.get(group)?.children ?? structure.entries).splice(at, 0, link);
  }
  return structure;
}

export interface SectionDocument {
  _id: string;
  site: string;
  title: string;
  localizedTitle?: LocalizedText;
  description?: string;
  localizedDescription?: LocalizedText;
  icon?: string;
  condition?: string;
}

export interface GroupDocument {
  _id: string;
  site: string;
  title: string;
  localizedTitle?: LocalizedText;
  icon?: string;
}

/** An external link in the navigation of a site. */
export interface LinkDocument {
  _id: string;
  site: string;
  title: string;
  localizedTitle?: LocalizedText;
  description?: string;
  localizedDescription?: LocalizedText;
  icon?: string;
  url: string;
  draft?: true;
  condition?: string;
}

export interface SiteSpaceDocument {
  _id: string;
  site: string;
  condition?: string;
  /** Its overrides of the customization of the site; `customized` and `customizationVersion` are present with it. */
  customization?: CustomizationOverrides;
  customized?: true;
  customizationVersion?: number;
}

export const structures = collection<StructureDocument>('sites_structures', [
  { kind: 'multikey', array: 'spaces', within: ['organization'] },
]);
export const sections = collection<SectionDocument>('sites_sections', [{ on: { site: 1 } }]);
export const groups = collection<GroupDocument>('sites_groups', [{ on: { site: 1 } }]);
export const links = collection<LinkDocument>('sites_links', [{ on: { site: 1 } }]);
export const siteSpaces = collection<SiteSpaceDocument>('sites_site_spaces', [{ on: { site: 1, customized: 1 } }]);

export const structureCollections = [structures, sections, groups, links, siteSpaces] as Collection<never>[];

/** The writes that delete what this room stores of a site. */
export const structureDeletion = (site: string): Write[] => [
  write.delete(structures, { _id: site }),
  write.delete(sections, { site }),
  write.delete(groups, { site }),
  write.delete(links, { site }),
  write.delete(siteSpaces, { site }),
];
