import { formerAt } from '../structure/former-paths.js';
import { type PlacedSiteSpace, sectionsOf, siteSpacesOf } from '../structure/structure.js';
import { type Located, locate, readable } from './locate.js';
import type { Seen } from './visible-site-cache.js';

/** A part of a site and the path of a page in it. */
export interface Target {
  placed: PlacedSiteSpace;
  /** Segments, percent-encoded. */
  rest: string[];
}

/** The target of a path that begins with a former path of a section or a site space; null for any other. */
export function formerTarget(seen: Seen, { named, placed, rest }: Located): Target | null {
  const [first, ...after] = rest;
  if (first === undefined || named.siteSpace) return null;
  const { section } = placed;
  const level = named.section && section ? section.id : null;
  const ids = formerAt(seen.former, level, readable(first));
  if (level === null && section) ids.push(...formerAt(seen.former, section.id, readable(first)));
  for (const id of ids) {
    const target = leadingTo(seen, id, after);
    if (target) return target;
  }
  return null;
}

function leadingTo(seen: Seen, id: string, rest: string[]): Target | null {
  const section = sectionsOf(seen.structure).find((each) => each.id === id);
  if (section) {
    const located = locate(seen, [encodeURIComponent(section.path), ...rest]);
    return located && (formerTarget(seen, located) ?? { placed: located.placed, rest: located.rest });
  }
  const placed = siteSpacesOf(seen.structure).find(({ siteSpace }) => siteSpace.id === id);
  return placed ? { placed, rest } : null;
}

/** The former defaults of a level of the site, the latest first; at most three. */
export function formerStarts(seen: Seen, { named, placed, rest }: Located): Target[] {
  if (named.siteSpace) return [];
  const level = named.section && placed.section ? placed.section.id : null;
  const ids = formerAt(seen.former, level, '');
  if (level === null && placed.section) ids.push(...formerAt(seen.former, placed.section.id, ''));
  return ids.slice(0, 3).flatMap((id) => leadingTo(seen, id, rest) ?? []);
}
