import { history, redo, undo } from '@codemirror/commands';
import { EditorState, type Transaction } from '@codemirror/state';
import fc from 'fast-check';
import { runs } from '../../../shared/testing/runs.js';
import { changesTo, keepLineEnds, typedSource } from '../browser/editor/line-ends.js';
import { shapeOf, withNulls } from '../sources/source-text.js';

/** A source as the editor opens it. */
function opened(source: string): EditorState {
  const { text, shape } = shapeOf(source);
  const doc = EditorState.create({ doc: withNulls(text, shape) }).doc;
  return EditorState.create({ doc, extensions: [history(), keepLineEnds(doc, shape)] });
}

const lines = fc.array(
  fc.tuple(fc.constantFrom('', 'a', 'b\t', '\0', '\uFEFF', '  ', 'é🐞'), fc.constantFrom('\n', '\r\n', '\r', '\r\n')),
  { maxLength: 12 },
);
const sources = fc.tuple(lines, fc.constantFrom('', 'end')).map(([all, end]) => all.flat().join('') + end);

/** Places in a source that are not within the end of a line, with those in the text that stand for them. */
function placesOf(source: string): [inSource: number, inText: number][] {
  const places: [number, number][] = [];
  let inText = 0;
  for (let at = 0; at <= source.length; at++) {
    if (source[at] === '\n' && source[at - 1] === '\r') continue;
    places.push([at, inText]);
    inText += 1;
  }
  return places;
}

/** Two ends of lines that meet stay two. */
const joined = (before: string, after: string): string =>
  before.endsWith('\r') && after.startsWith('\n') ? `${before}\r${after}` : before + after;

it('a change in the text is the same change in its source, and no other byte', () => {
  fc.assert(
    fc.property(sources, fc.nat(), fc.nat(), fc.constantFrom('', 'x', 'new\nlines\n'), (source, one, other, typed) => {
      const state = opened(source);
      expect(typedSource(state)).toBe(source);
      const places = placesOf(source);
      const [from, to] = [one % places.length, other % places.length].sort((a, b) => a - b) as [number, number];
      const [start, end] = [places[from] as [number, number], places[to] as [number, number]];
      const next = state.update({ changes: { from: start[1], to: end[1], insert: typed } }).state;
      const { lineEnd } = shapeOf(source).shape;
      const inserted = typed.replaceAll('\n', lineEnd);
      expect(typedSource(next)).toBe(joined(joined(source.slice(0, start[0]), inserted), source.slice(end[0])));
    }),
    { numRuns: runs(300) },
  );
});

it('changes that are taken back, and made again, leave the source as it was', () => {
  fc.assert(
    fc.property(sources, fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 }), (source, changes) => {
      let state = opened(source);
      const dispatch = (transaction: Transaction) => {
        state = transaction.state;
      };
      for (const [one, other] of changes) {
        const [from, to] = [one % (state.doc.length + 1), other % (state.doc.length + 1)].sort((a, b) => a - b);
        state = state.update({ changes: { from: from as number, to: to as number, insert: 'x' } }).state;
      }
      const after = typedSource(state);
      while (undo({ state, dispatch }));
      expect(typedSource(state)).toBe(source);
      while (redo({ state, dispatch }));
      expect(typedSource(state)).toBe(after);
    }),
    { numRuns: runs(200) },
  );
});

it('a text that comes from elsewhere takes the place of the one that is there', () => {
  fc.assert(
    fc.property(sources, sources, (before, after) => {
      const state = opened(before);
      const changes = changesTo(state, after);
      expect(changes === null).toBe(before === after);
      expect(typedSource(changes ? state.update(changes).state : state)).toBe(after);
    }),
    { numRuns: runs(300) },
  );
});
