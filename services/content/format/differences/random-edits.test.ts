import fc from 'fast-check';
import { runs } from '../../../../shared/testing/runs.js';
import type { AnyNode, JSONDocument } from '../document/document-model.js';
import { mixes } from '../document/testing/mixes.js';
import { renderBody } from '../html/render-body.js';
import { readHtml } from '../html/testing/html-facts.js';
import { documentOf, surroundings } from '../html/testing/rendered-source.js';
import { randomDocument } from '../texts/testing/random-documents.js';
import type { DifferencePart } from './difference.js';
import { applyEdit, pageEdits, sourceOfPage, writtenPages } from './testing/random-pages.js';
import {
  htmlOfPart,
  partsOfDocuments,
  partsOfSources,
  textOfSide,
  textWithout,
  walkHtml,
} from './testing/read-parts.js';

/** Everything that a block says, by which equal ones are found without the renderer. */
const blocksOf = ({ nodes }: JSONDocument): string[] =>
  nodes
    .filter((node) => !isBlank(node))
    .map((node) => JSON.stringify(node, (name, value) => (name === 'key' || name === 'meta' ? undefined : value)));

const isBlank = (node: AnyNode) =>
  node.object === 'block' && node.type === 'paragraph' && JSON.stringify(node.nodes).includes('"text":""');

/** The length of the longest common subsequence. */
function lengthOfCommon(one: string[], other: string[]): number {
  let row: number[] = Array.from({ length: other.length + 1 }, () => 0);
  for (const item of one) {
    const next = [0];
    for (const [at, each] of other.entries())
      next.push(item === each ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

const textOf = (document: JSONDocument) => textWithout(renderBody(document, surroundings).html, ['note-mark']);

/** The numbers of cells of the rows of tables that are not even. */
function unevenTables(part: DifferencePart): number[][] {
  return htmlOfPart(part).flatMap((html) =>
    [...walkHtml(html)].flatMap((table) => {
      if (!('tagName' in table) || table.tagName !== 'table') return [];
      const rows = table.childNodes.flatMap((section) => ('childNodes' in section ? section.childNodes : []));
      const counts = rows.flatMap((row) =>
        'childNodes' in row && row.nodeName === 'tr' ? [row.childNodes.length] : [],
      );
      return new Set(counts).size > 1 ? [counts] : [];
    }),
  );
}

let edited = 0;
it('shows of a thousand random edits the whole text before, the whole text after, and every equal block as the same', () => {
  fc.assert(
    fc.property(writtenPages, pageEdits, (blocks, edits) => {
      const before = sourceOfPage(blocks);
      const changed = structuredClone(blocks);
      for (const edit of edits) applyEdit(changed, edit);
      const after = sourceOfPage(changed);
      edited += edits.length;
      const [was, is] = [documentOf(before), documentOf(after)];
      const parts = partsOfSources(before, after);
      expect(textOfSide(parts, 'before')).toBe(textOf(was));
      expect(textOfSide(parts, 'after')).toBe(textOf(is));
      const same = parts.filter(({ kind }) => kind === 'same').length;
      expect(same).toBeGreaterThanOrEqual(lengthOfCommon(blocksOf(was), blocksOf(is)));
      const { ids, forbidden } = readHtml(parts.flatMap(htmlOfPart).join(''));
      expect([new Set(ids).size - ids.length, forbidden, parts.flatMap(unevenTables)]).toEqual([0, [], []]);
    }),
    { seed: 7, numRuns: runs(150) },
  );
  expect(edited).toBeGreaterThan(1000);
});

function expectWhole(before: JSONDocument, after: JSONDocument): void {
  // References out of the space are counted over both sides.
  const textOn = (side: 'before' | 'after', parts: DifferencePart[]) =>
    textOfSide(parts, side).replace(/⟦t\d+⟧/g, '⟦t⟧');
  const parts = partsOfDocuments(before, after);
  expect(textOn('before', parts)).toBe(textOn('after', partsOfDocuments(before, before)));
  expect(textOn('after', parts)).toBe(textOn('after', partsOfDocuments(after, after)));
}

it('shows the whole texts of pages of any syntax', () => {
  fc.assert(
    fc.property(mixes, mixes, (before, after) => expectWhole(documentOf(before), documentOf(after))),
    { numRuns: runs(60) },
  );
});

it('shows the whole texts of any documents', () => {
  fc.assert(
    fc.property(randomDocument, randomDocument, (before, after) => expectWhole(before as never, after as never)),
    { numRuns: runs(40) },
  );
});
