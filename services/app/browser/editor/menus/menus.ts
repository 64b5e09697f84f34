import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type EditorBlock, type EditorSetup, withQuery } from '../../../sources/editor-setup.js';
import type { Say } from '../dom.js';
import { getJson } from '../requests.js';
import type { PickItem, PickSource } from './picker.js';

/** Inserts a block in place of a part of the text, on lines of its own, with the part selected that is to be typed over. */
export function insertBlock(view: EditorView, { text, select }: EditorBlock, from: number, to: number): void {
  const { state } = view;
  const indent = /^[ \t]*/.exec(state.doc.lineAt(from).text)?.[0] ?? '';
  const isBlock = text.includes('\n');
  const startsLine = state.sliceDoc(state.doc.lineAt(from).from, from).trim() === '';
  const start = !startsLine && isBlock ? '\n\n' : '';
  const indented = (part: string) => part.replaceAll('\n', `\n${startsLine ? indent : ''}`);
  const anchor = from + start.length + indented(text.slice(0, select[0])).length;
  view.dispatch({
    changes: { from, to, insert: start + indented(text) },
    selection: { anchor, head: anchor + indented(text.slice(...select)).length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
  view.focus();
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The menu of blocks: `/` at the beginning of a line. */
export function blockMenu({ blocks }: Pick<EditorSetup, 'blocks'>, say: Say): PickSource {
  const named = blocks.map((block) => ({ block, words: folded(`${block.label} ${block.name} ${block.keywords}`) }));
  const item = (block: EditorBlock): PickItem => ({
    label: block.label,
    about: block.about,
    pick: (view, from, to) => insertBlock(view, block, from, to),
  });
  return {
    label: say('blocks'),
    match(state, at) {
      const line = state.doc.lineAt(at);
      const [, indent = '', query] = /^([ \t]*)\/([\p{L}\p{N} -]{0,30})$/u.exec(state.sliceDoc(line.from, at)) ?? [];
      return query === undefined ? null : { from: line.from + indent.length, query };
    },
    items(query) {
      const wanted = folded(query).split(/\s+/).filter(Boolean);
      const starts = folded(query);
      return named
        .filter(({ words }) => wanted.every((word) => words.includes(word)))
        .sort(
          (a, b) => Number(folded(b.block.label).startsWith(starts)) - Number(folded(a.block.label).startsWith(starts)),
        )
        .map(({ block }) => item(block));
    },
  };
}

interface LinkEntry {
  title: string;
  about?: string;
  insert: string;
}

const waitMs = 150;

/** The picker of pages and files: `[[`. */
export function linkMenu({ urls }: Pick<EditorSetup, 'urls'>, say: Say): PickSource {
  return {
    label: say('links'),
    match(state: EditorState, at) {
      const line = state.doc.lineAt(at);
      const found = /\[\[([^[\]]{0,100})$/.exec(state.sliceDoc(line.from, at));
      return found ? { from: line.from + found.index, query: found[1] as string } : null;
    },
    async items(query, signal) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (signal.aborted) return [];
      const answer = await getJson<{ items: LinkEntry[] }>(withQuery(urls.links, { q: query }), signal);
      if (answer.kind !== 'ok') return [];
      return answer.value.items.map(
        ({ title, about, insert }): PickItem => ({
          label: title,
          ...(about ? { about } : {}),
          pick(view, from, to) {
            view.dispatch({
              changes: { from, to, insert },
              selection: { anchor: from + insert.length },
              userEvent: 'input.complete',
            });
          },
        }),
      );
    },
  };
}
