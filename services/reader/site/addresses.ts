import type { OutsideTarget } from '../../content/contract.js';
import { type SiteSpace, sectionsIn } from '../../sites/resources.js';
import { encodedPath, fragmentOf } from '../marks/fill-marks.js';
import { canonicalStart } from '../visits/near-visits.js';
import type { Visit } from '../visits/visit.js';

/** Where a request came to. */
export interface RequestPlace {
  /** As the browser has it. */
  url: URL;
  /** As sites knows it. */
  known: URL;
  /** The path of this server on the host of the request, without a slash at its end. */
  rootPath: string;
}

/** How the pages of one visit are addressed. */
export interface Addresses {
  /** The address of a page of the space that is visited. */
  page: (path: string, anchor?: string) => string;
  file: (path: string) => string;
  target: (target: OutsideTarget) => string | null;
  /** An address of the site as visitors of this host reach it: its path, where it is on the same host. */
  local: (url: string) => string;
  /** Canonical and absolute. */
  canonical: (path: string) => string;
}

/** The site spaces of a site, in their order. */
export function siteSpacesOf({ site: { structure } }: Pick<Visit, 'site'>): SiteSpace[] {
  if (structure.type === 'siteSpaces') return structure.structure;
  return structure.structure.flatMap(sectionsIn).flatMap(({ siteSpaces }) => siteSpaces);
}

/** The titles of the sections of a site, by their ids. */
export function sectionTitles({ site: { structure } }: Pick<Visit, 'site'>): Map<string, string> {
  if (structure.type === 'siteSpaces') return new Map();
  return new Map(structure.structure.flatMap(sectionsIn).map(({ id, title }) => [id, title]));
}

/** The entry of the site's structure for the space that is visited; undefined where the structure does not list it. */
export const visitedSiteSpace = (visit: Visit): SiteSpace | undefined =>
  siteSpacesOf(visit).find(({ id }) => id === visit.shown.siteSpace);

export function addressesOf(visit: Visit, { url, known, rootPath }: RequestPlace): Addresses {
  const { shown } = visit;
  const all = siteSpacesOf(visit);
  const local = (address: string): string => {
    if (!URL.canParse(address)) return address;
    const { hostname, pathname, search, hash } = new URL(address);
    return hostname === url.hostname || hostname === known.hostname ? pathname + search + hash : address;
  };
  const page = (path: string, anchor?: string) => shown.basePath + encodedPath(path) + fragmentOf(anchor);
  // Near ones first: the same space may be shown in several sections.
  const near = [...all].sort(
    (one, other) => Number(other.section === shown.siteSection) - Number(one.section === shown.siteSection),
  );
  const start = canonicalStart(shown);
  return {
    page,
    file: (path) => rootPath + path,
    local,
    canonical: (path) => start + encodedPath(path),
    target(target) {
      if (target.kind === 'url') return target.url;
      const { space, path, anchor } = target;
      if (space === shown.space) return page(path, anchor);
      const published = near.find((each) => each.space.id === space)?.urls.published;
      return published ? local(published) + encodedPath(path) + fragmentOf(anchor) : null;
    },
  };
}
