import type { AnyOperation } from '../../../shared/contract/operation.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { type PublicOperation, publicOperation } from '../api/public-api.js';
import { familyOf, lackingFamilies } from './lacking-families.js';
import { lackingFields } from './lacking-fields.js';

const tableRow = (...cells: string[]) => `| ${cells.join(' | ')} |`;

/** A version of the public API, with its operations as lines like those of `publicOperations`. */
export interface PublicVersion {
  version: string;
  lines: string[];
}

/** The handbook's tables of the operations of versions of the public API and of Bindery's own. An operation is shown as the first of them has it. */
export function compatibilityTable(operations: AnyOperation[], versions: PublicVersion[]): string {
  const own = new Set(operations.map(({ id }) => id));
  const known = versions.map(({ version, lines }) => ({ version, operations: lines.map(publicOperation) }));
  const official = new Map<string, PublicOperation>();
  for (const each of known.flatMap((version) => version.operations))
    if (!official.has(each.id)) official.set(each.id, each);
  const sorted = [...official.values()].sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));
  const idsOf = known.map(({ operations: all }) => new Set(all.map(({ id }) => id)));
  const cellsOf = (id: string) => idsOf.map((ids) => (ids.has(id) ? (own.has(id) ? '✓' : '501') : '–'));
  const counts = known.map(({ version }, at) => {
    const ids = [...(idsOf[at] ?? [])];
    return `${ids.filter((id) => own.has(id)).length} of the ${ids.length} operations of the version ${version} of the public API`;
  });
  return [
    `Bindery has ${counts.join(', and ')}.`,
    '',
    tableRow('Operation', 'Request', ...known.map(({ version }) => version)),
    tableRow('---', '---', ...known.map(() => '---')),
    ...sorted.map(({ id, method, path }) => tableRow(`\`${id}\``, `\`${method} ${path}\``, ...cellsOf(id))),
    '',
    '## What is not there, and why',
    '',
    ...lackingTable(sorted.filter(({ id }) => !own.has(id))),
    '',
    '## Fields that are not read',
    '',
    'Operations that are there take these parameters and fields of bodies, and leave them be.',
    '',
    tableRow('Operation', 'Fields'),
    tableRow('---', '---'),
    ...Object.entries(lackingFields).map(([id, fields]) =>
      tableRow(`\`${id}\``, fields.map((field) => `\`${field}\``).join(', ')),
    ),
    '',
    '## Operations of Bindery alone',
    '',
    '| Operation | Request |',
    '| --- | --- |',
    ...operations
      .filter(({ id }) => !official.has(id))
      .map(({ id, method, path }) => tableRow(`\`${id}\``, `\`${method} ${path}\``)),
    '',
  ].join('\n');
}

function lackingTable(lacking: PublicOperation[]): string[] {
  const byFamily = groupBy(lacking, familyOf);
  return [
    tableRow('', 'Operations', 'Why'),
    tableRow('---', '---', '---'),
    ...lackingFamilies.flatMap((family) => {
      const ids = byFamily.get(family) ?? [];
      return ids.length > 0 ? [tableRow(family.name, ids.map(({ id }) => `\`${id}\``).join(', '), family.reason)] : [];
    }),
  ];
}
