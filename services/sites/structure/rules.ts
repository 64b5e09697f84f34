import { conflict, invalid, notFound } from '../../../shared/errors/errors.js';
import { freePath } from './paths.js';
import {
  findGroup,
  findLink,
  findSection,
  findSiteSpace,
  type GroupEntry,
  groupOf,
  groupsOf,
  hasSections,
  isSection,
  type LinkEntry,
  linksOf,
  noSiteSpaces,
  type PlacedSiteSpace,
  type SectionEntry,
  type SiteSpaceEntry,
  type SiteSpaceList,
  type Structure,
  sectionsOf,
  siteSpacesIn,
  siteSpacesOf,
} from './structure.js';

// Each rule changes the structure that it is given: a copy that was just read.

function checkPath(path: string, id: string, level: { id: string; path: string }[]): void {
  const other = level.find((entry) => entry.id !== id && entry.path.toLowerCase() === path.toLowerCase());
  if (other) throw conflict('path: already taken on this level of the site', 'taken');
}

/** Adds a site space at the end of a section, or of the root of a flat site; the first one becomes the default. */
export function addSiteSpace(
  structure: Structure,
  section: SectionEntry | null,
  added: Omit<SiteSpaceEntry, 'path'>,
  slug: string,
): SiteSpaceEntry {
  const siteSpaces = siteSpacesIn(structure, section);
  const entry = { ...added, path: freePath(slug, siteSpaces.items) };
  siteSpaces.items.push(entry);
  siteSpaces.default ??= entry.id;
  return entry;
}

/** Adds a section. The first section of a flat site puts the site spaces of its root into a section of their own. */
export function addSection(
  structure: Structure,
  added: { id: string; slug: string; siteSpace: SiteSpaceEntry },
  wrapping: { id: string; slug: string },
): SectionEntry {
  if (structure.siteSpaces.items.length > 0) {
    const { siteSpaces } = structure;
    appendSection(structure, { ...wrapping, siteSpaces });
    structure.siteSpaces = noSiteSpaces();
  }
  const { id, slug, siteSpace } = added;
  return appendSection(structure, { id, slug, siteSpaces: { items: [siteSpace], default: siteSpace.id } });
}

/** Adds a section at the end; the first one becomes the default. */
function appendSection(
  structure: Structure,
  { id, slug, siteSpaces }: { id: string; slug: string; siteSpaces: SiteSpaceList },
): SectionEntry {
  const section = { id, path: freePath(slug, sectionsOf(structure)), siteSpaces };
  structure.entries.push(section);
  structure.defaultSection ??= id;
  return section;
}

/**
 * Adds a copy of a site space right after it. One that is alone in its section is copied with the section; answers whether that is so.
 * Throws 404 for an unknown one.
 */
export function addCopy(
  structure: Structure,
  id: string,
  { siteSpace, section }: { siteSpace: SiteSpaceEntry; section: { id: string; slug: string } },
): boolean {
  const { section: holder } = findSiteSpace(structure, id);
  if (holder?.siteSpaces.items.length !== 1) {
    addSiteSpace(structure, holder, siteSpace, siteSpace.path);
    moveSiteSpace(structure, siteSpace.id, { after: id });
    return false;
  }
  appendSection(structure, { ...section, siteSpaces: { items: [siteSpace], default: siteSpace.id } });
  moveSection(structure, section.id, { after: holder.id });
  return true;
}

const without = <T extends { id: string }>(items: T[], id: string): T[] => items.filter((item) => item.id !== id);

/** Takes a section or an external link out of its container; the default section stays the same. */
function takeOut(structure: Structure, id: string): void {
  const group = groupOf(structure, id);
  if (group) group.children = without(group.children, id);
  else structure.entries = without(structure.entries, id);
}

/** Removes a section with its site spaces; the next section takes its place as the default. Throws 404 for an unknown one. */
export function removeSection(structure: Structure, id: string): SectionEntry {
  const section = findSection(structure, id);
  const following = next(sectionsOf(structure), id);
  takeOut(structure, id);
  if (structure.defaultSection === id) structure.defaultSection = following;
  return section;
}

/** Removes a site space; the next one takes its place as the default. Throws 404 for an unknown one. */
export function removeSiteSpace(structure: Structure, id: string): SiteSpaceEntry {
  const { section, siteSpace } = findSiteSpace(structure, id);
  const siteSpaces = siteSpacesIn(structure, section);
  const following = next(siteSpaces.items, id);
  siteSpaces.items = without(siteSpaces.items, id);
  if (siteSpaces.default === id) siteSpaces.default = following;
  return siteSpace;
}

/** The id of the item that takes the place of a removed one: the next, else the previous. */
function next(items: { id: string }[], id: string): string | null {
  const at = items.findIndex((item) => item.id === id);
  return (items[at + 1] ?? items[at - 1])?.id ?? null;
}

/** Removes a group; its sections and links take its place. */
export function removeGroup(structure: Structure, id: string): GroupEntry {
  const group = findGroup(structure, id);
  structure.entries = structure.entries.flatMap((entry) => (entry === group ? group.children : entry));
  return group;
}

/** Adds a group; sections move into it in the order of `ids`. Throws 400 for a section that the site does not have. */
export function addGroup(structure: Structure, id: string, ids: string[]): GroupEntry {
  const group: GroupEntry = { id, children: [] };
  const known = new Map(sectionsOf(structure).map((section) => [section.id, section]));
  ids.forEach((section, at) => {
    if (!known.has(section)) throw invalid(`sections.${at}: no such section on this site`);
    if (ids.indexOf(section) !== at) throw invalid(`sections.${at}: named twice`);
  });
  structure.entries.push(group);
  for (const section of ids) addToGroup(structure, group, known.get(section) as SectionEntry);
  return group;
}

/** Moves a section or an external link to the end of a group. */
export function addToGroup(structure: Structure, group: GroupEntry, child: SectionEntry | LinkEntry): void {
  takeOut(structure, child.id);
  group.children.push(child);
}

/** Moves a section out of its group, to right after the group. Throws 404 when the group does not hold it. */
export function removeFromGroup(structure: Structure, group: GroupEntry, id: string): void {
  const section = group.children.filter(isSection).find((each) => each.id === id);
  if (!section) throw notFound('Site section');
  group.children = without(group.children, id);
  structure.entries.splice(structure.entries.indexOf(group) + 1, 0, section);
}

/** Where a moved item goes; `before` wins when both are given. */
export interface Position {
  before?: string | undefined;
  after?: string | undefined;
}

interface Anchor {
  id: string;
  offset: 0 | 1;
}

/** The item that a moved one goes next to; null for none. Throws 400 for the moved item itself, 404 for an unknown one. */
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

/**
 * Moves a site space next to its anchor, into the section of the anchor; without an anchor, to the end of its own section. Throws
 * 409 when its path is taken there.
 */
export function moveSiteSpace(structure: Structure, id: string, position: Position | undefined): void {
  const { siteSpace, section } = findSiteSpace(structure, id);
  const all = new Map(siteSpacesOf(structure).map((each) => [each.siteSpace.id, each]));
  const anchor = anchorOf(position, id, (other) => all.has(other), 'Site space');
  const target = anchor ? (all.get(anchor.id) as PlacedSiteSpace).section : section;
  if (target === section) {
    const siteSpaces = siteSpacesIn(structure, section);
    siteSpaces.items = put(siteSpaces.items, siteSpace, anchor);
    return;
  }
  const siteSpaces = siteSpacesIn(structure, target);
  checkPath(siteSpace.path, id, siteSpaces.items);
  removeSiteSpace(structure, id);
  siteSpaces.items = put(siteSpaces.items, siteSpace, anchor);
}

/**
 * Moves a section next to its anchor, into the group of the anchor or to the top level; without an anchor, to the end of its own
 * group or of the top level.
 */
export function moveSection(structure: Structure, id: string, position: Position | undefined): void {
  const section = findSection(structure, id);
  putBeside(
    structure,
    section,
    anchorOf(position, id, (other) => isPart(structure, other), 'Site section'),
  );
}

/** Whether a section, a group or an external link has this id. */
const isPart = (structure: Structure, id: string): boolean =>
  groupOf(structure, id) !== undefined || structure.entries.some((entry) => entry.id === id);

function putBeside(structure: Structure, child: SectionEntry | LinkEntry, anchor: Anchor | null): void {
  const group = groupOf(structure, anchor ? anchor.id : child.id);
  takeOut(structure, child.id);
  if (group) group.children = put(group.children, child, anchor);
  else structure.entries = put(structure.entries, child, anchor);
}

/** Moves a group on the top level: next to a section in another group means next to that group. */
export function moveGroup(structure: Structure, id: string, position: Position | undefined): void {
  const group = findGroup(structure, id);
  const anchor = anchorOf(position, id, (other) => isPart(structure, other), 'Site section or group');
  const outer = anchor && groupOf(structure, anchor.id);
  if (outer === group) throw invalid('position: a group cannot be moved next to one of its own parts');
  structure.entries = put(structure.entries, group, anchor && outer ? { ...anchor, id: outer.id } : anchor);
}

const maxLinks = 100;

/** Adds an external link at the end of a group, or of the top level. Throws 400 for a site without sections and an unknown group, 409 for one too many. */
export function addLink(structure: Structure, id: string, group: string | null): LinkEntry {
  if (!hasSections(structure)) throw invalid('A site has external links beside its sections: add a section first');
  if (linksOf(structure).length >= maxLinks)
    throw conflict(`There are at most ${maxLinks} external links on a site; delete some first`, 'limit_reached');
  const link: LinkEntry = { id, isLink: true };
  structure.entries.push(link);
  if (group !== null) addToGroup(structure, parentOf(structure, group), link);
  return link;
}

/** Moves an external link to the end of another group, or of the top level; it stays where it is there already. Throws 400 for an unknown group. */
export function setParent(structure: Structure, id: string, group: string | null): void {
  putBelow(structure, findLink(structure, id), group === null ? undefined : parentOf(structure, group));
}

/** As `setParent`, for a section. */
export function setGroup(structure: Structure, id: string, group: string | null): void {
  const parent = group === null ? undefined : parentOf(structure, group, 'siteSectionGroupId');
  putBelow(structure, findSection(structure, id), parent);
}

function putBelow(structure: Structure, child: SectionEntry | LinkEntry, group: GroupEntry | undefined): void {
  if (group === groupOf(structure, child.id)) return;
  takeOut(structure, child.id);
  (group?.children ?? structure.entries).push(child);
}

function parentOf(structure: Structure, id: string, field = 'parent'): GroupEntry {
  const group = groupsOf(structure).find((each) => each.id === id);
  if (!group) throw invalid(`${field}: no such section group on this site`);
  return group;
}

/** Moves an external link next to its anchor, as a section. */
export function moveLink(structure: Structure, id: string, position: Position | undefined): void {
  const link = findLink(structure, id);
  putBeside(
    structure,
    link,
    anchorOf(position, id, (other) => isPart(structure, other), 'Site section or link'),
  );
}

/** Throws 404 for an unknown one. */
export function removeLink(structure: Structure, id: string): void {
  takeOut(structure, findLink(structure, id).id);
}

/** Changes the path of a section. Throws 409 when another section has it. */
export function renameSection(structure: Structure, id: string, path: string): void {
  const section = findSection(structure, id);
  checkPath(path, id, sectionsOf(structure));
  section.path = path;
}

/** Changes the path of a site space. Throws 409 when another one of its section has it. */
export function renameSiteSpace(structure: Structure, id: string, path: string): void {
  const { siteSpace, section } = findSiteSpace(structure, id);
  checkPath(path, id, siteSpacesIn(structure, section).items);
  siteSpace.path = path;
}

/** Makes a site space show another space. */
export function repoint(structure: Structure, id: string, space: string): void {
  findSiteSpace(structure, id).siteSpace.space = space;
}

/** Throws 400 when the section, or the root, has no such site space. */
export function setDefaultSiteSpace(structure: Structure, section: SectionEntry | null, id: string): void {
  const siteSpaces = siteSpacesIn(structure, section);
  if (!siteSpaces.items.some((siteSpace) => siteSpace.id === id))
    throw invalid(`defaultSiteSpace: no such site space ${section ? 'in this section' : 'at the root of this site'}`);
  siteSpaces.default = id;
}

/** Throws 400 when the site has no such section. */
export function setDefaultSection(structure: Structure, id: string): void {
  if (!sectionsOf(structure).some((section) => section.id === id))
    throw invalid('defaultSiteSection: no such section on this site');
  structure.defaultSection = id;
}
