import { CodeFences } from './code-fences.js';

const mathFence = /^(\s*)(`{3,}|~{3,})\s*math\s*$/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Writes the formulas of other dialects as ours: between `$`, and in code blocks of the language `math`. */
export function adaptFormulas(lines: readonly string[], { isBook = false } = {}): string[] {
  const code = new CodeFences();
  /** The delimiter that ends the formula around the lines, if they are in one. */
  let end: string | undefined;
  /** The last line that is not far from the margin. */
  let margin = '';
  return lines.map((source) => {
    const isCode = code.readIsCode(source);
    const line = isBook && !isCode ? replaceMathjaxMarks(source) : source;
    const text = line.trim();
    if (end !== undefined) {
      const isEnd = end === '$$' ? text.endsWith('$$') : !isCode || text === end;
      const written = isEnd && end !== '$$' ? line.replace(end, '$$$$') : line;
      if (isEnd) end = undefined;
      return written;
    }
    const [started, indent = '', marker] = mathFence.exec(line) ?? [];
    if (started !== undefined) {
      end = marker;
      return `${indent}$$`;
    }
    if (isCode) return line;
    if (text === '$$') end = text;
    const isFar = /^(?: {4}|\t)/.test(line);
    if (!isFar && text !== '') margin = line;
    return isFar && !item.test(margin) ? line : adaptDollarFormulas(line);
  });
}

/** mdBook doubles the backslashes that MathJax finds formulas by. */
const replaceMathjaxMarks = (line: string): string =>
  line.replace(/(`+)[^`]{0,2000}\1|\\\\[()[\]]/g, (whole, ticks?: string) => (ticks ? whole : '$$'));

/** Matches code, escapes and addresses, in which `$` begins no formula, and `$` itself. */
const token = /(`+)|\\.|\]\([^)\s]{0,2000}|https?:\/\/\S{0,2000}|\$\$|\$/g;

/**
 * Writes formulas between single `$` between two, as our Markdown has them. As on GitHub, a formula stands apart from Latin letters and
 * digits, and has no space at its ends, so that amounts of money stay what they are.
 */
export function adaptDollarFormulas(line: string): string {
  if (!line.includes('$')) return line;
  let made = '';
  let written = 0;
  let open: number | undefined;
  const unclosed = new Set<string>();
  token.lastIndex = 0;
  for (let match = token.exec(line); match; match = token.exec(line)) {
    const { 0: found, 1: ticks, index } = match;
    if (ticks !== undefined || found === '$$') {
      const close = findClosingMark(line, { mark: found, from: index + found.length, unclosed });
      if (close === undefined) continue;
      token.lastIndex = close;
      // GitHub also writes a formula as code between `$`.
      if (!isInDollars(line, index, close)) open = undefined;
    } else if (found === '$') {
      if (open !== undefined && isFormula(line, open, index)) {
        made += `${line.slice(written, open)}$$${stripBackticks(line.slice(open + 1, index))}$$`;
        written = index + 1;
        open = undefined;
      } else open = mayOpenFormula(line, index) ? index : undefined;
    }
  }
  return made + line.slice(written);
}

interface Mark {
  mark: string;
  from: number;
  /** Marks that are not closed after here. */
  unclosed: Set<string>;
}

/** Where what a mark begins is over. */
function findClosingMark(line: string, { mark, from, unclosed }: Mark): number | undefined {
  if (unclosed.has(mark)) return undefined;
  for (let at = line.indexOf(mark, from); at >= 0; at = line.indexOf(mark, at)) {
    const start = at;
    while (line[at] === mark[0]) at++;
    if (mark === '$$' || at - start === mark.length) return at;
  }
  unclosed.add(mark);
  return undefined;
}

const isInDollars = (line: string, from: number, to: number): boolean => line[from - 1] === '$' && line[to] === '$';

const stripBackticks = (formula: string): string => /^`([^`]+)`$/.exec(formula)?.[1]?.trim() ?? formula;

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[A-Za-z0-9$]/.test(sign);

const mayOpenFormula = (line: string, at: number): boolean =>
  !isWordSign(line[at - 1]) && /\S/.test(line[at + 1] ?? ' ');

/** Not an amount with words behind it. */
const isFormula = (line: string, open: number, at: number): boolean =>
  /\S/.test(line[at - 1] ?? ' ') &&
  !isWordSign(line[at + 1]) &&
  !/^\d[\d.,]*\s+[a-z]{2}/i.test(line.slice(open + 1, at));
