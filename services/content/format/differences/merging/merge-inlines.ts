import { diffHunks } from '../../document/edits/hunks.js';
import type { Identities } from '../trees/identities.js';
import {
  type HtmlElement,
  isHtmlElement,
  isWhole,
  newHtmlElement,
  pushText,
  sizeOf,
  type Tree,
} from '../trees/trees.js';
import { joinMerged, type Lot, lotOfTrees, type MergedTrees, newMark, type TreeMerging } from './merging.js';
import { splitWords } from './words.js';

/** A word, or an element that is compared as a whole, with the elements around it. */
interface Token {
  tree: Tree;
  path: readonly HtmlElement[];
  identity: string;
}

/** Lines of text as one: words that only one side has are marked within the elements around them. */
export function mergeInlines(merging: TreeMerging, before: readonly Tree[], after: readonly Tree[]): MergedTrees {
  if (!merging.budget.spendText(sizeOf(before) + sizeOf(after)))
    return joinMerged([lotOfTrees(before, 'removed'), lotOfTrees(after, 'added')]);
  const runs = compareTokens(tokensOf(before, merging.identities), tokensOf(after, merging.identities));
  return {
    trees: writeRuns(runs),
    hasCommon: runs.some(({ lot, tokens }) => lot === undefined && !tokens.every(isSpace)),
    isMarked: runs.some(({ lot }) => lot !== undefined),
  };
}

function tokensOf(trees: readonly Tree[], identities: Identities): Token[] {
  const tokens: Token[] = [];
  addTokens(tokens, trees, { path: [], shells: '', identities });
  return tokens;
}

interface Place {
  path: readonly HtmlElement[];
  /** Names the elements in the path by their shells. */
  shells: string;
  identities: Identities;
}

function addTokens(tokens: Token[], trees: readonly Tree[], place: Place): void {
  const { path, shells, identities } = place;
  for (const tree of trees) {
    if (!isHtmlElement(tree))
      for (const word of splitWords(tree)) tokens.push({ tree: word, path, identity: `${shells}"${word}` });
    else if (isWhole(tree) || isNumbered(tree)) tokens.push({ tree, path, identity: `${shells}=${tree.identity}` });
    else addTokens(tokens, tree.children, { path: [...path, tree], shells: `${shells}${tree.shell}>`, identities });
  }
}

/** A footnote is the same whatever its number. */
const isNumbered = ({ attributes }: HtmlElement) => attributes.class === 'note-mark';

const isSpace = ({ tree }: Token) => !isHtmlElement(tree) && tree.trim() === '';

/** Tokens that both sides have, or only one. */
interface Run {
  lot: Lot | undefined;
  tokens: Token[];
  /** The same tokens on the earlier side. */
  earlier: Token[];
}

function compareTokens(before: Token[], after: Token[]): Run[] {
  const runs: Run[] = [];
  const add = (lot: Lot | undefined, tokens: Token[], earlier: Token[] = []) => {
    if (tokens.length > 0) runs.push({ lot, tokens, earlier });
  };
  let [at, sideAt] = [0, 0];
  const identities = (tokens: Token[]) => tokens.map(({ identity }) => identity);
  for (const { from, to, sideFrom, sideTo } of diffHunks(identities(before), identities(after))) {
    add(undefined, after.slice(sideAt, sideFrom), before.slice(at, from));
    add('removed', before.slice(from, to));
    add('added', after.slice(sideFrom, sideTo));
    [at, sideAt] = [to, sideTo];
  }
  add(undefined, after.slice(sideAt), before.slice(at));
  return joinOverSpaces(runs);
}

/** Two words beside each other that both became others are one change, with the space between them. */
function joinOverSpaces(runs: Run[]): Run[] {
  const joined: Run[] = [];
  for (let at = 0; at < runs.length; at++) {
    const [gone, come] = [joined.at(-2), joined.at(-1)];
    const [space, next, last] = [runs[at] as Run, runs[at + 1], runs[at + 2]];
    const isBetween =
      space.lot === undefined &&
      space.tokens.every(isSpace) &&
      gone?.lot === 'removed' &&
      come?.lot === 'added' &&
      next?.lot === 'removed' &&
      last?.lot === 'added';
    if (!isBetween || !gone || !come || !next || !last) {
      joined.push(space);
      continue;
    }
    gone.tokens = [...gone.tokens, ...space.earlier, ...next.tokens];
    come.tokens = [...come.tokens, ...space.tokens, ...last.tokens];
    at += 2;
  }
  return joined;
}

function writeRuns(runs: Run[]): Tree[] {
  const writer = new InlineWriter();
  for (const { lot, tokens, earlier } of runs)
    if (lot === undefined)
      for (const [at, token] of tokens.entries()) writer.alias(earlier[at]?.path ?? [], token.path);
  for (const { lot, tokens } of runs) for (const token of tokens) writer.write(token, lot);
  return writer.trees;
}

/** Writes tokens with the elements around them; an element stays open while its tokens follow each other. */
class InlineWriter {
  readonly trees: Tree[] = [];
  private readonly open: { source: HtmlElement; made: HtmlElement }[] = [];
  private mark: { lot: Lot; element: HtmlElement } | undefined;
  /** The elements of the later side that stand for those of the earlier one. */
  private readonly later = new Map<HtmlElement, HtmlElement>();

  /** Takes elements around something that both sides have for the same. */
  alias(before: readonly HtmlElement[], after: readonly HtmlElement[]): void {
    for (const [at, element] of before.entries()) {
      const same = after[at];
      if (same && !this.later.has(element)) this.later.set(element, same);
    }
  }

  write({ tree, path }: Token, lot: Lot | undefined): void {
    this.enter(path.map((element) => this.later.get(element) ?? element));
    const place = this.open.at(-1)?.made.children ?? this.trees;
    if (lot === undefined) {
      this.mark = undefined;
      addTree(place, tree);
      return;
    }
    if (this.mark?.lot !== lot) {
      this.mark = { lot, element: newMark(lot, []) };
      place.push(this.mark.element);
    }
    addTree(this.mark.element.children, tree);
  }

  private enter(path: readonly HtmlElement[]): void {
    let common = 0;
    while (common < this.open.length && this.open[common]?.source === path[common]) common++;
    if (common === this.open.length && common === path.length) return;
    this.mark = undefined;
    this.open.length = common;
    for (const source of path.slice(common)) {
      const made = { ...newHtmlElement(source.name, source.attributes, []), isInline: true };
      (this.open.at(-1)?.made.children ?? this.trees).push(made);
      this.open.push({ source, made });
    }
  }
}

function addTree(trees: Tree[], tree: Tree): void {
  if (isHtmlElement(tree)) trees.push(tree);
  else pushText(trees, tree);
}
