import { notFound } from '../../../shared/errors/errors.js';

/**
 * The structure of a site: ids, containers, order, paths and defaults, nothing else, so that any change is one atomic
 * update of one document.
 */
export interface Structure {
  /** The site spaces of a flat site; empty when it has sections. */
  siteSpaces: SiteSpaceList;
  /** Sections, section groups and external links, in order. */
  entries: (SectionEntry | GroupEntry | LinkEntry)[];
  /** The id of the default section; null when there are no sections. */
  defaultSection: string | null;
}

/** Site spaces in order, with the id of the default one; null when there are none. */
export interface SiteSpaceList {
  items: SiteSpaceEntry[];
  default: string | null;
}

export interface SiteSpaceEntry {
  id: string;
  space: string;
  path: string;
}

export interface SectionEntry {
  id: string;
  path: string;
  siteSpaces: SiteSpaceList;
}

export interface GroupEntry {
  id: string;
  children: (SectionEntry | LinkEntry)[];
}

/** The place of an external link. */
export interface LinkEntry {
  id: string;
  isLink: true;
}

export const emptyStructure = (): Structure => ({ siteSpaces: noSiteSpaces(), entries: [], defaultSection: null });
export const noSiteSpaces = (): SiteSpaceList => ({ items: [], default: null });

type Entry = Structure['entries'][number];

export const isGroup = (entry: Entry): entry is GroupEntry => 'children' in entry;
export const isSection = (entry: Entry): entry is SectionEntry => 'siteSpaces' in entry;
export const isLink = (entry: Entry): entry is LinkEntry => 'isLink' in entry;

export const hasSections = ({ entries }: Structure): boolean => sectionsOf({ entries }).length > 0;

/** All sections and external links in order, including those in groups. */
const leavesOf = ({ entries }: Pick<Structure, 'entries'>): (SectionEntry | LinkEntry)[] =>
  entries.flatMap((entry) => (isGroup(entry) ? entry.children : entry));

/** All sections in order, including those in groups. */
export const sectionsOf = (structure: Pick<Structure, 'entries'>): SectionEntry[] =>
  leavesOf(structure).filter(isSection);

/** All external links in order, including those in groups. */
export const linksOf = (structure: Pick<Structure, 'entries'>): LinkEntry[] => leavesOf(structure).filter(isLink);

export const groupsOf = ({ entries }: Pick<Structure, 'entries'>): GroupEntry[] => entries.filter(isGroup);

/** A site space with the section that holds it; the section is null on a flat site. */
export interface PlacedSiteSpace {
  siteSpace: SiteSpaceEntry;
  section: SectionEntry | null;
  isDefault: boolean;
}

/** The site spaces of a section, or of the root of a flat site, in order. */
export const placedSiteSpaces = (section: SectionEntry | null, siteSpaces: SiteSpaceList): PlacedSiteSpace[] =>
  siteSpaces.items.map((siteSpace) => ({ siteSpace, section, isDefault: siteSpaces.default === siteSpace.id }));

/** All site spaces, in order. */
export const siteSpacesOf = (structure: Structure): PlacedSiteSpace[] => [
  ...placedSiteSpaces(null, structure.siteSpaces),
  ...sectionsOf(structure).flatMap((section) => placedSiteSpaces(section, section.siteSpaces)),
];

/** The ids of the spaces that a site shows, each once. */
export const spacesOf = (structure: Structure): string[] => [
  ...new Set(siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.space)),
];

/** The ids of the spaces that a section shows, each once. */
export const spacesIn = ({ siteSpaces }: SectionEntry): string[] => [
  ...new Set(siteSpaces.items.map(({ space }) => space)),
];

/** The list of site spaces of a section; without a section, that of the root. */
export const siteSpacesIn = (structure: Structure, section: SectionEntry | null): SiteSpaceList =>
  section ? section.siteSpaces : structure.siteSpaces;

/** All site spaces that show a space. */
export const siteSpacesShowing = (structure: Structure, space: string): SiteSpaceEntry[] =>
  siteSpacesOf(structure)
    .map(({ siteSpace }) => siteSpace)
    .filter((siteSpace) => siteSpace.space === space);

/** Throws 404 when the site has no such section. */
export function findSection(structure: Structure, id: string): SectionEntry {
  const found = sectionsOf(structure).find((section) => section.id === id);
  if (!found) throw notFound('Site section');
  return found;
}

/** Throws 404 when the site has no such section group. */
export function findGroup(structure: Structure, id: string): GroupEntry {
  const found = groupsOf(structure).find((group) => group.id === id);
  if (!found) throw notFound('Site section group');
  return found;
}

/** Throws 404 when the site has no such external link. */
export function findLink(structure: Structure, id: string): LinkEntry {
  const found = linksOf(structure).find((link) => link.id === id);
  if (!found) throw notFound('Site external link');
  return found;
}

/** Throws 404 when the site has no such site space. */
export function findSiteSpace(structure: Structure, id: string): PlacedSiteSpace {
  const found = siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === id);
  if (!found) throw notFound('Site space');
  return found;
}

/** The group that holds a section or an external link; undefined at the top level. */
export const groupOf = (structure: Structure, child: string): GroupEntry | undefined =>
  groupsOf(structure).find(({ children }) => children.some(({ id }) => id === child));

/** Where a site space without a given section goes: the default section; null means the root of a flat site. */
export function defaultPlace(structure: Structure): SectionEntry | null {
  if (!hasSections(structure)) return null;
  return structure.defaultSection === null ? null : findSection(structure, structure.defaultSection);
}
