import { diffHunks, type Hunk } from '../../document/edits/hunks.js';
import type { Budget } from './budget.js';

/** Things of two lists that belong together: both are the same, or one became the other. Without the one or the other, it is gone or new. */
export interface Step {
  before?: number;
  after?: number;
  isSame: boolean;
}

export interface Alignable {
  identity: number;
}

export interface Comparison<T extends Alignable> {
  budget: Budget;
  /** How much two items are alike that are not the same; below `minLikeness`, one did not become the other. */
  likeness: (before: T, after: T) => number;
}

export const minLikeness = 0.4;

/** Items of two lists in one order: what both have in common stands in the order of both. */
export function alignLists<T extends Alignable>(before: T[], after: T[], comparison: Comparison<T>): Step[] {
  const identities = (items: T[]) => items.map(({ identity }) => String(identity));
  const steps: Step[] = [];
  let [at, sideAt] = [0, 0];
  const addSame = (to: number) => {
    for (; at < to; at++, sideAt++) steps.push({ before: at, after: sideAt, isSame: true });
  };
  for (const hunk of diffHunks(identities(before), identities(after))) {
    addSame(hunk.from);
    for (const step of stepsOfHunk(before, after, hunk, comparison)) steps.push(step);
    [at, sideAt] = [hunk.to, hunk.sideTo];
  }
  addSame(before.length);
  return steps;
}

function stepsOfHunk<T extends Alignable>(before: T[], after: T[], hunk: Hunk, comparison: Comparison<T>): Step[] {
  const removed = before.slice(hunk.from, hunk.to);
  const added = after.slice(hunk.sideFrom, hunk.sideTo);
  const steps: Step[] = [];
  let [from, sideFrom] = [0, 0];
  const addUntil = (to: number, sideTo: number) => {
    for (; from < to; from++) steps.push({ before: hunk.from + from, isSame: false });
    for (; sideFrom < sideTo; sideFrom++) steps.push({ after: hunk.sideFrom + sideFrom, isSame: false });
  };
  for (const [at, sideAt] of pairItems(removed, added, comparison)) {
    addUntil(at, sideAt);
    steps.push({ before: hunk.from + from++, after: hunk.sideFrom + sideFrom++, isSame: false });
  }
  addUntil(removed.length, added.length);
  return steps;
}

type Pair = [at: number, sideAt: number];

/** The items that became others, in the order of both; where the budget is too small to compare all, those at the same places. */
function pairItems<T extends Alignable>(removed: T[], added: T[], { budget, likeness }: Comparison<T>): Pair[] {
  if (removed.length === 0 || added.length === 0) return [];
  const scoreOf = (at: number, sideAt: number) => {
    const score = likeness(removed[at] as T, added[sideAt] as T);
    return score >= minLikeness ? score : 0;
  };
  if (budget.spendPairs(removed.length * added.length)) return bestPairs(removed.length, added.length, scoreOf);
  const common = Math.min(removed.length, added.length);
  if (!budget.spendPairs(common)) return [];
  return Array.from({ length: common }, (_, at): Pair => [at, at]).filter(([at]) => scoreOf(at, at) > 0);
}

/** The pairs with the highest sum of scores, in the order of both sides. */
function bestPairs(rows: number, columns: number, scoreOf: (row: number, column: number) => number): Pair[] {
  const width = columns + 1;
  const scores = new Float64Array(rows * columns);
  const sums = new Float64Array((rows + 1) * width);
  const at = (row: number, column: number) => sums[row * width + column] as number;
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const score = scoreOf(row, column);
      scores[row * columns + column] = score;
      sums[row * width + column] = Math.max(at(row + 1, column), at(row, column + 1), score + at(row + 1, column + 1));
    }
  const pairs: Pair[] = [];
  for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
    const score = scores[row * columns + column] as number;
    if (score > 0 && at(row, column) === score + at(row + 1, column + 1)) pairs.push([row++, column++]);
    else if (at(row, column) === at(row + 1, column)) row++;
    else column++;
  }
  return pairs;
}
