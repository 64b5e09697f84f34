import { LRUCache } from 'lru-cache';
import { conditionHolds } from '../../../shared/expression/evaluate.js';
import { newBudget } from '../../../shared/expression/values.js';
import { eachDocument, type Store } from '../../../shared/store/port.js';
import type { Claims } from '../publishing/adaptive-schema.js';
import type { SiteDocument } from '../site/model.js';
import { type SectionDocument, type SiteSpaceDocument, sections, siteSpaces } from '../structure/model.js';
import {
  isGroup,
  type SectionEntry,
  type SiteSpaceEntry,
  type SiteSpaceList,
  type Structure,
  siteSpacesOf,
} from '../structure/structure.js';
import type { StructureCache, StructureVersion } from '../structure/structure-cache.js';

/** A site as one visitor sees it. */
export interface Seen extends StructureVersion {
  /** The structure with its hidden parts. */
  whole: Structure;
  hidden: ReadonlySet<string>;
  /** Ids of the spaces that are shown, each once: first those of default site spaces. */
  spaces: readonly string[];
}

/** Evaluation steps for all conditions of a site together; conditions beyond the budget do not hold. */
const stepsTogether = 500_000;

interface Conditions {
  version: number;
  /** Ids of parts by their condition. */
  parts: Map<string, string[]>;
}

/** Keeps sites as visitors see them in memory, for as long as their version is current. */
export class VisibleSiteCache {
  private readonly conditions = new LRUCache<string, Conditions>({ max: 200 });
  /** By version and the conditions that hold: visitors with the same conditions see the same. */
  private readonly seen = new LRUCache<string, Seen>({ max: 500 });

  constructor(
    private readonly store: Store,
    private readonly structures: StructureCache,
  ) {}

  async seenBy(site: SiteDocument, claims: Claims): Promise<Seen> {
    const [current, { parts }] = await Promise.all([this.structures.versionOf(site), this.conditionsOf(site)]);
    const budget = newBudget(stepsTogether);
    const inputs = { visitor: { claims } };
    const holding = [...parts.keys()].map((condition) => (conditionHolds(condition, inputs, budget) ? '1' : '0'));
    const key = `${site._id} ${current.version} ${site.structureVersion} ${holding.join('')}`;
    const known = this.seen.get(key);
    if (known) return known;
    const hidden = new Set([...parts.values()].flatMap((ids, at) => (holding[at] === '1' ? [] : ids)));
    const structure = withoutHidden(current.structure, hidden);
    const seen = { ...current, whole: current.structure, structure, hidden, spaces: spacesOf(structure) };
    this.seen.set(key, seen);
    return seen;
  }

  private async conditionsOf({ _id: site, structureVersion: version }: SiteDocument): Promise<Conditions> {
    const known = this.conditions.get(site);
    if (known && known.version >= version) return known;
    const parts = new Map<string, string[]>();
    const add = ({ _id, condition }: SectionDocument | SiteSpaceDocument) => {
      if (condition) parts.set(condition, [...(parts.get(condition) ?? []), _id]);
    };
    for await (const section of eachDocument(this.store, sections, { site }, ['condition'])) add(section);
    for await (const siteSpace of eachDocument(this.store, siteSpaces, { site }, ['condition'])) add(siteSpace);
    const read = { version, parts };
    this.conditions.set(site, read);
    return read;
  }
}

function spacesOf(structure: Structure): string[] {
  const all = siteSpacesOf(structure);
  const inOrder = [...all.filter(({ isDefault }) => isDefault), ...all];
  return [...new Set(inOrder.map(({ siteSpace }) => siteSpace.space))];
}

/** The structure without its hidden parts and without sections that have no site space left. */
export function withoutHidden(structure: Structure, hidden: ReadonlySet<string>): Structure {
  const shown = (section: SectionEntry): SectionEntry[] => {
    if (hidden.has(section.id)) return [];
    const siteSpaces = shownIn(section.siteSpaces, hidden);
    return siteSpaces.items.length > 0 ? [{ ...section, siteSpaces }] : [];
  };
  const entries = structure.entries.flatMap((entry): Structure['entries'] => {
    if (!isGroup(entry)) return shown(entry);
    const sections = entry.sections.flatMap(shown);
    return sections.length > 0 ? [{ ...entry, sections }] : [];
  });
  return { ...structure, entries, siteSpaces: shownIn(structure.siteSpaces, hidden) };
}

const shownIn = (siteSpaces: SiteSpaceList, hidden: ReadonlySet<string>): SiteSpaceList => ({
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
