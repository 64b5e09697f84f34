import {
  type HtmlElement,
  identityOfAll,
  isHtmlElement,
  newHtmlElement,
  type Tree,
  textOf,
  withClass,
} from '../trees/trees.js';
import { type Alignable, alignLists, minLikeness, type Step } from './alignment.js';
import { commonTrees, joinMerged, type Lot, lotOfTrees, type MergedTrees, type TreeMerging } from './merging.js';
import { type Bag, bagOfWords, commonPart } from './words.js';

interface Table {
  colgroup: HtmlElement | undefined;
  head: HtmlElement | undefined;
  body: HtmlElement;
  width: number;
}

/** Cells of a table that has the rows and the columns of both sides. */
const maxCells = 200_000;

const childrenCalled = ({ children }: HtmlElement, name: string): HtmlElement[] =>
  children.filter(isHtmlElement).filter((child) => child.name === name);

const cellsOf = ({ children }: HtmlElement): HtmlElement[] => children.filter(isHtmlElement);

function readTable(table: HtmlElement): Table | undefined {
  const [body] = childrenCalled(table, 'tbody');
  if (!body) return undefined;
  const [colgroup] = childrenCalled(table, 'colgroup');
  const [head] = childrenCalled(table, 'thead');
  const [first] = [...(head?.children ?? []), ...body.children].filter(isHtmlElement);
  return { colgroup, head, body, width: first ? cellsOf(first).length : 0 };
}

/** The children of a table as one: every row has a cell for each column of either side. Undefined where only both show the change. */
export function mergeTable(merging: TreeMerging, before: HtmlElement, after: HtmlElement): MergedTrees | undefined {
  const [was, is] = [readTable(before), readTable(after)];
  if (!was || !is || (was.head && is.head && was.head.shell !== is.head.shell)) return undefined;
  const columns = alignColumns(merging, was, is);
  if (columns.length * (was.body.children.length + is.body.children.length) > maxCells) return undefined;
  const place = { merging, columns };
  const head = was.head || is.head ? mergeSection(place, was.head, is.head) : undefined;
  const body = mergeSection(place, was.body, is.body);
  const widths = was.colgroup || is.colgroup ? [joinWidths(columns, was, is)] : [];
  const joined = joinMerged(head ? [head, body] : [body]);
  return { ...joined, trees: [...widths, ...joined.trees] };
}

interface Column extends Alignable {
  title: string;
  words: Bag;
}

/** Rows that the likeness of columns is judged by. */
const maxRows = 30;

/** The columns of both sides in one order: those that differ stand beside each other where as many are gone as came. */
function alignColumns({ identities, budget }: TreeMerging, before: Table, after: Table): Step[] {
  const columnsOf = ({ head, body, width }: Table): Column[] => {
    const titles = head ? cellsOf(head.children.find(isHtmlElement) ?? head) : [];
    const rows = body.children.filter(isHtmlElement).map(cellsOf);
    return Array.from({ length: width }, (_, at) => {
      const cells = [titles, ...rows].flatMap((row) => row[at] ?? []);
      return {
        title: textOf(titles[at] ? [titles[at]] : []),
        identity: identityOfAll(cells, identities),
        words: bagOfWords(textOf(cells.slice(0, maxRows), 2000)),
      };
    });
  };
  const likeness = (one: Column, other: Column) =>
    one.title !== '' && one.title === other.title ? 2 : commonPart(one.words, other.words);
  return pairRests(alignLists(columnsOf(before), columnsOf(after), { budget, likeness }));
}

/** Pairs columns that are gone with as many that came in their place. */
function pairRests(steps: Step[]): Step[] {
  const out: Step[] = [];
  for (let at = 0; at < steps.length; ) {
    let [gone, end] = [at, at];
    while (isAlone(steps[gone], 'before')) gone++;
    end = gone;
    while (isAlone(steps[end], 'after')) end++;
    if (gone - at === end - gone && gone > at)
      for (let nth = 0; nth < gone - at; nth++)
        out.push({ ...(steps[at + nth] as Step), ...(steps[gone + nth] as Step) });
    else out.push(...steps.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return out;
}

const isAlone = (step: Step | undefined, side: 'before' | 'after'): boolean =>
  step?.[side] !== undefined && step[side === 'before' ? 'after' : 'before'] === undefined;

interface Place {
  merging: TreeMerging;
  columns: Step[];
}

interface Row extends Alignable {
  row: HtmlElement;
  words: Bag;
}

function mergeSection(place: Place, before: HtmlElement | undefined, after: HtmlElement | undefined): MergedTrees {
  const { merging, columns } = place;
  const rowsOf = (section: HtmlElement | undefined): Row[] =>
    (section?.children ?? [])
      .filter(isHtmlElement)
      .map((row) => ({ row, identity: row.identity, words: bagOfWords(textOf([row], 2000)) }));
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const isHead = (before ?? after)?.name === 'thead';
  const likeness = (one: Row, other: Row) =>
    isHead ? 1 : one.words.total + other.words.total === 0 ? minLikeness : commonPart(one.words, other.words);
  const steps = alignLists(was, is, { budget: merging.budget, likeness });
  const isWhole = columns.every(({ before: at, after: sideAt }) => at !== undefined && sideAt !== undefined);
  const rows = joinMerged(
    steps.map(({ before: at = -1, after: sideAt = -1, isSame }) => {
      const [earlier, later] = [was[at]?.row, is[sideAt]?.row];
      if (isSame && later && isWhole) return commonTrees([later]);
      return earlier && later ? mergeRow(place, earlier, later) : lotOfRow(place, earlier, later);
    }),
  );
  return { ...rows, trees: [{ ...((after ?? before) as HtmlElement), children: rows.trees }] };
}

function mergeRow({ merging, columns }: Place, before: HtmlElement, after: HtmlElement): MergedTrees {
  const [was, is] = [cellsOf(before), cellsOf(after)];
  const cells = joinMerged(
    columns.map(({ before: at = -1, after: sideAt = -1 }) => mergeCell(merging, was[at], is[sideAt])),
  );
  return { ...cells, trees: [{ ...after, children: cells.trees }] };
}

function mergeCell(merging: TreeMerging, before: HtmlElement | undefined, after: HtmlElement | undefined): MergedTrees {
  if (!before || !after) return joinMerged([lotOf(before, 'removed'), lotOf(after, 'added')]);
  if (before.identity === after.identity) return commonTrees([after]);
  const inside = merging.mergeLists(merging, before.children, after.children);
  return { ...inside, trees: [{ ...after, children: inside.trees }] };
}

const lotOf = (cell: HtmlElement | undefined, lot: Lot): MergedTrees => lotOfTrees(cell ? [cell] : [], lot);

/** A row of one side, with empty cells for the columns of the other. */
function lotOfRow({ columns }: Place, before: HtmlElement | undefined, after: HtmlElement | undefined): MergedTrees {
  const row = (after ?? before) as HtmlElement;
  const [lot, other]: [Lot, Lot] = after ? ['added', 'removed'] : ['removed', 'added'];
  const cells = cellsOf(row);
  const made = columns.map((column): Tree => {
    const cell = cells[(after ? column.after : column.before) ?? -1];
    if (!cell) return newHtmlElement('td', { class: other }, []);
    return { ...cell, children: lotOfTrees(cell.children, lot).trees };
  });
  return { trees: [withClass({ ...row, children: made }, lot)], hasCommon: false, isMarked: true };
}

function joinWidths(columns: Step[], before: Table, after: Table): HtmlElement {
  const [was, is] = [before.colgroup, after.colgroup].map((group) => (group ? cellsOf(group) : []));
  const widths = columns.map(
    ({ before: at = -1, after: sideAt = -1 }): Tree => is?.[sideAt] ?? was?.[at] ?? newHtmlElement('col', {}, []),
  );
  return newHtmlElement('colgroup', {}, widths);
}
