import { type SectionEntry, type Structure, sectionsOf, siteSpacesOf } from './structure.js';

/** A path that led to a part of a site before: a visitor who still has it is sent to where the part is now. */
export interface FormerPath {
  /** The section that it was in; null on the level of the site. */
  in: string | null;
  /** Lower case; empty for what the level began with, its default. */
  path: string;
  /** A section or a site space. */
  id: string;
}

const mostKept = 500;

/** How a path is compared. */
export const pathKey = (path: string): string => path.normalize('NFC').toLowerCase();

const ofVariants = (level: string | null, { variants }: Pick<SectionEntry, 'variants'>): FormerPath[] => {
  const paths = variants.items.map(({ id, path }) => ({ in: level, path: pathKey(path), id }));
  return variants.default === null ? paths : [...paths, { in: level, path: '', id: variants.default }];
};

function pathsOf(structure: Structure): FormerPath[] {
  const { siteSpaces, defaultSection } = structure;
  const sections = sectionsOf(structure);
  return [
    ...ofVariants(null, { variants: siteSpaces }),
    ...sections.map(({ id, path }) => ({ in: null, path: pathKey(path), id })),
    ...(defaultSection === null ? [] : [{ in: null, path: '', id: defaultSection }]),
    ...sections.flatMap((section) => ofVariants(section.id, section)),
  ];
}

const nameOf = (former: FormerPath) => JSON.stringify([former.in, former.path, former.id]);

/** `former` after a change of the structure, the latest first; parts that are gone leave none. */
export function formerAfter(former: readonly FormerPath[], before: Structure, after: Structure): FormerPath[] {
  const now = new Set(pathsOf(after).map(nameOf));
  const present = new Set([
    ...sectionsOf(after).map(({ id }) => id),
    ...siteSpacesOf(after).map(({ variant }) => variant.id),
  ]);
  const left = pathsOf(before).filter((each) => present.has(each.id) && !now.has(nameOf(each)));
  const names = new Set([...now, ...left.map(nameOf)]);
  const kept = former.filter((each) => present.has(each.id) && !names.has(nameOf(each)));
  return [...left, ...kept].slice(0, mostKept);
}

/** Ids of what a path led to, the latest first. */
export const formerAt = (former: readonly FormerPath[], level: string | null, path: string): string[] =>
  former.filter((each) => each.in === level && each.path === pathKey(path)).map(({ id }) => id);
