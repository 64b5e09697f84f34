import { pathKey } from './former-paths.js';
import {
  hasSections,
  type Placed,
  type SectionEntry,
  type Structure,
  sectionsOf,
  type VariantEntry,
} from './structure.js';
import { type Seen, startOf } from './visible.js';

/** Other content than the current, asked for by `~/revisions/<id>` or `~/changes/<id>`. */
export interface Preview {
  kind: 'revisions' | 'changes';
  id: string;
}

/** What a path below the start of a site means. */
export interface Located {
  placed: Placed;
  /** Which levels the path names. */
  named: { section: boolean; variant: boolean };
  /** It names a default, which has no segment. */
  naming: boolean;
  preview: Preview | null;
  /** Segments that are used up. */
  used: number;
  /** The path of the page, a segment each, as they came. */
  rest: string[];
  /** No longer path leads to another part of the site. */
  complete: boolean;
}

/** A segment as people write it; as it came where that would not be one segment any more. */
export function readable(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return /[\p{Cc}/\\]/u.test(text) ? segment : text;
  } catch {
    return segment;
  }
}

/** Segments of a path; doubled and trailing slashes count for nothing. */
export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const named = <T extends { path: string }>(items: T[], segment: string | undefined): T | undefined => {
  if (segment === undefined) return undefined;
  const key = pathKey(readable(segment));
  return items.find(({ path }) => pathKey(path) === key);
};

const previewAt = ([mark, kind, id]: string[]): Preview | null =>
  mark === '~' && (kind === 'revisions' || kind === 'changes') && id !== undefined ? { kind, id: readable(id) } : null;

/** Goes along segments: `take` finds the item that the next one names, which is used up then. */
function walkAlong(segments: string[]) {
  const walk = { at: 0, preview: null as Preview | null, take };
  function takePreview(): void {
    if (walk.preview) return;
    walk.preview = previewAt(segments.slice(walk.at, walk.at + 3));
    if (walk.preview) walk.at += 3;
  }
  function take<T extends { path: string }>(items: T[]): T | undefined {
    takePreview();
    const item = named(items, segments[walk.at]);
    if (item) walk.at += 1;
    takePreview();
    return item;
  }
  return walk;
}

const variantsOf = (structure: Structure, section: SectionEntry | null): VariantEntry[] =>
  (section ? sectionsOf(structure).find(({ id }) => id === section.id)?.variants : structure.siteSpaces)?.items ?? [];

/** Null where nothing is, or nothing that this visitor sees. */
export function locate({ whole, structure }: Pick<Seen, 'whole' | 'structure'>, segments: string[]): Located | null {
  const walk = walkAlong(segments);
  const all = sectionsOf(whole);
  const shown = sectionsOf(structure);
  const sectionNamed = walk.take(all);
  const section = sectionNamed ?? startOf(all, shown, whole.defaultSection) ?? null;
  if (section ? !shown.some(({ id }) => id === section.id) : hasSections(whole)) return null;

  const variants = section ? section.variants : whole.siteSpaces;
  const shownVariants = variantsOf(structure, section);
  const variantNamed = walk.take(variants.items);
  const variant = variantNamed ?? startOf(variants.items, shownVariants, variants.default);
  if (!variant || !shownVariants.some(({ id }) => id === variant.id)) return null;

  const isDefault = variants.default === variant.id;
  const rest = segments.slice(walk.at);
  const further = (!sectionNamed && shown.length > 1) || (!variantNamed && shownVariants.length > 1);
  const namesSection = sectionNamed !== undefined && whole.defaultSection === sectionNamed.id;
  return {
    placed: { variant, section, isDefault },
    named: { section: sectionNamed !== undefined, variant: variantNamed !== undefined },
    naming: namesSection || (variantNamed !== undefined && isDefault),
    preview: walk.preview,
    used: walk.at,
    rest,
    complete: rest.length > 0 || variantNamed !== undefined || !further,
  };
}
