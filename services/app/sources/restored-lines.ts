import { diffArrays } from 'diff';
import { joinLines, replaced, shapeOf } from './source-text.js';

/** Lines that were changed, up to which the others are looked for among them: the time grows with their number. */
const maxChanges = 300;

const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
/** A line as any form has it. */
const asInForm = (line: string): string => line.replace(/(?:\r\n?|\n)$/, '\n').replaceAll('\0', replaced);

/**
 * A text as a form sent it, with the lines that were not changed as they are written in `source`: forms end lines in their own way. Changed lines take
 * the end that is usual there.
 */
export function restoreLines(source: string, sent: string): string {
  const [before, after] = [linesOf(source), linesOf(sent)];
  const [lines, typed] = [before.map(asInForm), after.map(asInForm)];
  const max = Math.min(lines.length, typed.length);
  let start = 0;
  while (start < max && lines[start] === typed[start]) start++;
  let end = 0;
  while (end < max - start && lines.at(-1 - end) === typed.at(-1 - end)) end++;
  const { lineEnd } = shapeOf(source).shape;
  const middle = { lines: lines.slice(start, lines.length - end), typed: typed.slice(start, typed.length - end) };
  const parts = diffArrays(middle.lines, middle.typed, { maxEditLength: maxChanges }) ?? [
    { added: true, removed: false, value: middle.typed, count: middle.typed.length },
  ];
  const out = before.slice(0, start);
  let at = start;
  for (const { added, removed, value, count } of parts) {
    if (added) for (const line of value) out.push(line.replace(/\n$/, lineEnd));
    else if (!removed) out.push(...before.slice(at, at + count));
    if (!added) at += count;
  }
  return joinLines([...out, ...before.slice(before.length - end)]);
}
