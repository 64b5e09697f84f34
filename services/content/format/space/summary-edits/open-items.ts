import type { ListedPage } from '../summary/listed-pages.js';
import { indentColumns, levelOfColumn, newItemNesting, type OpenItem } from '../summary/summary-lines.js';
import type { EntryPiece, Piece } from '../summary/summary-pieces.js';

/** An item in the lines that are written, which later items may be below. */
export interface WrittenItem {
  /** The page that items below it belong to; undefined for the top and for a group, null where there must be none. */
  holder: ListedPage | undefined | null;
  indent: string;
  marker: string;
  piece: EntryPiece | undefined;
}

/** The items that are open after the lines that were written, as the parser will see them. */
export interface OpenItems {
  read(lines: string[]): void;
  /** Reads the lines of an item. */
  add(lines: string[], item: WrittenItem): void;
  /** Reads text inside the innermost item `within`: it ends all items below that. */
  addText(lines: string[], within: EntryPiece | undefined): void;
  /** The page that an item with this indentation would be below; undefined for the top, null where it must not be. */
  holderAt(indent: string): ListedPage | undefined | null;
  /** The indentation, or that of the item above where an item with it would be below one that must hold none. */
  besides(indent: string): string;
  /** The open item that holds what is below the page. */
  itemOf(page: ListedPage): WrittenItem | undefined;
  /** The open item next below the page, beside which a new one can stand. */
  below(page: ListedPage | undefined): WrittenItem | undefined;
  /** Whether the page could still hold items after the piece. */
  staysOpen(page: ListedPage, piece: Piece): boolean;
}

interface State extends WrittenItem {
  isClosed: boolean;
}

/** The greatest indentation of a list that is not code. */
const DEEPEST_LIST = 3;

export function newOpenItems(): OpenItems {
  const nesting = newItemNesting();
  const states = new WeakMap<OpenItem, State>();
  const stateAt = (level: number) => states.get(nesting.open[level] as OpenItem);
  const levelWith = (is: (state: State) => boolean) =>
    nesting.open.findIndex((item) => {
      const state = states.get(item);
      return state !== undefined && !state.isClosed && is(state);
    });
  // Items below that hold no pages have the same holder.
  const levelOfPage = (page: ListedPage) => levelWith((state) => state.holder === page);
  const levelOfPiece = (piece: EntryPiece | undefined) => (piece ? levelWith((state) => state.piece === piece) : -1);
  const read = (lines: string[]) => {
    for (const line of lines) nesting.reindented(line.replace(/[\r\n]+$/, ''));
  };
  return {
    read,
    add(lines, item) {
      read(lines.slice(0, 1));
      const opened = nesting.open.at(-1);
      if (opened) states.set(opened, { ...item, isClosed: false });
      read(lines.slice(1));
    },
    addText(lines, within) {
      const level = levelOfPiece(within);
      for (const item of nesting.open.slice(level + 1)) {
        const state = states.get(item);
        if (state) state.isClosed = true;
      }
      read(lines);
    },
    holderAt(indent) {
      const level = levelOfColumn(nesting.open, indentColumns(indent));
      const above = nesting.open[level - 1];
      if (!above) return undefined;
      const state = states.get(above);
      if (state && !state.isClosed) return state.holder;
      return above.content <= DEEPEST_LIST ? undefined : null;
    },
    besides(indent) {
      const above = stateAt(levelOfColumn(nesting.open, indentColumns(indent)) - 1);
      return above?.holder === null ? above.indent : indent;
    },
    itemOf: (page) => stateAt(levelOfPage(page)),
    below: (page) => stateAt(page ? levelOfPage(page) + 1 : 0),
    staysOpen(page, piece) {
      const level = levelOfPage(page);
      const item = nesting.open[level];
      if (!item || piece.kind === 'divider') return false;
      if (piece.kind === 'entry') return indentColumns(piece.indent) >= item.column + 2;
      return piece.kind !== 'text' || levelOfPiece(piece.within) >= level;
    },
  };
}
