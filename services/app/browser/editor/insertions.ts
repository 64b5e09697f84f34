import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type EditorSetup, withQuery } from '../../sources/editor-setup.js';
import type { Say } from './dom.js';
import { insertLater } from './pending.js';
import { sendFile, sendJson } from './requests.js';

interface Inserting {
  setup: Pick<EditorSetup, 'urls' | 'maxFile'>;
  say: Say;
  /** Shows why something was not inserted; an empty text takes that back. */
  warn(message: string): void;
}

/** Files that are taken of one paste or drop. */
const maxFiles = 20;

/** Uploads files one after the other, and puts each where it was dropped. */
export async function insertFiles(
  view: EditorView,
  { setup, say, warn }: Inserting,
  files: readonly File[],
  at: number,
): Promise<void> {
  const waiting = files
    .slice(0, maxFiles)
    .map((file) => ({ file, place: insertLater(view, at, say('uploading', file.name)) }));
  const troubles: string[] = [];
  const note = (text: string) => {
    troubles.push(text);
    warn(troubles.join(' '));
  };
  warn('');
  const left = files.slice(maxFiles).map(({ name }) => name);
  if (left.length > 0) note(say('uploadFailed', left.join(', '), ''));
  for (const { file, place } of waiting) {
    if (file.size > setup.maxFile) {
      place.drop();
      note(say('tooLarge', file.name, Math.floor(setup.maxFile / 1_000_000)));
      continue;
    }
    const url = withQuery(setup.urls.files, { name: file.name || 'file' });
    const answer = await sendFile<{ insert: string; isBlock: boolean }>(url, file);
    if (answer.kind === 'ok') place.finish(answer.value.insert, answer.value.isBlock);
    else {
      place.drop();
      note(say('uploadFailed', file.name, answer.kind === 'refused' ? answer.message : ''));
    }
  }
}

/** HTML that says more than its text does. */
const isRich = (html: string): boolean =>
  /<(?:a|b|strong|em|i|h[1-6]|ul|ol|table|pre|code|img|blockquote|del|s)[\s>]|font-(?:weight|style)/i.test(html);
const maxHtml = 2_000_000;

/** Inserts rich text as Markdown, which the server makes of it; as plain text where it cannot. */
async function insertRich(
  view: EditorView,
  { setup, say }: Inserting,
  { html, text }: { html: string; text: string },
): Promise<void> {
  const { from, to } = view.state.selection.main;
  view.dispatch({ changes: { from, to }, userEvent: 'delete.selection' });
  const place = insertLater(view, from, say('pasting'));
  const answer = await sendJson<{ markdown: string }>(setup.urls.paste, { html });
  if (answer.kind !== 'ok') return place.finish(text.replace(/\r\n?/g, '\n'));
  const markdown = answer.value.markdown.trim();
  place.finish(markdown, markdown.includes('\n\n'));
}

const address = /^https?:\/\/\S{1,2000}$/;

/** Puts an address that is pasted over a text behind it, as a link; answers whether it did. */
function linkSelection(view: EditorView, text: string): boolean {
  const { from, to } = view.state.selection.main;
  const selected = view.state.sliceDoc(from, to);
  if (selected === '' || /[\n[\]]/.test(selected) || address.test(selected) || !address.test(text)) return false;
  const insert = `[${selected}](${text.replace(/[()]/g, (sign) => `\\${sign}`)})`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.paste',
  });
  return true;
}

function paste(view: EditorView, inserting: Inserting, data: DataTransfer): boolean {
  const [html, text] = [data.getData('text/html'), data.getData('text/plain')];
  const files = [...data.files];
  // Word processors add a picture of the text that they copy.
  if (files.length > 0 && text === '') {
    view.dispatch(view.state.replaceSelection(''));
    void insertFiles(view, inserting, files, view.state.selection.main.head);
    return true;
  }
  if (linkSelection(view, text.trim())) return true;
  const isCode = data.types.includes('vscode-editor-data');
  if (html === '' || html.length > maxHtml || isCode || !isRich(html)) return false;
  void insertRich(view, inserting, { html, text });
  return true;
}

/** Takes files and rich text that are pasted or dropped. */
export const takeInsertions = (inserting: Inserting): Extension =>
  EditorView.domEventHandlers({
    paste(event, view) {
      if (!event.clipboardData || !paste(view, inserting, event.clipboardData)) return false;
      event.preventDefault();
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head;
      void insertFiles(view, inserting, files, at);
      return true;
    },
  });
