import {
  classNamesOf,
  type HtmlElement,
  hasClassName,
  identityOfAll,
  isHtmlElement,
  isWhole,
  listIdentities,
  type Tree,
  textOf,
} from '../trees/trees.js';
import { type Alignable, alignLists, minLikeness } from './alignment.js';
import { mergeInlines } from './merge-inlines.js';
import { mergeTable } from './merge-tables.js';
import { mergeTabs } from './merge-tabs.js';
import { commonTrees, joinMerged, lotOfTrees, type MergedTrees, runsOf, type TreeMerging } from './merging.js';
import { type Bag, bagOfWords, commonPart } from './words.js';

/** A line of text, or an element that is none. */
interface Item extends Alignable {
  trees: readonly Tree[];
  /** The element; absent for a line of text. */
  element?: HtmlElement;
  words?: Bag;
}

/** Lists of trees as one: what both have in common in its order, with what only one has where it stands. */
export function mergeLists(merging: TreeMerging, before: readonly Tree[], after: readonly Tree[]): MergedTrees {
  const [was, is] = [itemsOf(before, merging), itemsOf(after, merging)];
  const { budget } = merging;
  const steps = alignLists(was, is, { budget, likeness: likenessOfItems });
  return joinMerged(
    steps.map(({ before: at = -1, after: sideAt = -1, isSame }) => {
      const [earlier, later] = [was[at], is[sideAt]];
      if (isSame) return commonTrees(later?.trees ?? []);
      return mergeItems(merging, earlier, later);
    }),
  );
}

function itemsOf(trees: readonly Tree[], { identities }: TreeMerging): Item[] {
  return runsOf(trees).map((run) => {
    const [first] = run;
    const item = { trees: run, identity: identityOfAll(run, identities) };
    return isHtmlElement(first) && !first.isInline ? { ...item, element: first } : item;
  });
}

function mergeItems(merging: TreeMerging, earlier: Item | undefined, later: Item | undefined): MergedTrees {
  if (earlier && later) {
    if (!earlier.element && !later.element) return mergeInlines(merging, earlier.trees, later.trees);
    const merged = earlier.element && later.element && mergeElements(merging, earlier.element, later.element);
    if (merged) return merged;
  }
  return joinMerged([lotOfTrees(earlier?.trees ?? [], 'removed'), lotOfTrees(later?.trees ?? [], 'added')]);
}

/** Parts that an element has once: what is in one belongs to what is in the other. */
const partNames = new Set(['code', 'figcaption', 'header', 'ol', 'pre', 'summary', 'table', 'ul']);

/** Characters that likeness is judged by. */
const maxCompared = 2000;

function likenessOfItems(before: Item, after: Item): number {
  const [was, is] = [before.element, after.element];
  if (!was || !is) return was || is ? 0 : 1;
  if (was.shell !== is.shell || hasClassName(is, 'line')) return 0;
  const isPart = partNames.has(is.name) || classNamesOf(is.attributes).some((each) => each.endsWith('-body'));
  const common = likenessOfWords(before, after);
  return isPart ? Math.max(common, minLikeness) : common;
}

/** From 0 to 1; things without words are a little alike. */
export function likenessOfWords(before: Pick<Item, 'trees' | 'words'>, after: Pick<Item, 'trees' | 'words'>): number {
  const [was, is] = [wordsIn(before), wordsIn(after)];
  return was.total === 0 && is.total === 0 ? minLikeness : commonPart(was, is);
}

function wordsIn(item: Pick<Item, 'trees' | 'words'>): Bag {
  item.words ??= bagOfWords(textOf(item.trees, maxCompared).slice(0, maxCompared));
  return item.words;
}

/** Elements as one; undefined where only both show the change. */
export function mergeElements(merging: TreeMerging, before: HtmlElement, after: HtmlElement): MergedTrees | undefined {
  if (before.identity === after.identity) return commonTrees([after]);
  if (before.shell !== after.shell || isWhole(before) || isWhole(after)) return undefined;
  if (signsOf(before, merging) !== signsOf(after, merging)) return undefined;
  const inside = mergeInside(merging, before, after);
  if (!inside) return undefined;
  const attributes = after.name === 'details' ? { ...after.attributes, open: true } : after.attributes;
  return { ...inside, trees: [{ ...after, attributes, children: inside.trees }] };
}

function mergeInside(merging: TreeMerging, before: HtmlElement, after: HtmlElement): MergedTrees | undefined {
  if (after.name === 'table') return mergeTable(merging, before, after);
  if (hasClassName(after, 'tabs')) return mergeTabs(merging, before, after);
  return mergeLists(merging, before.children, after.children);
}

/** Icons, images and boxes beside what is in an element: with others, it is another one. */
function signsOf({ children }: HtmlElement, { identities }: TreeMerging): string {
  const signs = runsOf(children).filter((run) => !(isHtmlElement(run[0]) && !run[0].isInline) && textOf(run, 1) === '');
  return listIdentities(signs.flat(), identities);
}
