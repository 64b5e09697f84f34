import type { AnyOperation } from '../../../shared/contract/operation.js';
import { publicOperation } from '../api/public-api.js';

const tableRow = (...cells: string[]) => `| ${cells.join(' | ')} |`;

/** The handbook's tables of the operations of the public API and of Bindery's own. `lines` as in `publicOperations`. */
export function compatibilityTable(operations: AnyOperation[], lines: string[]): string {
  const own = new Set(operations.map(({ id }) => id));
  const official = lines.map(publicOperation).sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));
  const names = new Set(official.map(({ id }) => id));
  const ours = operations.filter(({ id }) => !names.has(id));
  const kept = official.filter(({ id }) => own.has(id)).length;
  return [
    `Bindery has ${kept} of the ${official.length} operations of the public API.`,
    '',
    '| Operation | Request | Bindery |',
    '| --- | --- | --- |',
    ...official.map(({ id, method, path }) =>
      tableRow(`\`${id}\``, `\`${method} ${path}\``, own.has(id) ? '✓' : '501'),
    ),
    '',
    '## Operations of Bindery alone',
    '',
    '| Operation | Request |',
    '| --- | --- |',
    ...ours.map(({ id, method, path }) => tableRow(`\`${id}\``, `\`${method} ${path}\``)),
    '',
  ].join('\n');
}
