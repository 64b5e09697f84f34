import { diffHunks } from '../document/edits/hunks.js';
import { textIn } from '../html/read-data.js';
import { splitLines } from '../space/source-parts.js';
import { type BodyDifference, type DifferencePart, maxDifferenceHtml, maxDifferenceParts } from './difference.js';
import { htmlOf, newHtmlElement } from './trees/trees.js';

/** The difference between two sources line by line. */
export function compareLines(before: string, after: string): BodyDifference {
  const [was, is] = [splitLines(before), splitLines(after)];
  const parts: DifferencePart[] = [];
  let length = 0;
  const add = (kind: 'same' | 'added' | 'removed', lines: string[]) => {
    if (lines.length === 0) return;
    const html = htmlOf([
      newHtmlElement('pre', { class: 'source-lines' }, [newHtmlElement('code', {}, [textIn(lines.join(''))])]),
    ]);
    length += html.length;
    parts.push({ kind, key: `lines-${parts.length + 1}`, html });
  };
  let done = 0;
  for (const { from, to, sideFrom, sideTo } of diffHunks(was, is)) {
    add('same', is.slice(done, sideFrom));
    add('removed', was.slice(from, to));
    add('added', is.slice(sideFrom, sideTo));
    done = sideTo;
  }
  add('same', is.slice(done));
  const isTooLarge = length > maxDifferenceHtml || parts.length > maxDifferenceParts;
  return isTooLarge ? { form: 'tooLarge' } : { form: 'lines', parts, outside: [] };
}
