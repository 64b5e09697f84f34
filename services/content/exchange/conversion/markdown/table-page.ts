import { parse } from 'csv-parse/sync';
import { bounds } from '../bounds.js';
import { refusal } from '../refused.js';

const maxColumns = 100;

/** A CSV file as a table. Throws 422 for one that cannot be read or has too many cells. */
export function tablePage(text: string): string {
  const rows = rowsOf(text);
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width > maxColumns || rows.length * width > bounds.cells)
    throw refusal(`url: the table has more than ${maxColumns} columns or ${bounds.cells.toLocaleString('en')} cells`);
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cellOf(cells[at] ?? '')).join(' | ')} |`;
  if (width === 0) return '';
  return [line(head), `| ${Array.from({ length: width }, () => '---').join(' | ')} |`, ...body.map(line), ''].join(
    '\n',
  );
}

function rowsOf(text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, bom: true });
  } catch {
    throw refusal('url: the table is no CSV');
  }
}

const cellOf = (value: string): string =>
  value
    .trim()
    .replace(/[\\|*_`[\]<>{}$]/g, (sign) => `\\${sign}`)
    .replace(/\s*\r?\n\s*/g, '<br>');
