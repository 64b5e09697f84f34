import { diffArrays } from 'diff';
import fc from 'fast-check';
import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { runs } from '../../../../../shared/testing/runs.js';
import type { ListedPage } from '../summary/listed-pages.js';
import { applyEdit, layouts, randomFiles, rows, summaryText, treeEdits } from '../testing/random-summaries.js';
import { listedIn, placesOf, placeWith } from '../testing/summary-trees.js';
import { editSummary, listsExactly } from './summary-edits.js';

const place = placeWith(randomFiles);
const linesOf = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '');

/** Counts removed and added lines that are not blank; dividers are counted separately. */
function changes(before: string, after: string): { lines: number; dividers: number } {
  const changed = diffArrays(linesOf(before), linesOf(after)).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => line.trim()) : [],
  );
  const isDivider = (line: string) => line !== '' && /^(?:[*-][ ]?){3,}$/.test(line);
  return {
    lines: changed.filter((line) => line !== '' && !isDivider(line)).length,
    dividers: changed.filter(isDivider).length,
  };
}

test('edits of random tables of contents list the pages and change only the lines of those that were edited', () => {
  fc.assert(
    fc.property(rows, layouts, treeEdits, (list, layout, edits) => {
      const text = summaryText(list, layout);
      const pages = listedIn(text, place);
      expect(editSummary(text, pages, place)).toBe(text);
      let touched = 0;
      for (const [number, edit] of edits.entries()) touched += applyEdit(pages, edit, number);
      const made = editSummary(text, pages, place);
      if (!listsExactly(made, pages, place)) throw new Error(`other pages:\n${made}`);
      // An entry has up to five lines, removed and added; the first of a list may get another number, and an entry that is no
      // page another indentation.
      const height = list.some(({ kind }) => kind === 'computed') ? 5 : 2;
      const gone = list.filter(({ kind }) => kind === 'gone').length;
      const most = 2 * (touched * height + gone + (layout.bullet === '1.' ? edits.length : 0));
      const { lines, dividers } = changes(text, made);
      if (lines > most) throw new Error(`${lines} lines:\n${made}`);
      if (dividers > 3 * edits.length + 2) throw new Error(`${dividers} dividers:\n${made}`);
      expect(editSummary(made, pages, place)).toBe(made);
    }),
    { numRuns: runs(25) },
  );
});

test('edits list the pages also where items that hold no pages have items below them', () => {
  fc.assert(
    fc.property(rows, layouts, treeEdits, (list, layout, edits) => {
      const text = summaryText(list, layout, { hoists: true });
      const pages = listedIn(text, place);
      expect(editSummary(text, pages, place)).toBe(text);
      for (const [number, edit] of edits.entries()) applyEdit(pages, edit, number);
      const made = editSummary(text, pages, place);
      if (!listsExactly(made, pages, place)) throw new Error(`other pages:\n${made}`);
    }),
    { numRuns: runs(15) },
  );
});

describe('a table of contents takes time by its length only', () => {
  test('where it is large', () => {
    const listed = randomFiles
      .slice(0, 25)
      .map((file, at) => `${'  '.repeat(at % 4)}* [Page \\[${at}\\] & co](<${file}> "P")`)
      .join('\n');
    expectLinear((length) => {
      const groups = Array.from({ length }, (_, at) => `\n\n## Group ${at}\n\n${listed}`).join('');
      const pages = listedIn(groups, place);
      for (const { page } of placesOf(pages)) page.title = `New ${page.title}`;
      const reversed = pages.toReversed();
      expect(listsExactly(editSummary(groups, reversed, place), reversed, place)).toBe(true);
    }, 2);
  });

  test.each([
    '[',
    '](',
    '* ',
    '<a ',
    '***',
    '***\n\n',
    ' ',
    '\n',
    'x\n\n',
    '* ```yaml\n',
    '## G\n',
    '<!--\n',
    '* a\n b\n',
  ])('of many %j, with many new pages', (part) => {
    for (const start of ['* [A](p1.md)\n', '* [A](p1.md)\n  * ', '## '])
      expectLinear((length) => {
        const many = Array.from({ length: length / 75 }, (_, at): ListedPage[] => [
          { type: 'group', title: `G ${at}`, slug: `g-${at}`, pages: [] },
          { type: 'document', title: `D ${at}`, slug: `d-${at}`, pages: [] },
        ]).flat();
        const text = start + part.repeat(length / part.length);
        expect(listsExactly(editSummary(text, many, place), many, place)).toBe(true);
      }, 750);
  });
});
