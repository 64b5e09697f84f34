import type { BlockNode } from '../../document/document-model.js';
import { alignClass } from '../blocks/text-blocks.js';
import { marks } from '../marks.js';
import { entryOf, readFields } from '../read-data.js';
import { type Child, classNames, type Rendering, spendNode } from '../rendering.js';
import { renderCards } from './cards.js';
import { renderCell } from './cells.js';
import { readTable, type ShownColumn, type TableData } from './table-data.js';

export function renderTable(rendering: Rendering, node: BlockNode): Child {
  const table = readTable(node);
  const wide = readFields(node.data).fullWidth === true;
  return table.view.type === 'cards' ? renderCards(rendering, table, wide) : renderGrid(rendering, table, wide);
}

function renderGrid(rendering: Rendering, table: TableData, wide: boolean): Child {
  const { view, columns, rows } = table;
  if (columns.length === 0) return null;
  const names = classNames(
    'table-wrap',
    wide && 'wide',
    view.stickyHeader === true && 'sticky-header',
    view.stickyFirstColumn === true && 'sticky-column',
  );
  const cellClasses = columns.map(cellClass);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that scrolls is no set of fields, and regions would need names of their own.
    <div class={names} tabindex={0} role="group" aria-label={marks.word('table')}>
      <table>
        {renderWidths(table)}
        {renderHead(table, cellClasses)}
        <tbody>
          {rows.map((row) =>
            spendNode(rendering) ? (
              <tr>
                {columns.map((column, at) => (
                  <td class={cellClasses[at]}>
                    {spendNode(rendering) ? renderCell(rendering, table, row, column) : null}
                  </td>
                ))}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </div>
  );
}

function cellClass({ type, definition }: ShownColumn): string | undefined {
  const { textAlignment, verticalAlignment } = definition;
  const placed = verticalAlignment === 'middle' || verticalAlignment === 'bottom';
  return classNames(
    alignClass(textAlignment),
    placed && `place-${verticalAlignment}`,
    (type === 'number' || type === 'rating' || type === 'checkbox') && `cell-${type}`,
  );
}

/** The titles of the columns, for readers of screens also where the document hides them. */
function renderHead({ view, columns }: TableData, cellClasses: (string | undefined)[]): Child {
  if (columns.every(({ title }) => title === '')) return null;
  return (
    <thead class={view.hideHeader === true ? 'visually-hidden' : undefined}>
      <tr>
        {columns.map(({ title }, at) =>
          title === '' ? (
            <td />
          ) : (
            <th scope="col" class={cellClasses[at]}>
              {title}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

const pixelsOfStep = 40;
const maxSteps = 20;

/** The widths of columns in steps of 40 pixels. */
function renderWidths({ view, columns }: TableData): Child {
  const widths = readFields(view.columnWidths);
  const steps = columns.map(({ id }) => {
    const width = Number(entryOf(widths, id));
    return width > 0 ? Math.min(Math.max(Math.round(width / pixelsOfStep), 1), maxSteps) : undefined;
  });
  if (steps.every((step) => step === undefined)) return null;
  return (
    <colgroup>
      {steps.map((step) => (
        <col class={step === undefined ? undefined : `col-${step}`} />
      ))}
    </colgroup>
  );
}
