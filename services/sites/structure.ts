import { conflict, invalid, notFound } from '../../shared/errors.js';

/**
 * The structure of a site: ids, containers, order, paths and defaults, nothing else, so that any change is one atomic
 * update of one document. Functions here change the structure they are given: a copy that was just read.
 */
export interface Structure {
  /** Of a flat site; empty once it has sections. */
  siteSpaces: Variants;
  /** Sections and groups of sections, in order. */
  entries: (SectionEntry | GroupEntry)[];
  /** The default section; null while there is none. */
  defaultSection: string | null;
}

/** Site spaces in order, with the default one; null while there is none. */
export interface Variants {
  items: VariantEntry[];
  default: string | null;
}

export interface VariantEntry {
  id: string;
  space: string;
  path: string;
}

export interface SectionEntry {
  id: string;
  path: string;
  variants: Variants;
}

export interface GroupEntry {
  id: string;
  sections: SectionEntry[];
}

export const emptyStructure = (): Structure => ({ siteSpaces: noVariants(), entries: [], defaultSection: null });
export const noVariants = (): Variants => ({ items: [], default: null });

export const isGroup = (entry: SectionEntry | GroupEntry): entry is GroupEntry => 'sections' in entry;

export const hasSections = ({ entries }: Structure): boolean => sectionsOf({ entries }).length > 0;

/** All sections, in order, those in groups too. */
export const sectionsOf = ({ entries }: Pick<Structure, 'entries'>): SectionEntry[] =>
  entries.flatMap((entry) => (isGroup(entry) ? entry.sections : entry));

export const groupsOf = ({ entries }: Pick<Structure, 'entries'>): GroupEntry[] => entries.filter(isGroup);

/** A site space, with the section that holds it; no section on a flat site. */
export interface Placed {
  variant: VariantEntry;
  section: SectionEntry | null;
  isDefault: boolean;
}

const placed = (section: SectionEntry | null, variants: Variants): Placed[] =>
  variants.items.map((variant) => ({ variant, section, isDefault: variants.default === variant.id }));

/** All site spaces, in order. */
export const siteSpacesOf = (structure: Structure): Placed[] => [
  ...placed(null, structure.siteSpaces),
  ...sectionsOf(structure).flatMap((section) => placed(section, section.variants)),
];

export function findSection(structure: Structure, id: string): SectionEntry {
  const found = sectionsOf(structure).find((section) => section.id === id);
  if (!found) throw notFound('Site section');
  return found;
}

export function findGroup(structure: Structure, id: string): GroupEntry {
  const found = groupsOf(structure).find((group) => group.id === id);
  if (!found) throw notFound('Site section group');
  return found;
}

export function findSiteSpace(structure: Structure, id: string): Placed {
  const found = siteSpacesOf(structure).find(({ variant }) => variant.id === id);
  if (!found) throw notFound('Site space');
  return found;
}

/** The group that holds a section; undefined at the top level. */
export const groupOf = (structure: Structure, section: string): GroupEntry | undefined =>
  groupsOf(structure).find(({ sections }) => sections.some(({ id }) => id === section));

/** A text as a segment of a URL, in its own script: of marks only the accents of Latin letters go. */
export const slugOf = (text: string, otherwise: string): string =>
  text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^[-\p{M}]+/u, '')
    .slice(0, 90)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/-+$/, '') || otherwise;

/** `wanted`, or the first of `wanted-1`, `wanted-2`… that is not taken. */
export function freePath(wanted: string, taken: { path: string }[]): string {
  const known = new Set(taken.map(({ path }) => path.toLowerCase()));
  let path = wanted;
  for (let next = 1; known.has(path.toLowerCase()); next++) path = `${wanted}-${next}`;
  return path;
}

function checkPath(path: string, id: string, level: { id: string; path: string }[]): void {
  const other = level.find((entry) => entry.id !== id && entry.path.toLowerCase() === path.toLowerCase());
  if (other) throw conflict('path: already taken on this level of the site');
}

const variantsIn = (structure: Structure, section: SectionEntry | null): Variants =>
  section ? section.variants : structure.siteSpaces;

/** Where a site space without a section goes: the default section, or the root while there are none. */
export function defaultPlace(structure: Structure): SectionEntry | null {
  if (!hasSections(structure)) return null;
  return structure.defaultSection === null ? null : findSection(structure, structure.defaultSection);
}

export function addVariant(
  structure: Structure,
  section: SectionEntry | null,
  added: Omit<VariantEntry, 'path'>,
  slug: string,
): VariantEntry {
  const variants = variantsIn(structure, section);
  const entry = { ...added, path: freePath(slug, variants.items) };
  variants.items.push(entry);
  variants.default ??= entry.id;
  return entry;
}

/** The first section of a flat site finds the site spaces there in a section of their own. */
export function addSection(
  structure: Structure,
  added: { id: string; slug: string; variant: VariantEntry },
  wrapping: { id: string; slug: string },
): SectionEntry {
  if (structure.siteSpaces.items.length > 0) {
    const { siteSpaces } = structure;
    structure.entries.push({
      id: wrapping.id,
      path: freePath(wrapping.slug, sectionsOf(structure)),
      variants: siteSpaces,
    });
    structure.siteSpaces = noVariants();
    structure.defaultSection ??= wrapping.id;
  }
  const section = {
    id: added.id,
    path: freePath(added.slug, sectionsOf(structure)),
    variants: { items: [added.variant], default: added.variant.id },
  };
  structure.entries.push(section);
  structure.defaultSection ??= section.id;
  return section;
}

const without = <T extends { id: string }>(items: T[], id: string): T[] => items.filter((item) => item.id !== id);

/** Takes a section out of where it is, with its default left as it is. */
function takeSection(structure: Structure, section: SectionEntry): void {
  const group = groupOf(structure, section.id);
  if (group) group.sections = without(group.sections, section.id);
  else structure.entries = without(structure.entries, section.id);
}

export function removeSection(structure: Structure, id: string): SectionEntry {
  const section = findSection(structure, id);
  const following = next(sectionsOf(structure), id);
  takeSection(structure, section);
  if (structure.defaultSection === id) structure.defaultSection = following;
  return section;
}

export function removeVariant(structure: Structure, id: string): VariantEntry {
  const { section, variant } = findSiteSpace(structure, id);
  const variants = variantsIn(structure, section);
  const following = next(variants.items, id);
  variants.items = without(variants.items, id);
  if (variants.default === id) variants.default = following;
  return variant;
}

/** What takes the place of a removed item: the one after it, else the one before it. */
function next(items: { id: string }[], id: string): string | null {
  const at = items.findIndex((item) => item.id === id);
  return (items[at + 1] ?? items[at - 1])?.id ?? null;
}

/** Its sections stand where it stood. */
export function removeGroup(structure: Structure, id: string): GroupEntry {
  const group = findGroup(structure, id);
  structure.entries = structure.entries.flatMap((entry) => (entry === group ? group.sections : entry));
  return group;
}

/** Sections move into it in the order of `ids`; 400 names one that the site does not have. */
export function addGroup(structure: Structure, id: string, ids: string[]): GroupEntry {
  const group: GroupEntry = { id, sections: [] };
  const known = new Map(sectionsOf(structure).map((section) => [section.id, section]));
  ids.forEach((section, at) => {
    if (!known.has(section)) throw invalid(`sections.${at}: no such section on this site`);
    if (ids.indexOf(section) !== at) throw invalid(`sections.${at}: named twice`);
  });
  structure.entries.push(group);
  for (const section of ids) addToGroup(structure, group, known.get(section) as SectionEntry);
  return group;
}

export function addToGroup(structure: Structure, group: GroupEntry, section: SectionEntry): void {
  takeSection(structure, section);
  group.sections.push(section);
}

/** It stands right after the group then. */
export function removeFromGroup(structure: Structure, group: GroupEntry, id: string): void {
  const section = group.sections.find((each) => each.id === id);
  if (!section) throw notFound('Site section');
  group.sections = without(group.sections, id);
  structure.entries.splice(structure.entries.indexOf(group) + 1, 0, section);
}

/** Where a moved item goes; `before` counts when both are given. */
export interface Position {
  before?: string | undefined;
  after?: string | undefined;
}

interface Anchor {
  id: string;
  offset: 0 | 1;
}

/** The anchor of a move, once all that are named are known: 400 for oneself, 404 for one that is not there. */
function anchorOf(
  position: Position | undefined,
  moved: string,
  exists: (id: string) => boolean,
  what: string,
): Anchor | null {
  const { before, after } = position ?? {};
  for (const [field, id] of Object.entries({ before, after })) {
    if (id === moved) throw invalid(`position.${field}: an item cannot be moved next to itself`);
    if (id !== undefined && !exists(id)) throw notFound(`position.${field}: ${what}`);
  }
  if (before !== undefined) return { id: before, offset: 0 };
  return after === undefined ? null : { id: after, offset: 1 };
}

function put<T extends { id: string }>(items: T[], item: T, anchor: Anchor | null): T[] {
  const rest = without(items, item.id);
  const at = anchor ? rest.findIndex(({ id }) => id === anchor.id) + anchor.offset : rest.length;
  return [...rest.slice(0, at), item, ...rest.slice(at)];
}

/** Joins the container of its anchor; without one it goes to the end of its own. 409 where its path is taken there. */
export function moveVariant(structure: Structure, id: string, position: Position | undefined): void {
  const { variant, section } = findSiteSpace(structure, id);
  const all = new Map(siteSpacesOf(structure).map((each) => [each.variant.id, each]));
  const anchor = anchorOf(position, id, (other) => all.has(other), 'Site space');
  const target = anchor ? (all.get(anchor.id) as Placed).section : section;
  if (target === section) {
    const variants = variantsIn(structure, section);
    variants.items = put(variants.items, variant, anchor);
    return;
  }
  const variants = variantsIn(structure, target);
  checkPath(variant.path, id, variants.items);
  removeVariant(structure, id);
  variants.items = put(variants.items, variant, anchor);
}

/** Joins the group, or the top level, of its anchor; without one it goes to the end of where it is. */
export function moveSection(structure: Structure, id: string, position: Position | undefined): void {
  const section = findSection(structure, id);
  const known = new Set(sectionsOf(structure).map((each) => each.id));
  for (const group of groupsOf(structure)) known.add(group.id);
  const anchor = anchorOf(position, id, (other) => known.has(other), 'Site section');
  const group = groupOf(structure, anchor ? anchor.id : id);
  takeSection(structure, section);
  if (group) group.sections = put(group.sections, section, anchor);
  else structure.entries = put(structure.entries, section, anchor);
}

/** Stays on the top level: next to a section in a group is next to that group. */
export function moveGroup(structure: Structure, id: string, position: Position | undefined): void {
  const group = findGroup(structure, id);
  const known = new Set([...sectionsOf(structure), ...groupsOf(structure)].map((each) => each.id));
  const anchor = anchorOf(position, id, (other) => known.has(other), 'Site section or group');
  const outer = anchor && groupOf(structure, anchor.id);
  if (outer === group) throw invalid('position: a group cannot be moved next to a section of its own');
  structure.entries = put(structure.entries, group, anchor && outer ? { ...anchor, id: outer.id } : anchor);
}

export function renameSection(structure: Structure, id: string, path: string): void {
  const section = findSection(structure, id);
  checkPath(path, id, sectionsOf(structure));
  section.path = path;
}

export function renameVariant(structure: Structure, id: string, path: string): void {
  const { variant, section } = findSiteSpace(structure, id);
  checkPath(path, id, variantsIn(structure, section).items);
  variant.path = path;
}

export function repoint(structure: Structure, id: string, space: string): void {
  findSiteSpace(structure, id).variant.space = space;
}

/** 400 names the field when it is not one of the section's. */
export function setDefaultVariant(structure: Structure, section: SectionEntry | null, id: string): void {
  const variants = variantsIn(structure, section);
  if (!variants.items.some((variant) => variant.id === id))
    throw invalid(`defaultSiteSpace: no such site space ${section ? 'in this section' : 'at the root of this site'}`);
  variants.default = id;
}

export function setDefaultSection(structure: Structure, id: string): void {
  if (!sectionsOf(structure).some((section) => section.id === id))
    throw invalid('defaultSiteSection: no such section on this site');
  structure.defaultSection = id;
}

/** All site spaces that show a space. */
export const siteSpacesShowing = (structure: Structure, space: string): VariantEntry[] =>
  siteSpacesOf(structure)
    .map(({ variant }) => variant)
    .filter((variant) => variant.space === space);
