import { diffArrays } from 'diff';
import fc from 'fast-check';
import { processorMs } from '../../../../shared/testing/processor-time.js';
import type { ListedPage } from './listed-pages.js';
import { editedSummary, listsJust } from './summary-edits.js';
import { applyEdit, layouts, randomFiles, rows, summaryText, treeEdits } from './testing/random-summaries.js';
import { listedIn, placesOf, placeWith } from './testing/summary-trees.js';

const place = placeWith(randomFiles);
const linesOf = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '');

/** How many lines were removed or added that are not blank; dividers count for themselves. */
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
      expect(editedSummary(text, pages, place)).toBe(text);
      let touched = 0;
      for (const [number, edit] of edits.entries()) touched += applyEdit(pages, edit, number);
      const made = editedSummary(text, pages, place);
      if (!listsJust(made, pages, place)) throw new Error(`other pages:\n${made}`);
      // An entry has up to five lines, removed and added; the first of a list may get another number, and an entry that is no
      // page another indentation.
      const height = list.some(({ kind }) => kind === 'computed') ? 5 : 2;
      const gone = list.filter(({ kind }) => kind === 'gone').length;
      const most = 2 * (touched * height + gone + (layout.bullet === '1.' ? edits.length : 0));
      const { lines, dividers } = changes(text, made);
      if (lines > most) throw new Error(`${lines} lines:\n${made}`);
      if (dividers > 3 * edits.length + 2) throw new Error(`${dividers} dividers:\n${made}`);
      expect(editedSummary(made, pages, place)).toBe(made);
    }),
    { numRuns: Number(process.env.SUMMARY_RUNS ?? 100) },
  );
});

test('edits list the pages also where items that hold no pages have items below them', () => {
  fc.assert(
    fc.property(rows, layouts, treeEdits, (list, layout, edits) => {
      const text = summaryText(list, layout, { hoists: true });
      const pages = listedIn(text, place);
      expect(editedSummary(text, pages, place)).toBe(text);
      for (const [number, edit] of edits.entries()) applyEdit(pages, edit, number);
      const made = editedSummary(text, pages, place);
      if (!listsJust(made, pages, place)) throw new Error(`other pages:\n${made}`);
    }),
    { numRuns: Number(process.env.SUMMARY_RUNS ?? 50) },
  );
});

test('a large or hostile table of contents takes time by its length only', () => {
  const listed = randomFiles
    .map((file, at) => `${'  '.repeat(at % 4)}* [Page \\[${at}\\] & co](<${file}> "P")`)
    .join('\n');
  const groups = Array.from({ length: 20 }, (_, at) => `\n\n## Group ${at}\n\n${listed}`).join('');
  const took = processorMs(() => {
    const pages = listedIn(groups, place);
    for (const { page } of placesOf(pages)) page.title = `New ${page.title}`;
    const reversed = pages.toReversed();
    expect(listsJust(editedSummary(groups, reversed, place), reversed, place)).toBe(true);
    const many = Array.from({ length: 200 }, (_, at): ListedPage[] => [
      { type: 'group', title: `G ${at}`, slug: `g-${at}`, pages: [] },
      { type: 'document', title: `D ${at}`, slug: `d-${at}`, pages: [] },
    ]).flat();
    for (const hostile of [
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
    ]) {
      for (const start of ['* [A](p1.md)\n', '* [A](p1.md)\n  * ', '## ']) {
        const text = start + hostile.repeat(30_000 / hostile.length);
        expect(listsJust(editedSummary(text, many, place), many, place)).toBe(true);
      }
    }
  });
  expect(took).toBeLessThan(20_000);
});
