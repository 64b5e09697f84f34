import type { PlacedSiteSpace, SectionEntry, Structure } from './structure.js';

/** The URLs of a site and its parts. */
export interface SiteURLs {
  site: string;
  section(section: SectionEntry): string;
  siteSpace(placed: PlacedSiteSpace): string;
}

/** The URLs of a site that begins at `base`. */
export function urlsBelow(base: string, structure: Pick<Structure, 'defaultSection'>): SiteURLs {
  const section = ({ id, path }: SectionEntry) =>
    structure.defaultSection === id ? base : `${base}${encodeURIComponent(path)}/`;
  return {
    site: base,
    section,
    siteSpace: ({ section: holder, siteSpace, isDefault }) => {
      const above = holder ? section(holder) : base;
      return isDefault ? above : `${above}${encodeURIComponent(siteSpace.path)}/`;
    },
  };
}
