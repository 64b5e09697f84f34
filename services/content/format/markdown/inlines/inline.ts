import { decodeEntities, endOfDeclaration, endOfHtmlTag } from '../html.js';
import { normalizeLabel, scanInlineTarget, scanLabel } from '../link-syntax.js';
import type { Inline, LinkDestination, Markdown } from '../syntax.js';
import { addDelimiterRun, pairDelimiters, pairLooseMarks } from './emphasis.js';
import { appendInline, newInline, type ParsedInline, plainTextOfList, type Run, toInlines } from './inline-nodes.js';

interface Bracket {
  node: ParsedInline;
  image: boolean;
  /** Index after the bracket. */
  from: number;
  /** The delimiters before the bracket. */
  delimiters: number;
  /** Another bracket follows inside, so it cannot be a reference label. */
  bracketInside: boolean;
}

/** The parts of a page that its inlines depend on. */
type InlinePage = Pick<Markdown, 'plain' | 'definitions' | 'footnotes'>;

interface State {
  text: string;
  at: number;
  run: Run;
  brackets: Bracket[];
  /** Open brackets below this index contain a link, so they can only become images. */
  linked: number;
  page: InlinePage;
  /** The last run of backticks of each length; computed at the first backtick. */
  ticks: Map<number, number> | undefined;
  noComment: boolean;
  noMath: boolean;
  noCodeEnd: boolean;
}

/** Parses the text of a paragraph, heading or cell. Linear in its length; anything that is not markup stays text. */
export function parseInlines(text: string, page: InlinePage): Inline[] {
  if (!SPECIAL.test(text)) return [{ kind: 'text', value: text }];
  const state: State = {
    text,
    at: 0,
    run: { first: undefined, last: undefined, delimiters: [] },
    brackets: [],
    linked: 0,
    page,
    ticks: undefined,
    noComment: false,
    noMath: false,
    noCodeEnd: false,
  };
  while (state.at < text.length) readNextPiece(state);
  pairDelimiters(state.run, 0);
  pairLooseMarks(state.run.first);
  return toInlines(state.run.first, text.includes(':') || text.includes('www.') || text.includes('@'));
}

const SPECIAL = /[\n\\`*_~[\]!<&$@:]|www\./;
const isSpecial = new Uint8Array(128);
for (const char of '\n\\`*_~[]!<&$') isSpecial[char.charCodeAt(0)] = 1;

function readNextPiece(state: State): void {
  const { text, at } = state;
  let end = at;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 128 && isSpecial[code] === 1) break;
    end++;
  }
  if (end > at) {
    addPlainText(state, text.slice(at, end));
    state.at = end;
    return;
  }
  if (!READERS[text[at] ?? '']?.(state)) {
    addPlainText(state, text[state.at] ?? '');
    state.at++;
  }
}

function addPlainText(state: State, value: string): void {
  const { last } = state.run;
  if (last?.kind === 'text' && !last.fixed) last.value += value;
  else appendInline(state.run, newInline('text', value));
}

/** Each parses the construct that starts at `state.at` and advances, or returns false. */
const READERS: Record<string, (state: State) => boolean> = {
  '\n': readLineEnd,
  '\\': readEscape,
  '`': readCodeSpan,
  '*': readDelimiters,
  _: readDelimiters,
  '~': readDelimiters,
  '[': (state) => readFootnote(state) || openBracket(state, false),
  '!': (state) => state.text[state.at + 1] === '[' && openBracket(state, true),
  ']': closeBracket,
  '<': readAngleBracket,
  '&': readEntity,
  $: readMath,
};

function readLineEnd(state: State): boolean {
  const { last } = state.run;
  let hard = false;
  if (last?.kind === 'text' && !last.fixed) {
    hard = last.value.endsWith('  ');
    if (last.value.endsWith(' ')) last.value = last.value.trimEnd();
  }
  appendInline(state.run, hard ? newInline('break', '') : newInline('text', '\n'));
  state.at++;
  while (state.text[state.at] === ' ' || state.text[state.at] === '\t') state.at++;
  return true;
}

function readEscape(state: State): boolean {
  const next = state.text[state.at + 1];
  if (next === '\n') {
    appendInline(state.run, newInline('break', ''));
    state.at += 2;
    while (state.text[state.at] === ' ') state.at++;
    return true;
  }
  if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return false;
  addPlainText(state, next);
  state.at += 2;
  return true;
}

function readCodeSpan(state: State): boolean {
  const { text } = state;
  const length = runLength(text, state.at, '`');
  const start = state.at + length;
  state.ticks ??= lastTicksByLength(text);
  if ((state.ticks.get(length) ?? -1) < start) {
    addPlainText(state, '`'.repeat(length));
    state.at = start;
    return true;
  }
  for (let at = text.indexOf('`', start); at >= 0; ) {
    const found = runLength(text, at, '`');
    if (found === length) {
      const value = text.slice(start, at).replaceAll('\n', ' ');
      const padded = value.length > 2 && value.startsWith(' ') && value.endsWith(' ') && value.trim() !== '';
      appendInline(state.run, newInline('code-span', padded ? value.slice(1, -1) : value));
      state.at = at + length;
      return true;
    }
    at = text.indexOf('`', at + found);
  }
  return false;
}

function lastTicksByLength(text: string): Map<number, number> {
  const ticks = new Map<number, number>();
  for (let at = text.indexOf('`'); at >= 0; ) {
    const length = runLength(text, at, '`');
    ticks.set(length, at);
    at = text.indexOf('`', at + length);
  }
  return ticks;
}

function runLength(text: string, from: number, char: string): number {
  let end = from;
  while (text[end] === char) end++;
  return end - from;
}

function readDelimiters(state: State): boolean {
  const length = addDelimiterRun(state.run, state.text, state.at);
  state.at += length;
  return true;
}

function readFootnote(state: State): boolean {
  if (state.text[state.at + 1] !== '^' || state.page.footnotes.size === 0) return false;
  const label = scanLabel(state.text, state.at);
  const key = label && normalizeLabel(label.value.slice(1));
  if (!label || key === undefined || !state.page.footnotes.has(key)) return false;
  appendInline(state.run, newInline('footnote', key));
  state.at = label.end;
  return true;
}

function openBracket(state: State, image: boolean): boolean {
  const mark = newInline('text', image ? '![' : '[');
  mark.fixed = true;
  appendInline(state.run, mark);
  state.at += image ? 2 : 1;
  const outer = state.brackets.at(-1);
  if (outer) outer.bracketInside = true;
  const delimiters = state.run.delimiters.length;
  state.brackets.push({ node: mark, image, from: state.at, delimiters, bracketInside: false });
  return true;
}

function closeBracket(state: State): boolean {
  const opener = state.brackets.pop();
  const index = state.brackets.length;
  const dead = opener !== undefined && !opener.image && index < state.linked;
  state.linked = Math.min(state.linked, index);
  if (!opener || dead) return false;
  const found = scanInlineTarget(state.text, state.at + 1) ?? findReferenceLink(state, opener);
  if (!found) return false;
  pairDelimiters(state.run, opener.delimiters);
  const parent = wrapInLink(state.run, opener.node, found.target, opener.image);
  parent.place = { from: opener.from, to: state.at, end: found.end };
  state.at = found.end;
  if (!opener.image) state.linked = index;
  return true;
}

function findReferenceLink(state: State, opener: Bracket): { target: LinkDestination; end: number } | undefined {
  const { definitions } = state.page;
  if (definitions.size === 0) return undefined;
  const close = state.at;
  const label = scanLabel(state.text, close + 1);
  if (label && label.value !== '') {
    const target = definitions.get(normalizeLabel(label.value));
    return target && { target, end: label.end };
  }
  if (opener.bracketInside || close - opener.from > 999) return undefined;
  const target = definitions.get(normalizeLabel(state.text.slice(opener.from, close)));
  return target && { target, end: label ? label.end : close + 1 };
}

/** Replaces `mark` by a link, or by an image, that contains everything after the mark. */
function wrapInLink(run: Run, mark: ParsedInline, target: LinkDestination, image: boolean): ParsedInline {
  const parent = newInline(image ? 'image' : 'link', image ? plainTextOfList(mark.next) : '');
  parent.url = target.url;
  parent.title = target.title;
  if (!image && mark.next) {
    parent.first = mark.next;
    mark.next.prev = undefined;
    for (let at: ParsedInline | undefined = mark.next; at; at = at.next)
      parent.depth = Math.max(parent.depth, at.depth + 1);
  }
  parent.prev = mark.prev;
  if (parent.prev) parent.prev.next = parent;
  else run.first = parent;
  run.last = parent;
  return parent;
}

const AUTOLINK = /<([A-Za-z][A-Za-z0-9.+-]{1,31}:[^\s<>]*)>/y;
const EMAIL = /<([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?)>/y;
const CODE_ELEMENT = /<code[\s>]/y;

function readAngleBracket(state: State): boolean {
  const { text, at } = state;
  const address = matchAt(AUTOLINK, text, at)?.[1];
  const mail = address === undefined ? matchAt(EMAIL, text, at)?.[1] : undefined;
  const link = address ?? mail;
  if (link !== undefined) {
    const parent = newInline('link', '');
    parent.url = mail === undefined ? link : `mailto:${link}`;
    parent.first = newInline('text', link);
    appendInline(state.run, parent);
    state.at = at + link.length + 2;
    return true;
  }
  const end = state.page.plain ? -1 : endOfInlineHtml(state);
  if (end < 0) return false;
  appendInline(state.run, newInline('html', text.slice(at, end)));
  state.at = end;
  if (matchAt(CODE_ELEMENT, text, at)) readExpression(state, text.slice(at, end));
  return true;
}

function endOfInlineHtml(state: State): number {
  const next = state.text[state.at + 1];
  if (next !== '!' && next !== '?') return endOfHtmlTag(state.text, state.at);
  if (state.noComment) return -1;
  const end = endOfDeclaration(state.text, state.at);
  state.noComment = end === Number.POSITIVE_INFINITY;
  return state.noComment ? -1 : end;
}

/** The content of `<code class="expression">` is JavaScript and is not parsed as markdown. */
function readExpression(state: State, tag: string): void {
  if (state.noCodeEnd || !/class\s*=\s*["']?expression\b/.test(tag)) return;
  const close = state.text.indexOf('</code>', state.at);
  state.noCodeEnd = close < 0;
  if (state.noCodeEnd) return;
  appendInline(state.run, newInline('text', decodeEntities(state.text.slice(state.at, close)), true));
  state.at = close;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

const ENTITY = /&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});/y;

function readEntity(state: State): boolean {
  const entity = matchAt(ENTITY, state.text, state.at)?.[0];
  if (entity === undefined) return false;
  // Its own node, so that a protected space at the end of a line is kept.
  appendInline(state.run, newInline('text', decodeEntities(entity), true));
  state.at += entity.length;
  return true;
}

function readMath(state: State): boolean {
  const { text, at } = state;
  if (text[at + 1] !== '$' || state.noMath || state.page.plain) return false;
  const end = text.indexOf('$$', at + 2);
  if (end < 0) {
    state.noMath = true;
    return false;
  }
  const formula = text.slice(at + 2, end).trim();
  if (formula === '') return false;
  appendInline(state.run, newInline('math', formula));
  state.at = end + 2;
  return true;
}
