import { invertedEffects } from '@codemirror/commands';
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  MapMode,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { replacementBetween, type SourceShape, shapeOf, withLineEnds, withNulls } from '../../sources/source-text.js';

/** An end of a line that is not the usual one, before the `\n` that stands for it, and gone with that. */
class OddEnd extends RangeValue {
  override point = true;
  override startSide = 1;
  override endSide = 1;
  override mapMode = MapMode.TrackAfter;
  constructor(readonly lineEnd: string) {
    super();
  }
  override eq(other: OddEnd): boolean {
    return other.lineEnd === this.lineEnd;
  }
}

type OddEnds = RangeSet<OddEnd>;

/** Puts ends back that were removed with their lines: for the way back. */
const restoreEnds = StateEffect.define<Range<OddEnd>[]>({
  map: (ranges, changes: ChangeDesc) => ranges.map(({ value, from }) => value.range(changes.mapPos(from, 1))),
});

/** The ends of the lines of a text. */
interface LineEnds {
  usual: string;
  odd: OddEnds;
}

const setEnds = StateEffect.define<LineEnds>();

const lineEnds = StateField.define<LineEnds>({
  create: () => ({ usual: '\n', odd: RangeSet.empty }),
  update(before, transaction) {
    let { usual, odd } = before;
    if (transaction.docChanged) odd = odd.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(restoreEnds)) odd = odd.update({ add: effect.value, sort: true });
      if (effect.is(setEnds)) ({ usual, odd } = effect.value);
    }
    return odd === before.odd && usual === before.usual ? before : { usual, odd };
  },
});

function endsOf(doc: Text, { lineEnd, odd }: SourceShape): LineEnds {
  const ranges = odd.flatMap(([line, end]) => {
    if (line + 1 > doc.lines) return [];
    const { to } = doc.line(line + 1);
    return to < doc.length ? [new OddEnd(end).range(to)] : [];
  });
  return { usual: lineEnd, odd: RangeSet.of(ranges, true) };
}

/** The ends that a transaction removes. */
function removedEnds(transaction: Transaction): Range<OddEnd>[] {
  const ends = transaction.startState.field(lineEnds).odd;
  if (ends.size === 0 || !transaction.docChanged) return [];
  const removed: Range<OddEnd>[] = [];
  transaction.changes.iterChangedRanges((from, to) => {
    ends.between(from, to, (at, _, value) => {
      if (at >= from && at < to) removed.push(value.range(at));
    });
  });
  return removed;
}

/** Keeps the ends of lines that are not the usual ones, through all changes and back. */
export const keepLineEnds = (doc: Text, shape: SourceShape): Extension => [
  lineEnds.init(() => endsOf(doc, shape)),
  invertedEffects.of((transaction) => {
    const removed = removedEnds(transaction);
    return removed.length > 0 ? [restoreEnds.of(removed)] : [];
  }),
];

/** The source that the text stands for. */
export function typedSource(state: EditorState): string {
  const { usual, odd } = state.field(lineEnds);
  const ends: SourceShape['odd'] = [];
  odd.between(0, state.doc.length, (from, _, value) => {
    ends.push([state.doc.lineAt(from).number - 1, value.lineEnd]);
  });
  return withLineEnds(state.doc.toString(), usual, ends);
}

/** The changes that make the text stand for another source: as few as possible; null where it does already. */
export function changesTo(state: EditorState, source: string): TransactionSpec | null {
  if (typedSource(state) === source) return null;
  const { text, shape } = shapeOf(source);
  const written = withNulls(text, shape);
  const changes = replacementBetween(state.doc.toString(), written) ?? [];
  const effects = setEnds.of(endsOf(state.changes(changes).apply(state.doc), shape));
  return { changes, effects };
}
