import { LRUCache } from 'lru-cache';
import { ViewCache } from '../../../shared/expression/view-cache.js';
import { toVisitor } from '../../../shared/expression/visitor.js';
import { eachDocument, type Store } from '../../../shared/store/port.js';
import type { Claims } from '../publishing/adaptive-schema.js';
import type { SiteDocument } from '../site/model.js';
import { links, sections, siteSpaces } from '../structure/model.js';
import {
  isGroup,
  isLink,
  type LinkEntry,
  type SectionEntry,
  type SiteSpaceEntry,
  type SiteSpaceList,
  type Structure,
  siteSpacesOf,
} from '../structure/structure.js';
import type { KeptStructure, StructureCache } from '../structure/structure-cache.js';

/** A site as one visitor sees it. */
export interface Seen extends KeptStructure {
  /** The structure with its hidden parts. */
  whole: Structure;
  hidden: ReadonlySet<string>;
  /** Ids of the spaces that are shown, each once: first those of default site spaces. */
  spaces: readonly string[];
}

interface Conditions {
  version: number;
  /** Ids of parts by their condition. */
  parts: Map<string, string[]>;
  /** Ids of those that no visitor sees. */
  drafts: string[];
}

/** Bytes of the conditions of all sites together, about. */
const maxConditions = 32 * 1024 * 1024;
/** Bytes of all sites as visitors see them together, about. */
const maxViews = 64 * 1024 * 1024;

function bytesOf({ parts, drafts }: Conditions): number {
  let bytes = 500 + 60 * drafts.length;
  for (const [condition, ids] of parts) bytes += 200 + 2 * condition.length + 60 * ids.length;
  return bytes;
}

/** Keeps sites as visitors see them in memory, for as long as their version is current. */
export class VisibleSiteCache {
  private readonly conditions = new LRUCache<string, Conditions>({ maxSize: maxConditions, sizeCalculation: bytesOf });
  private readonly views = new ViewCache<Seen>({ maxSize: maxViews, sizeOf: ({ bytes }) => bytes });

  constructor(
    private readonly store: Store,
    private readonly structures: StructureCache,
  ) {}

  async seenBy(site: SiteDocument, claims: Claims): Promise<Seen> {
    const [current, { parts, drafts }] = await Promise.all([this.structures.versionOf(site), this.conditionsOf(site)]);
    const ids = [...parts.values()];
    return this.views.viewForVisitor({
      version: `${site._id} ${current.version} ${site.structureVersion}`,
      conditions: [...parts.keys()].map((text) => ({ text })),
      visitor: toVisitor(claims),
      without: (notHolding) =>
        hideParts(current, new Set([...drafts, ...ids.flatMap((each, at) => (notHolding.has(at) ? each : []))])),
    });
  }

  private async conditionsOf({ _id: site, structureVersion: version }: SiteDocument): Promise<Conditions> {
    const known = this.conditions.get(site);
    if (known && known.version >= version) return known;
    const parts = new Map<string, string[]>();
    const add = ({ _id, condition }: { _id: string; condition?: string }) => {
      if (condition) parts.set(condition, [...(parts.get(condition) ?? []), _id]);
    };
    for await (const section of eachDocument(this.store, sections, { site }, ['condition'])) add(section);
    for await (const siteSpace of eachDocument(this.store, siteSpaces, { site }, ['condition'])) add(siteSpace);
    const drafts: string[] = [];
    for await (const link of eachDocument(this.store, links, { site }, ['condition', 'draft'])) {
      if (link.draft) drafts.push(link._id);
      else add(link);
    }
    const read = { version, parts, drafts };
    this.conditions.set(site, read);
    return read;
  }
}

function hideParts(current: KeptStructure, hidden: ReadonlySet<string>): Seen {
  const structure = withoutHidden(current.structure, hidden);
  // It keeps the whole structure, and what is shown of it again.
  const bytes = 2 * current.bytes;
  return { ...current, whole: current.structure, structure, hidden, spaces: spacesOf(structure), bytes };
}

function spacesOf(structure: Structure): string[] {
  const all = siteSpacesOf(structure);
  const inOrder = [...all.filter(({ isDefault }) => isDefault), ...all];
  return [...new Set(inOrder.map(({ siteSpace }) => siteSpace.space))];
}

/** The structure without its hidden parts, without sections that have no site space left and without groups that have nothing left. */
export function withoutHidden(structure: Structure, hidden: ReadonlySet<string>): Structure {
  const shown = (entry: SectionEntry | LinkEntry): (SectionEntry | LinkEntry)[] => {
    if (hidden.has(entry.id)) return [];
    if (isLink(entry)) return [entry];
    const siteSpaces = withoutHiddenSpaces(entry.siteSpaces, hidden);
    return siteSpaces.items.length > 0 ? [{ ...entry, siteSpaces }] : [];
  };
  const entries = structure.entries.flatMap((entry): Structure['entries'] => {
    if (!isGroup(entry)) return shown(entry);
    const children = entry.children.flatMap(shown);
    return children.length > 0 ? [{ ...entry, children }] : [];
  });
  return { ...structure, entries, siteSpaces: withoutHiddenSpaces(structure.siteSpaces, hidden) };
}

const withoutHiddenSpaces = (siteSpaces: SiteSpaceList, hidden: ReadonlySet<string>): SiteSpaceList => ({
  ...siteSpaces,
  items: siteSpaces.items.filter(({ id }) => !hidden.has(id)),
});

/** The item that a level starts with: the default, else the next one that is shown, else the first. */
export function startOf<T extends SectionEntry | SiteSpaceEntry>(
  all: T[],
  shown: T[],
  chosen: string | null,
): T | undefined {
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === chosen),
  );
  const ids = new Map(shown.map((each) => [each.id, each]));
  const inOrder = [...all.slice(at), ...all.slice(0, at)];
  return inOrder.map(({ id }) => ids.get(id)).find((each) => each !== undefined);
}

export type HasVisibleSites = { visibleSites: VisibleSiteCache };
