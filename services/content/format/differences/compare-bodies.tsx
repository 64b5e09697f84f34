import { marks } from '../html/marks.js';
import { type RenderOptions, renderSeparately, type SeparateBody } from '../html/render-body.js';
import type { PlacedDocument, Surroundings } from '../html/rendered-body.js';
import { type BodyDifference, type DifferencePart, maxDifferenceHtml } from './difference.js';
import { type Alignable, alignLists, type Step } from './merging/alignment.js';
import { Budget } from './merging/budget.js';
import { likenessOfWords, mergeElements, mergeLists } from './merging/merge-lists.js';
import type { TreeMerging } from './merging/merging.js';
import type { Bag } from './merging/words.js';
import { Identities } from './trees/identities.js';
import { readTrees } from './trees/read-trees.js';
import { classNamesOf, htmlOf, identityOfAll, isHtmlElement, type Tree } from './trees/trees.js';

interface Comparing extends RenderOptions {
  /** Begins the names of elements: those of other differences on one screen begin otherwise. */
  names?: string;
  budget?: Budget;
}

/** A block of a body; the footnotes are one at its end. */
interface Block extends Alignable {
  key: string;
  trees: readonly Tree[];
  words?: Bag;
}

/** The difference between two bodies block by block; undefined where they are too large or too deep to be shown whole. */
export function compareBodies(
  before: PlacedDocument,
  after: PlacedDocument,
  { budget = new Budget(), ...options }: Comparing = {},
): BodyDifference | undefined {
  const { bodies, outside } = renderSeparately([before, after], options);
  if (bodies.some(({ isCut }) => isCut)) return undefined;
  const merging: TreeMerging = { identities: new Identities(), budget, mergeLists };
  const [was = [], is = []] = bodies.map((body, at) =>
    readBlocks(body, (at === 0 ? before : after).surroundings, merging),
  );
  const steps = alignLists(was, is, { budget, likeness: likenessOfBlocks });
  const moved = movedIdentities(steps, was, is);
  const parts: DifferencePart[] = [];
  let length = 0;
  for (const { before: at = -1, after: sideAt = -1, isSame } of steps) {
    const part = partOf({ merging, moved, isSame }, was[at], is[sideAt]);
    length += 'html' in part ? part.html.length : part.before.length + part.after.length;
    if (length > maxDifferenceHtml) return undefined;
    parts.push(part);
  }
  return { form: 'blocks', parts, outside };
}

function readBlocks({ blocks, notes }: SeparateBody, { pages }: Surroundings, { identities }: TreeMerging): Block[] {
  const pageByPath = new Map([...pages].map(([id, { path }]) => [path, id]));
  const list = (
    <section class="notes-list" aria-label={marks.word('footnotes')}>
      <ol>
        {notes.map(({ number, content }) => (
          <li value={number}>{content}</li>
        ))}
      </ol>
    </section>
  );
  const read: Block[] = [];
  for (const { key, content } of notes.length > 0 ? [...blocks, { key: 'footnotes', content: list }] : blocks) {
    const trees = readTrees(content, { identities, pageByPath });
    // Blank paragraphs are not shown.
    if (trees.length > 0) read.push({ key, trees, identity: identityOfAll(trees, identities) });
  }
  return read;
}

/** The part of a key that depends on the type and the text of a block alone. */
const textKeyOf = ({ key }: Block) => key.split('-', 1)[0];

const kindOf = ({ trees }: Block): string =>
  trees.map((tree) => (isHtmlElement(tree) ? `${tree.name}.${classNamesOf(tree.attributes)[0] ?? ''}` : '')).join(' ');

/** The share of words that are enough for a block that became one of another kind. */
const otherKind = 0.6;

function likenessOfBlocks(before: Block, after: Block): number {
  if (before.key !== '' && textKeyOf(before) === textKeyOf(after)) return 2;
  const common = likenessOfWords(before, after);
  return kindOf(before) === kindOf(after) ? common : otherKind * common;
}

/** The identities of blocks that are gone in one place and new in another. */
function movedIdentities(steps: Step[], before: Block[], after: Block[]): ReadonlySet<number> {
  const alone = (blocks: Block[], side: 'before' | 'after', other: 'before' | 'after') =>
    steps.flatMap((step) => (step[other] === undefined ? (blocks[step[side] ?? -1]?.identity ?? []) : []));
  const gone = new Set(alone(before, 'before', 'after'));
  return new Set(alone(after, 'after', 'before').filter((identity) => gone.has(identity)));
}

interface Placing {
  merging: TreeMerging;
  moved: ReadonlySet<number>;
  isSame: boolean;
}

function partOf(
  { merging, moved, isSame }: Placing,
  before: Block | undefined,
  after: Block | undefined,
): DifferencePart {
  if (before && after)
    return isSame
      ? { kind: 'same', key: after.key, html: htmlOf(after.trees) }
      : { kind: 'changed', key: after.key, ...changeOf(merging, before.trees, after.trees) };
  const { key, trees, identity } = (after ?? before) as Block;
  const isMoved = moved.has(identity);
  return { kind: after ? 'added' : 'removed', key, html: htmlOf(trees), ...(isMoved ? { moved: true } : {}) };
}

/** A block as one for both bodies, where something in it is common to both; else as two. */
function changeOf(merging: TreeMerging, before: readonly Tree[], after: readonly Tree[]) {
  const [was, is] = [before[0], after[0]];
  const isOne = before.length === 1 && after.length === 1 && isHtmlElement(was) && isHtmlElement(is);
  const merged = isOne ? mergeElements(merging, was, is) : mergeLists(merging, before, after);
  return merged?.isMarked && merged.hasCommon
    ? { html: htmlOf(merged.trees) }
    : { before: htmlOf(before), after: htmlOf(after) };
}
