import { parse } from 'csv-parse/sync';
import { bounds } from '../bounds.js';
import { refusal } from '../refused.js';

const maxColumns = 100;

/** A CSV file as a table. Throws 422 for one that cannot be read or has too many cells. */
export function csvToTable(text: string): string {
  const rows = parseCsvRows(text);
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width > maxColumns || rows.length * width > bounds.cells)
    throw refusal(`url: the table has more than ${maxColumns} columns or ${bounds.cells.toLocaleString('en')} cells`);
  const [head = [], ...body] = rows;
  const tableRow = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => escapeCell(cells[at] ?? '')).join(' | ')} |`;
  if (width === 0) return '';
  return [
    tableRow(head),
    `| ${Array.from({ length: width }, () => '---').join(' | ')} |`,
    ...body.map(tableRow),
    '',
  ].join('\n');
}

function parseCsvRows(text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, bom: true });
  } catch {
    throw refusal('url: the table is no CSV');
  }
}

const escapeCell = (value: string): string =>
  value
    .trim()
    .replace(/[\\|*_`[\]<>{}$]/g, (sign) => `\\${sign}`)
    .replace(/\s*\r?\n\s*/g, '<br>');
