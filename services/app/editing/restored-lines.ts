import { diffArrays } from 'diff';
import { endsOf, joinLines, replaced, withLineEnds, withPlainEnds } from '../sources/source-text.js';

/** Characters of a form that may have a page in it, which has half as many: browsers send two for the end of a line. */
export const maxSent = 4_000_000;
/** Characters that end lines, two for some: with more of them all lines of a text count as changed. */
const maxEnds = 200_000;
/** Lines that were changed, up to which the others are looked for among them. */
const maxChanges = 300;
/** Changes times lines, likewise: the time grows with both. */
const maxSteps = 5_000_000;

const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
/** A line as any form has it. */
const asInForm = (line: string): string => line.replace(/(?:\r\n?|\n)$/, '\n').replaceAll('\0', replaced);

function hasManyLines(text: string): boolean {
  let ends = 0;
  for (let at = 0; at < text.length && ends <= maxEnds; at++) if (text[at] === '\n' || text[at] === '\r') ends += 1;
  return ends > maxEnds;
}

/**
 * A text as a form sent it, with the lines that were not changed as they are written in `source`: forms end lines in their own way. Changed lines take
 * the end that is usual there.
 */
export function restoreLines(source: string, sent: string): string {
  const [lineEnd] = endsOf(source);
  if (hasManyLines(source) || hasManyLines(sent)) return withLineEnds(withPlainEnds(sent), lineEnd, []);
  const [before, after] = [linesOf(source), linesOf(sent)];
  const [lines, typed] = [before.map(asInForm), after.map(asInForm)];
  const max = Math.min(lines.length, typed.length);
  let start = 0;
  while (start < max && lines[start] === typed[start]) start++;
  let end = 0;
  while (end < max - start && lines.at(-1 - end) === typed.at(-1 - end)) end++;
  const middle = { lines: lines.slice(start, lines.length - end), typed: typed.slice(start, typed.length - end) };
  const maxEditLength = Math.min(maxChanges, Math.floor(maxSteps / (middle.lines.length + middle.typed.length + 1)));
  const parts = diffArrays(middle.lines, middle.typed, { maxEditLength }) ?? [
    { added: true, removed: false, value: middle.typed, count: middle.typed.length },
  ];
  const out = before.slice(0, start);
  let at = start;
  for (const { added, removed, value, count } of parts) {
    if (added) for (const line of value) out.push(line.replace(/\n$/, lineEnd));
    else if (!removed) for (const line of before.slice(at, at + count)) out.push(line);
    if (!added) at += count;
  }
  return joinLines([...out, ...before.slice(before.length - end)]);
}
