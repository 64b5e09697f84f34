import type { StateCommand } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { EditorSetup } from '../../../sources/editor-setup.js';
import { startLink, toggleMark } from '../commands.js';
import { element } from '../dom.js';
import { insertBlock } from './menus.js';

interface Tools {
  blocks: EditorSetup['blocks'];
  insertFiles(files: File[]): void;
}

/** Has the buttons of the screen do what people need most: below the text on a phone, which has no keys for it. */
export function startToolbar(bar: HTMLElement, view: EditorView, { blocks, insertFiles }: Tools): void {
  const enterText = enteringAtEnd(view);
  const file = element('input', { type: 'file', accept: 'image/*', multiple: true, hidden: true });
  file.addEventListener('change', () => {
    enterText();
    insertFiles([...(file.files ?? [])]);
    file.value = '';
  });
  bar.append(file);
  const command = (run: StateCommand) => () =>
    run({ state: view.state, dispatch: (transaction) => view.dispatch(transaction) });
  const acts: Record<string, () => void> = {
    block: () => openBlockMenu(view),
    bold: command(toggleMark('**')),
    italic: command(toggleMark('_')),
    link: command(startLink),
    image: () => file.click(),
  };
  const buttons = [...bar.querySelectorAll<HTMLButtonElement>('[data-tool]')];
  for (const button of buttons) {
    const { tool = '' } = button.dataset;
    // The keyboard of a phone must not close.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      enterText();
      const block = blocks.find(({ name }) => name === tool);
      const { from, to } = view.state.selection.main;
      if (block) insertBlock(view, block, from, to);
      acts[tool]?.();
      view.focus();
    });
  }
  moveWithArrows(bar, buttons);
  bar.hidden = false;
}

/** Whoever was never in the text goes to its end: at its start are the settings and the title. */
function enteringAtEnd(view: EditorView): () => void {
  let isEntered = false;
  view.contentDOM.addEventListener('focus', () => {
    isEntered = true;
  });
  return () => {
    if (!isEntered) view.dispatch({ selection: { anchor: view.state.doc.length } });
    isEntered = true;
  };
}

/** Types the sign that opens the menu, on a line of its own. */
function openBlockMenu(view: EditorView): void {
  const { state } = view;
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const insert = state.sliceDoc(line.from, head).trim() === '' ? '/' : '\n\n/';
  view.dispatch({
    changes: { from: head, insert },
    selection: { anchor: head + insert.length },
    userEvent: 'input.type',
  });
}

/** A toolbar is one stop of the Tab key; arrows go through its buttons. */
function moveWithArrows(bar: HTMLElement, buttons: HTMLButtonElement[]): void {
  for (const [at, each] of buttons.entries()) each.tabIndex = at === 0 ? 0 : -1;
  bar.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (by === 0 || at < 0) return;
    event.preventDefault();
    const next = buttons[(at + by + buttons.length) % buttons.length] as HTMLButtonElement;
    for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  });
}
