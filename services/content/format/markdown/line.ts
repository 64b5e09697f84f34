/** A position in a line. As in CommonMark, a tab extends to the next column that is a multiple of four. */
export interface Cursor {
  text: string;
  pos: number;
  column: number;
  /** Columns of the tab at `pos` that are already consumed. */
  tabUsed: number;
  /** Set by `measureIndent`: the next character other than space and tab, and the columns up to it. */
  next: number;
  indent: number;
  blank: boolean;
}

export function newLineCursor(text: string): Cursor {
  const cursor = { text, pos: 0, column: 0, tabUsed: 0, next: 0, indent: 0, blank: false };
  measureIndent(cursor);
  return cursor;
}

export function measureIndent(cursor: Cursor): void {
  const { text } = cursor;
  let at = cursor.pos;
  let column = cursor.column;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) column++;
    else if (code === 9) column += 4 - (column % 4);
    else break;
  }
  cursor.next = at;
  cursor.indent = column - cursor.column;
  cursor.blank = at >= text.length;
}

export function skipIndent(cursor: Cursor): void {
  cursor.column += cursor.indent;
  cursor.pos = cursor.next;
  cursor.tabUsed = 0;
  cursor.indent = 0;
}

/** Advances by `count` columns of white space, or by characters; a tab may be consumed partly. */
export function advanceColumns(cursor: Cursor, count: number): void {
  let left = count;
  while (left > 0 && cursor.pos < cursor.text.length) {
    if (cursor.text.charCodeAt(cursor.pos) !== 9) {
      cursor.pos++;
      cursor.column++;
      left--;
      continue;
    }
    const width = 4 - (cursor.column % 4);
    const taken = Math.min(width, left);
    cursor.column += taken;
    left -= taken;
    cursor.tabUsed = taken < width ? cursor.tabUsed + taken : 0;
    if (taken === width) cursor.pos++;
  }
  measureIndent(cursor);
}

/** The rest of the line; a partly consumed tab becomes spaces. */
export function restOfLine(cursor: Cursor): string {
  if (cursor.tabUsed === 0) return cursor.pos === 0 ? cursor.text : cursor.text.slice(cursor.pos);
  return ' '.repeat(4 - (cursor.column % 4)) + cursor.text.slice(cursor.pos + 1);
}
