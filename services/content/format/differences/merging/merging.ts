import type { Identities } from '../trees/identities.js';
import {
  classNamesOf,
  type HtmlElement,
  isHtmlElement,
  isInline,
  isWhole,
  newHtmlElement,
  type Tree,
  withClass,
} from '../trees/trees.js';
import type { Budget } from './budget.js';

/** Trees that stand for two. */
export interface MergedTrees {
  trees: Tree[];
  /** Whether something in it is the same in both. */
  hasCommon: boolean;
  /** Whether something in it is marked as added or removed. */
  isMarked: boolean;
}

/** The state of comparing two bodies. */
export interface TreeMerging {
  identities: Identities;
  budget: Budget;
  /** Merges lists of trees: it is passed here because lists and the elements in them need each other. */
  mergeLists: (merging: TreeMerging, before: readonly Tree[], after: readonly Tree[]) => MergedTrees;
}

/** Whether only the earlier or only the later side has a thing. */
export type Lot = 'removed' | 'added';

const markNames = { removed: 'del', added: 'ins' } as const;

export const newMark = (lot: Lot, trees: Tree[]): HtmlElement => ({
  ...newHtmlElement(markNames[lot], {}, trees),
  isInline: true,
});

export const commonTrees = (trees: readonly Tree[]): MergedTrees => ({
  trees: [...trees],
  hasCommon: trees.length > 0,
  isMarked: false,
});

/** Trees that only one side has: lines of text are marked, and the elements around them have a class. */
export const lotOfTrees = (trees: readonly Tree[], lot: Lot): MergedTrees => ({
  trees: markTrees(trees, lot, true),
  hasCommon: false,
  isMarked: trees.length > 0,
});

export function joinMerged(parts: readonly MergedTrees[]): MergedTrees {
  return {
    trees: parts.flatMap(({ trees }) => trees),
    hasCommon: parts.some(({ hasCommon }) => hasCommon),
    isMarked: parts.some(({ isMarked }) => isMarked),
  };
}

function markTrees(trees: readonly Tree[], lot: Lot, isOutermost: boolean): Tree[] {
  return runsOf(trees).map((run) => {
    const [first] = run;
    return run.length === 1 && isHtmlElement(first) && !first.isInline
      ? markElement(first, lot, isOutermost)
      : newMark(lot, run);
  });
}

function markElement(element: HtmlElement, lot: Lot, isOutermost: boolean): HtmlElement {
  const marked = isWhole(element) ? element : { ...element, children: markTrees(element.children, lot, false) };
  return isOutermost || classNamesOf(element.attributes).includes('line') ? withClass(marked, lot) : marked;
}

/** Divides trees into lines of text and elements that are none. */
export function runsOf(trees: readonly Tree[]): Tree[][] {
  const runs: Tree[][] = [];
  let isOpen = false;
  for (const tree of trees) {
    const joins = isInline(tree);
    if (joins && isOpen) runs.at(-1)?.push(tree);
    else runs.push([tree]);
    isOpen = joins;
  }
  return runs;
}
