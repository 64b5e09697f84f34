import { renderImage } from '../inlines/images.js';
import { linkTargetOf, type ResolvedLink } from '../links.js';
import { marks } from '../marks.js';
import { type Fields, readFields, readItems, textIn } from '../read-data.js';
import { type Child, classNames, type Rendering, spendNode } from '../rendering.js';
import { cellText, renderCell } from './cells.js';
import { cellValueOf, type ShownColumn, type TableData } from './table-data.js';

/** The rows of a table as cards, each with at most one link over all of it. */
export function renderCards(rendering: Rendering, table: TableData, wide: boolean): Child {
  const { view, rows } = table;
  const names = classNames(
    'cards',
    view.cardSize === 'large' && 'large',
    view.wrap === false && 'carousel',
    wide && 'wide',
  );
  return <ul class={names}>{rows.map((row) => (spendNode(rendering) ? renderCard(rendering, table, row) : null))}</ul>;
}

function renderCard(rendering: Rendering, table: TableData, row: Fields): Child {
  const { view, columns, columnOf } = table;
  const [target, cover] = [columnOf(view.targetDefinition), columnOf(view.coverDefinition)];
  const dark = columnOf(view.coverDefinitionDark);
  const shown = columns.filter(({ id }) => id !== cover?.id && id !== dark?.id && id !== target?.id);
  const link = target && linkTargetOf(rendering, referenceOf(cellValueOf(row, target)));
  const image = coverImage(rendering, cover && cellValueOf(row, cover), dark && cellValueOf(row, dark), view);
  return (
    <li class={classNames('card', image !== null && 'with-cover')}>
      {image}
      <div class="card-body">
        {link &&
          renderCardLink(
            link,
            shown.map((column) => cellText(table, row, column)).find((text) => text !== ''),
          )}
        {shown.map((column) => renderField(rendering, table, row, column))}
      </div>
    </li>
  );
}

/** A file in a column of files, or the reference itself. */
function referenceOf(value: unknown): unknown {
  const [first] = readItems(value);
  const given = first ?? value;
  return typeof given === 'string' ? { kind: /^https?:/.test(given) ? 'url' : 'file', url: given, file: given } : given;
}

function coverImage(rendering: Rendering, light: unknown, dark: unknown, view: Fields): Child {
  const [ref, refDark] = [referenceOf(light ?? dark), referenceOf(dark)];
  if (readFields(ref).kind === undefined) return null;
  const fit = readFields(view.coverDefinitionStyle).objectFit ?? view.objectFit;
  return (
    <div class={fit === 'contain' ? 'cover contained' : 'cover'}>
      {renderImage(rendering, { ref, refDark: light === undefined || light === null ? undefined : refDark, alt: '' })}
    </div>
  );
}

/** The link over a card; its name is the text that the card begins with. */
function renderCardLink(target: ResolvedLink, name: string | undefined): Child {
  if (target.kind === 'none' || target.kind === 'broken') return null;
  const title =
    target.kind === 'page' ? textIn(target.page.title) : target.kind === 'outside' ? target.title : target.href;
  const external = target.kind === 'url' && target.external;
  return (
    // biome-ignore lint/a11y/useAnchorContent: its label is its name.
    <a
      class={external ? 'card-link external' : 'card-link'}
      href={target.href}
      rel={external ? 'noopener' : undefined}
      aria-label={name ?? (title === '' ? marks.word('open') : title)}
    />
  );
}

function renderField(rendering: Rendering, table: TableData, row: Fields, column: ShownColumn): Child {
  if (!spendNode(rendering)) return null;
  const content = renderCell(rendering, table, row, column);
  if (content === null || content === '') return null;
  const titled = column.title !== '' && table.view.hideColumnTitle !== true;
  return (
    <div class="card-field">
      {titled ? <div class="card-label">{column.title}</div> : null}
      {content}
    </div>
  );
}
