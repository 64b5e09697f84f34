import { LRUCache } from 'lru-cache';
import { conditionHolds } from '../../shared/expression/evaluate.js';
import { newBudget } from '../../shared/expression/values.js';
import { eachDocument, type Store } from '../../shared/store/port.js';
import { type SectionDocument, type SiteDocument, type SiteSpaceDocument, sections, siteSpaces } from './model.js';
import {
  isGroup,
  type SectionEntry,
  type Structure,
  siteSpacesOf,
  type VariantEntry,
  type Variants,
} from './structure.js';
import type { Kept, Structures } from './structures.js';

export type Claims = Record<string, unknown>;

/** A site as one visitor sees it. */
export interface Seen extends Kept {
  /** With hidden parts. */
  whole: Structure;
  hidden: ReadonlySet<string>;
  /** Spaces that are shown, each once: first those that a visitor comes to without naming them. */
  spaces: readonly string[];
}

/** Steps of all conditions of a site together; those that come later do not hold. */
const stepsTogether = 500_000;

interface Conditions {
  version: number;
  /** Ids of parts, by the condition that they carry. */
  parts: Map<string, string[]>;
}

/** Sites as visitors see them, kept in memory for as long as their version stands. */
export class VisibleSites {
  private readonly conditions = new LRUCache<string, Conditions>({ max: 200 });
  /** By version and the conditions that hold: whoever they hold for sees the same. */
  private readonly seen = new LRUCache<string, Seen>({ max: 500 });

  constructor(
    private readonly store: Store,
    private readonly structures: Structures,
  ) {}

  async seenBy(site: SiteDocument, claims: Claims): Promise<Seen> {
    const [kept, { parts }] = await Promise.all([this.structures.keptOf(site), this.conditionsOf(site)]);
    const budget = newBudget(stepsTogether);
    const inputs = { visitor: { claims } };
    const holding = [...parts.keys()].map((condition) => (conditionHolds(condition, inputs, budget) ? '1' : '0'));
    const key = `${site._id} ${kept.version} ${site.structureVersion} ${holding.join('')}`;
    const known = this.seen.get(key);
    if (known) return known;
    const hidden = new Set([...parts.values()].flatMap((ids, at) => (holding[at] === '1' ? [] : ids)));
    const structure = withoutHidden(kept.structure, hidden);
    const seen = { ...kept, whole: kept.structure, structure, hidden, spaces: spacesOf(structure) };
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
  return [...new Set(inOrder.map(({ variant }) => variant.space))];
}

/** The structure without its hidden parts, and without sections that have nothing left to show. */
export function withoutHidden(structure: Structure, hidden: ReadonlySet<string>): Structure {
  const shown = (section: SectionEntry): SectionEntry[] => {
    if (hidden.has(section.id)) return [];
    const variants = shownIn(section.variants, hidden);
    return variants.items.length > 0 ? [{ ...section, variants }] : [];
  };
  const entries = structure.entries.flatMap((entry): Structure['entries'] => {
    if (!isGroup(entry)) return shown(entry);
    const sections = entry.sections.flatMap(shown);
    return sections.length > 0 ? [{ ...entry, sections }] : [];
  });
  return { ...structure, entries, siteSpaces: shownIn(structure.siteSpaces, hidden) };
}

const shownIn = (variants: Variants, hidden: ReadonlySet<string>): Variants => ({
  ...variants,
  items: variants.items.filter(({ id }) => !hidden.has(id)),
});

/** What stands for the default: itself, else the next one that is shown, else the first. */
export function startOf<T extends SectionEntry | VariantEntry>(
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
