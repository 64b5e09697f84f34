import { invalid } from '../../../shared/errors/errors.js';
import type { Page } from '../../content/resources.js';
import type { Words } from '../words/words.js';

/** A page where it stands in the table of contents. */
export interface Entry {
  page: Page;
  /** The page above; undefined at the top level. */
  parent: Entry | undefined;
  depth: number;
  /** All that stand beside it, itself included. */
  siblings: readonly Page[];
  /** Its position among them, from 0. */
  at: number;
}

/** All pages of a table of contents, in their order. */
export function entriesOf(pages: readonly Page[], parent?: Entry): Entry[] {
  return pages.flatMap((page, at) => {
    const entry: Entry = { page, parent, depth: parent ? parent.depth + 1 : 0, siblings: pages, at };
    return [entry, ...entriesOf(page.pages ?? [], entry)];
  });
}

/** Whether pages may stand below it. */
export const holdsPages = ({ type }: Page): boolean => type === 'document' || type === 'group';

const isWithin = (entry: Entry | undefined, id: string): boolean =>
  entry !== undefined && (entry.page.id === id || isWithin(entry.parent, id));

/** Where a page is put: below another (null: at the top level), at a position among those that are there. */
interface Placement {
  into: string | null;
  at: number;
}

export const directions = ['up', 'down', 'in', 'out'] as const;
const relations = ['into', 'before', 'after'] as const;

interface Move {
  page: string;
  /** A direction, or how the page is to stand to the `target`. */
  how: string;
  /** The id of a page; empty for the top level. */
  target: string;
}

/** Where a page goes by a move. Throws 400 for a move that leads nowhere. */
export function placementFor(words: Words, entries: readonly Entry[], { page, how, target }: Move): Placement {
  const entry = entries.find((each) => each.page.id === page);
  if (!entry) throw invalid(words.tree.gone);
  const placement = isOneOf(directions, how)
    ? towards(entry, entries, how)
    : isOneOf(relations, how)
      ? beside(entry, { target, entries, how })
      : undefined;
  if (!placement) throw invalid(words.tree.cannotMove);
  return placement;
}

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

const idOf = (entry: Entry | undefined): string | null => entry?.page.id ?? null;

function towards(
  { parent, siblings, at }: Entry,
  entries: readonly Entry[],
  direction: (typeof directions)[number],
): Placement | undefined {
  const before = siblings[at - 1];
  if (direction === 'up') return before && { into: idOf(parent), at: at - 1 };
  if (direction === 'down') return siblings[at + 1] && { into: idOf(parent), at: at + 1 };
  if (direction === 'out') return parent && { into: idOf(parent.parent), at: parent.at + 1 };
  const above = before && entries.find(({ page }) => page.id === before.id);
  return above && holdsPages(above.page) ? { into: above.page.id, at: above.page.pages?.length ?? 0 } : undefined;
}

function beside(
  entry: Entry,
  { target, entries, how }: { target: string; entries: readonly Entry[]; how: (typeof relations)[number] },
): Placement | undefined {
  const { id } = entry.page;
  if (target === '')
    return { into: null, at: entries.filter(({ depth, page }) => depth === 0 && page.id !== id).length };
  const aim = entries.find(({ page }) => page.id === target);
  if (!aim || isWithin(aim, id)) return undefined;
  if (how === 'into')
    return holdsPages(aim.page)
      ? { into: target, at: (aim.page.pages ?? []).filter((page) => page.id !== id).length }
      : undefined;
  const others = aim.siblings.filter((page) => page.id !== id);
  return { into: idOf(aim.parent), at: others.indexOf(aim.page) + (how === 'after' ? 1 : 0) };
}

/** Where a new page goes: `below:<id>`, `after:<id>`, or else at the end. Throws 400 for a page that is gone. */
export function newPlace(words: Words, entries: readonly Entry[], where: string): { into?: string; at?: number } {
  const [, how, id] = /^(below|after):(.+)$/.exec(where) ?? [];
  if (how === undefined) return {};
  const entry = entries.find(({ page }) => page.id === id);
  if (!entry) throw invalid(words.tree.gone);
  if (how === 'below') return { into: entry.page.id };
  return { ...(entry.parent ? { into: entry.parent.page.id } : {}), at: entry.at + 1 };
}
