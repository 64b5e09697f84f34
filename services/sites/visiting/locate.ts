import { pathKey } from '../structure/paths.js';
import { hasSections, type PlacedSiteSpace, sectionsOf, siteSpacesIn } from '../structure/structure.js';
import { type Seen, startOf } from './visible-site-cache.js';

/** Content other than the current, requested by `~/revisions/<id>` or `~/changes/<id>`. */
export interface Requested {
  kind: 'revisions' | 'changes';
  id: string;
}

/** The part and the content that a path below the start of a site leads to. */
export interface Located {
  placed: PlacedSiteSpace;
  /** Which levels the path names. */
  named: { section: boolean; siteSpace: boolean };
  /** The path names a default, which needs no segment. */
  naming: boolean;
  requested: Requested | null;
  /** The number of segments that name the part and the requested content. */
  used: number;
  /** The path of the page by segments, as given. */
  rest: string[];
  /** No longer path leads to another part of the site. */
  complete: boolean;
}

/** A segment decoded; as given when its decoded form is not a single segment. */
export function readable(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return /[\p{Cc}/\\]/u.test(text) ? segment : text;
  } catch {
    return segment;
  }
}

/** Segments of a path; doubled and trailing slashes are ignored. */
export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const findNamed = <T extends { path: string }>(items: T[], segment: string | undefined): T | undefined => {
  if (segment === undefined) return undefined;
  const key = pathKey(readable(segment));
  return items.find(({ path }) => pathKey(path) === key);
};

const parseRequested = ([mark, kind, id]: string[]): Requested | null =>
  mark === '~' && (kind === 'revisions' || kind === 'changes') && id !== undefined ? { kind, id: readable(id) } : null;

/** Walks along segments: `take` consumes the next segment when it names an item. */
function walkAlong(segments: string[]) {
  const walk = { at: 0, requested: null as Requested | null, take };
  function takeRequested(): void {
    if (walk.requested) return;
    walk.requested = parseRequested(segments.slice(walk.at, walk.at + 3));
    if (walk.requested) walk.at += 3;
  }
  function take<T extends { path: string }>(items: T[]): T | undefined {
    takeRequested();
    const item = findNamed(items, segments[walk.at]);
    if (item) walk.at += 1;
    takeRequested();
    return item;
  }
  return walk;
}

/** Finds the part of a site that a path names; null when there is none that this visitor sees. */
export function locate({ whole, structure }: Pick<Seen, 'whole' | 'structure'>, segments: string[]): Located | null {
  const walk = walkAlong(segments);
  const all = sectionsOf(whole);
  const shown = sectionsOf(structure);
  const sectionNamed = walk.take(all);
  const section = sectionNamed ?? startOf(all, shown, whole.defaultSection) ?? null;
  const shownSection = shown.find(({ id }) => id === section?.id) ?? null;
  if (section ? !shownSection : hasSections(whole)) return null;

  const siteSpaces = siteSpacesIn(whole, section);
  const shownSiteSpaces = siteSpacesIn(structure, shownSection).items;
  const siteSpaceNamed = walk.take(siteSpaces.items);
  const siteSpace = siteSpaceNamed ?? startOf(siteSpaces.items, shownSiteSpaces, siteSpaces.default);
  if (!siteSpace || !shownSiteSpaces.some(({ id }) => id === siteSpace.id)) return null;

  const isDefault = siteSpaces.default === siteSpace.id;
  const rest = segments.slice(walk.at);
  const further = (!sectionNamed && shown.length > 1) || (!siteSpaceNamed && shownSiteSpaces.length > 1);
  const namesSection = sectionNamed !== undefined && whole.defaultSection === sectionNamed.id;
  return {
    placed: { siteSpace, section, isDefault },
    named: { section: sectionNamed !== undefined, siteSpace: siteSpaceNamed !== undefined },
    naming: namesSection || (siteSpaceNamed !== undefined && isDefault),
    requested: walk.requested,
    used: walk.at,
    rest,
    complete: rest.length > 0 || siteSpaceNamed !== undefined || !further,
  };
}
