import { type Collection, collection, type Write, write } from '../../../shared/store/port.js';
import type { CustomizationOverrides } from '../resources.js';
import type { FormerPath } from './former-paths.js';
import { isGroup, type SectionEntry, type SiteSpaceList, type Structure } from './structure.js';

/** The structure of one site; `_id` is that of the site. Every change is made on the version that was read. */
export interface StructureDocument {
  _id: string;
  organization: string;
  version: number;
  structure: StoredStructure;
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

/** A structure as it is stored. */
export const toStored = ({ siteSpaces, entries, defaultSection }: Structure): StoredStructure => ({
  siteSpaces,
  entries: entries.map((entry) =>
    isGroup(entry) ? { id: entry.id, sections: entry.sections.map(storedSection) } : storedSection(entry),
  ),
  defaultSection,
});

/** The structure that is stored. */
export const fromStored = ({ siteSpaces, entries, defaultSection }: StoredStructure): Structure => ({
  siteSpaces,
  entries: entries.map((entry) =>
    'sections' in entry ? { id: entry.id, sections: entry.sections.map(sectionEntry) } : sectionEntry(entry),
  ),
  defaultSection,
});

export interface SectionDocument {
  _id: string;
  site: string;
  title: string;
  description?: string;
  icon?: string;
  condition?: string;
}

export interface GroupDocument {
  _id: string;
  site: string;
  title: string;
  icon?: string;
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
export const siteSpaces = collection<SiteSpaceDocument>('sites_site_spaces', [{ on: { site: 1, customized: 1 } }]);

export const structureCollections = [structures, sections, groups, siteSpaces] as Collection<never>[];

/** The writes that delete what this room stores of a site. */
export const structureDeletion = (site: string): Write[] => [
  write.delete(structures, { _id: site }),
  write.delete(sections, { site }),
  write.delete(groups, { site }),
  write.delete(siteSpaces, { site }),
];
