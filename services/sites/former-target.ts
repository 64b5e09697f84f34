import { formerAt } from './former-paths.js';
import { type Located, locate, readable } from './locate.js';
import { type Placed, sectionsOf, siteSpacesOf } from './structure.js';
import type { Seen } from './visible.js';

/** A part of a site and the path of a page in it. */
export interface Target {
  placed: Placed;
  /** Segments, percent-encoded. */
  rest: string[];
}

/** Where a path leads that begins with what a section or a site space was called before; null for any other. */
export function formerTarget(seen: Seen, { named, placed, rest }: Located): Target | null {
  const [first, ...after] = rest;
  if (first === undefined || named.variant) return null;
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
  const placed = siteSpacesOf(seen.structure).find(({ variant }) => variant.id === id);
  return placed ? { placed, rest } : null;
}

/** What a level of the site began with before, the latest first; at most three. */
export function formerStarts(seen: Seen, { named, placed, rest }: Located): Target[] {
  if (named.variant) return [];
  const level = named.section && placed.section ? placed.section.id : null;
  const ids = formerAt(seen.former, level, '');
  if (level === null && placed.section) ids.push(...formerAt(seen.former, placed.section.id, ''));
  return ids.slice(0, 3).flatMap((id) => leadingTo(seen, id, rest) ?? []);
}
