import {
  appendInline,
  type Delimiter,
  newInline,
  type ParsedInline,
  plainTextOfList,
  type Run,
} from './inline-nodes.js';

const MAX_EMPHASIS = 30;
const SPACE = /\s/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Adds the run of `*`, `_` or `~` at `at` as text that may become emphasis; returns its length. */
export function addDelimiterRun(run: Run, text: string, at: number): number {
  const char = text[at] ?? '';
  let end = at;
  while (text[end] === char) end++;
  const mark = newInline('text', text.slice(at, end), true);
  appendInline(run, mark);
  const length = end - at;
  if (char === '~' && length !== 2) return length;
  const before = at === 0 ? '\n' : charBefore(text, at);
  const after = end >= text.length ? '\n' : String.fromCodePoint(text.codePointAt(end) ?? 10);
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const [signBefore, signAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const left = !spaceAfter && (!signAfter || spaceBefore || signBefore);
  const right = !spaceBefore && (!signBefore || spaceAfter || signAfter);
  const canOpen = char === '_' ? left && (!right || signBefore) : left;
  const canClose = char === '_' ? right && (!left || signAfter) : right;
  if (canOpen || canClose) run.delimiters.push({ node: mark, char, count: length, length, canOpen, canClose });
  if (length === (char === '_' ? 1 : 2)) mark.loose = looseMark(before, after);
  return length;
}

function charBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && at > 1;
  return pair ? text.slice(at - 2, at) : (text[at - 1] ?? '\n');
}

/**
 * Pairs the delimiters from index `bottom` on and removes them from the list (CommonMark, "process emphasis"). Searches for
 * openers that failed are remembered for each kind of closer, which keeps it linear.
 */
export function pairDelimiters(run: Run, bottom: number): void {
  const all = run.delimiters.slice(bottom);
  run.delimiters.length = bottom;
  /** Openers still to be matched, as indexes of `all`. */
  const open: number[] = [];
  const searched = new Map<string, number>();
  for (let at = 0; at < all.length; at++) {
    const closer = all[at] as Delimiter;
    while (closer.canClose && closer.count > 0 && closeEmphasis(all, open, searched, closer)) {}
    if (closer.canOpen && closer.count > 0) open.push(at);
  }
}

function closeEmphasis(all: Delimiter[], open: number[], searched: Map<string, number>, closer: Delimiter): boolean {
  const kind = `${closer.char}${closer.canOpen ? 'o' : ''}${closer.length % 3}`;
  const floor = searched.get(kind) ?? 0;
  let found = open.length - 1;
  while (found >= floor && !canPair(all[open[found] ?? 0] as Delimiter, closer)) found--;
  if (found < floor) {
    searched.set(kind, open.length);
    return false;
  }
  const opener = all[open[found] ?? 0] as Delimiter;
  // Delimiters opened in between stay text.
  open.length = found + 1;
  const strong = opener.count >= 2 && closer.count >= 2;
  const used = closer.char === '~' || strong ? 2 : 1;
  opener.count -= used;
  closer.count -= used;
  if (opener.count <= 0) open.pop();
  for (const [key, value] of searched) if (value > open.length) searched.set(key, open.length);
  wrapBetweenMarks(opener.node, closer.node, closer.char === '~' ? 'strike' : strong ? 'strong' : 'emphasis', used);
  return true;
}

function canPair(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.char !== closer.char) return false;
  if (opener.char === '~') return true;
  const odd = (opener.canClose || closer.canOpen) && (opener.length + closer.length) % 3 === 0;
  return !odd || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

type Emphasis = 'emphasis' | 'strong' | 'strike';

/** Wraps what is between two marks, and takes as many signs as are `used` off both. */
function wrapBetweenMarks(from: ParsedInline, to: ParsedInline, kind: Emphasis, used: number): void {
  let parent = newInline(kind, '');
  for (let at = from.next; at && at !== to; at = at.next) parent.depth = Math.max(parent.depth, at.depth + 1);
  const inner = from.next === to ? undefined : from.next;
  if (inner && to.prev) {
    inner.prev = undefined;
    to.prev.next = undefined;
    parent.first = inner;
  }
  if (parent.depth > MAX_EMPHASIS) {
    parent = newInline('text', from.value.slice(0, used) + plainTextOfList(inner) + to.value.slice(0, used), true);
  }
  from.value = from.value.slice(used);
  to.value = to.value.slice(used);
  parent.prev = from;
  parent.next = to;
  from.next = parent;
  to.prev = parent;
}

const OPENING = /[\p{Ps}\p{Pi}]/u;
const ENDS_LINE = /[\n\r]/;
/** Scripts that write no spaces between words, and their punctuation. */
const UNSPACED = /[\u3000-\u303f\uff00-\uffef\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}]/u;

/** Whether a mark that CommonMark shows as text may begin or end emphasis: editors put spaces and punctuation inside the marks. */
function looseMark(before: string, after: string): ParsedInline['loose'] {
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const quoted = !spaceBefore && !PUNCTUATION.test(before) && PUNCTUATION.test(after) && !UNSPACED.test(before + after);
  const opens = spaceAfter ? !spaceBefore && !OPENING.test(before) && !ENDS_LINE.test(after) : !quoted;
  const closes = spaceBefore ? !ENDS_LINE.test(after) : !OPENING.test(before);
  return { opens, closes };
}

/** Pairs marks that are left, each with the next one of its level and line. */
export function pairLooseMarks(first: ParsedInline | undefined): void {
  pairLooseSign(first, '**', 'strong');
  pairLooseSign(first, '~~', 'strike');
  for (let at = first; at; at = at.next) if (at.first) pairLooseMarks(at.first);
}

function pairLooseSign(first: ParsedInline | undefined, sign: string, kind: Emphasis): void {
  let opener: ParsedInline | undefined;
  for (let at = first; at; at = at.next) {
    if (at.kind === 'break' || (at.kind === 'text' && at.value.startsWith('\n'))) opener = undefined;
    if (at.loose === undefined || at.value !== sign) continue;
    if (opener && at.loose.closes) {
      if (opener.next !== at.prev) wrapItalic(opener.next, at.prev);
      wrapBetweenMarks(opener, at, kind, sign.length);
      wrapItalic(opener.prev, at.next);
      opener = undefined;
    } else if (at.loose.opens) opener = at;
  }
}

/** An `_` directly inside or outside of both marks is their kin: editors write bold italics with both. */
function wrapItalic(from: ParsedInline | undefined, to: ParsedInline | undefined): void {
  if (from?.loose && from.value === '_' && to?.loose && to.value === '_') wrapBetweenMarks(from, to, 'emphasis', 1);
}
