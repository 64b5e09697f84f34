import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import type { EditorSetup } from '../../sources/editor-setup.js';
import { withNulls } from '../../sources/source-text.js';
import { writingKeys } from './commands.js';
import { pageLanguage } from './language.js';
import { keepLineEnds } from './line-ends.js';

/** As the rest of the screen. Styles of the library stand outside of all layers, so that ours must stand here. */
const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--paper)', minHeight: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.9375rem', lineHeight: '1.65' },
  '.cm-content': { caretColor: 'var(--primary)', padding: '1rem 0 6rem' },
  '.cm-line': { padding: '0 1rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--primary)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--primary-soft)',
  },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--paper-soft)', borderColor: 'var(--line)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-soft)', outline: '1px solid var(--warning-line)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--warning-line)' },
  '.cm-textfield': { color: 'inherit', backgroundColor: 'var(--paper)', borderColor: 'var(--line-strong)' },
  '.cm-button': { color: 'inherit', backgroundImage: 'none', backgroundColor: 'var(--paper-raised)' },
  '.cm-specialChar': { color: 'var(--danger)' },
});

/**
 * Types over what is selected. Left to itself, a browser keeps the colors of what it removes in an attribute `style`, which the policy of the
 * screen refuses.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state, composing } = view;
    if (event.inputType !== 'insertText' || event.data === null || composing || state.selection.main.empty)
      return false;
    event.preventDefault();
    view.dispatch(state.update(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true }));
    return true;
  },
});

interface Viewing {
  parent: HTMLElement;
  setup: Pick<EditorSetup, 'shape' | 'phrases'>;
  /** The text, as a text box of a browser has it. */
  text: string;
  /** The attributes `lang` and `dir` of the text, where its language is known. */
  language: Record<string, string>;
  /** Names the text for screen readers, and describes it by the element with this id. */
  label: string;
  describedBy: string;
  extensions: Extension;
}

/** Shows a text for writing. */
export function openView({ parent, setup, text, language, label, describedBy, extensions }: Viewing): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
  const doc = EditorState.create({ doc: withNulls(text, setup.shape) }).doc;
  return new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorState.phrases.of(setup.phrases),
        keepLineEnds(doc, setup.shape),
        extensions,
        typeOverSelection,
        history(),
        drawSelection(),
        dropCursor(),
        highlightSpecialChars(),
        EditorView.lineWrapping,
        pageLanguage(doc),
        search({ top: true }),
        keymap.of([...writingKeys, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          ...language,
          'aria-label': label,
          'aria-describedby': describedBy,
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        theme,
      ],
    }),
  });
}
