import { EditorSelection, type EditorState, type StateCommand, type TransactionSpec } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';

/** Puts marks around what is selected, or takes them away. */
export const toggleMark =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const change = state.changeByRange(({ from, to }) => {
      const size = mark.length;
      const isMarked = state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark;
      if (isMarked)
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(from - size, to - size),
        };
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + size, to + size),
      };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };

/** Opens the picker of links with what is selected. */
export const startLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const text = state
    .sliceDoc(from, to)
    .replace(/[[\]\n]/g, ' ')
    .slice(0, 100);
  const insert = `[[${text}`;
  dispatch(
    state.update({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
    }),
  );
  return true;
};

const itemStart = /^([ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+)(\[[ xX]\][ \t]+)?/;

/** Goes on with a list on a new line; a line of a list without text ends it. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const found = itemStart.exec(line.text);
  if (!main.empty || !found || main.head < line.from + found[0].length || isInCode(state, line.from)) return false;
  const [whole, indent = '', bullet, number, dot = '', space = ' ', task] = found;
  const edit: TransactionSpec =
    line.text.trim() === whole.trim()
      ? { changes: { from: line.from, to: line.to }, selection: { anchor: line.from } }
      : withInsertion(`${state.lineBreak}${indent}${bullet ?? Number(number) + 1}${dot}${space}${task ? '[ ] ' : ''}`);
  dispatch(state.update(edit, { userEvent: 'input', scrollIntoView: true }));
  return true;

  function withInsertion(insert: string): TransactionSpec {
    return { changes: { from: main.head, insert }, selection: { anchor: main.head + insert.length } };
  }
};

/** Whether a line stands in a fence of code: an odd number of fences is above it. */
function isInCode({ doc }: EditorState, at: number): boolean {
  let isOpen = false;
  const first = Math.max(1, doc.lineAt(at).number - 2000);
  for (let number = first; number < doc.lineAt(at).number; number++)
    if (/^ {0,3}(?:```|~~~)/.test(doc.line(number).text)) isOpen = !isOpen;
  return isOpen;
}

export const writingKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: continueList },
  { key: 'Mod-b', run: toggleMark('**') },
  { key: 'Mod-i', run: toggleMark('_') },
  { key: 'Mod-k', run: startLink },
];
