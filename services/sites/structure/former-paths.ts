import { pathKey } from './paths.js';
import { type Structure, sectionsOf } from './structure.js';

/** A path that led to a part of a site before; its visitors are redirected to where the part is now. */
export interface FormerPath {
  /** The section that it was in; null on the level of the site. */
  in: string | null;
  /** The path in the form in which paths are compared; empty for the default of the level. */
  path: string;
  /** A section or a site space. */
  id: string;
}

const maxKept = 500;

type Level = string | null;

/** Where the parts of a site are, and the default of each level. */
export interface Places {
  parts: Map<string, { in: Level; path: string }>;
  defaults: Map<Level, string>;
}

export function placesOf(structure: Structure): Places {
  const places: Places = { parts: new Map(), defaults: new Map() };
  const add = (level: Level, items: { id: string; path: string }[], chosen: string | null) => {
    for (const { id, path } of items) places.parts.set(id, { in: level, path });
    if (chosen !== null) places.defaults.set(level, chosen);
  };
  const sections = sectionsOf(structure);
  add(null, structure.siteSpaces.items, structure.siteSpaces.default);
  add(null, sections, structure.defaultSection);
  for (const { id, siteSpaces } of sections) add(id, siteSpaces.items, siteSpaces.default);
  return places;
}

function isNow({ parts, defaults }: Places, { in: level, path, id }: FormerPath): boolean {
  if (path === '') return defaults.get(level) === id;
  const place = parts.get(id);
  return place !== undefined && place.in === level && pathKey(place.path) === path;
}

const isSame = (a: FormerPath, b: FormerPath) => a.in === b.in && a.path === b.path && a.id === b.id;

/** The former paths that a change leaves: of parts that moved, and of parts that are no default any more. */
function leftBehind(before: Places, after: Places): FormerPath[] {
  const left: FormerPath[] = [];
  for (const [id, place] of before.parts) {
    const now = after.parts.get(id);
    if (!now || (now.in === place.in && now.path === place.path)) continue;
    left.push({ in: place.in, path: pathKey(place.path), id });
  }
  for (const [level, id] of before.defaults)
    if (after.defaults.get(level) !== id && after.parts.has(id)) left.push({ in: level, path: '', id });
  return left.filter((each) => !isNow(after, each)).slice(0, maxKept);
}

/** `former` after a change of the structure, the latest first; removed parts leave none. */
export function formerAfter(former: readonly FormerPath[], before: Places, after: Places): FormerPath[] {
  const left = leftBehind(before, after);
  const kept = former.filter(
    (each) => after.parts.has(each.id) && !isNow(after, each) && !left.some((other) => isSame(other, each)),
  );
  return [...left, ...kept].slice(0, maxKept);
}

/** Ids of the parts that a path led to, the latest first. */
export const formerAt = (former: readonly FormerPath[], level: string | null, path: string): string[] =>
  former.filter((each) => each.in === level && each.path === pathKey(path)).map(({ id }) => id);
