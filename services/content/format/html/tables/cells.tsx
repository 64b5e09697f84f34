import { iconSvg } from '../../../../../shared/icons/icons.js';
import { renderTight } from '../blocks/text-blocks.js';
import { renderImage } from '../inlines/images.js';
import { titleOfTarget, wrapInLink } from '../inlines/inlines.js';
import { colorName } from '../inlines/leaves.js';
import { fileTarget, linkTargetOf } from '../links.js';
import { marks } from '../marks.js';
import { type Fields, lineOfText, readFields, readItems, readWhole, textIn, textsIn } from '../read-data.js';
import { type Child, classNames, outsidePosition, type Rendering } from '../rendering.js';
import { cellValueOf, type ShownColumn, type TableData } from './table-data.js';

/** What a cell shows; null for an empty one. */
export function renderCell(rendering: Rendering, table: TableData, row: Fields, column: ShownColumn): Child {
  const value = cellValueOf(row, column);
  if (value === undefined || value === null) return null;
  switch (column.type) {
    case 'number':
      return textIn(value);
    case 'checkbox':
      return renderCheck(value === true || value === 'true');
    case 'rating':
      return renderRating(value, column.definition);
    case 'select':
      return renderChips(value, column.definition);
    case 'files':
      return list(readItems(value).map((file) => renderFile(rendering, textIn(file))));
    case 'users':
      return list(textsIn(value).map((user) => renderUser(rendering, user)));
    case 'content-ref':
      return typeof value === 'string' ? textIn(value) : renderReference(rendering, value);
    case 'image':
      return typeof value === 'string' ? textIn(value) : renderCellImage(rendering, value, '');
    default: {
      const nodes = table.cells.get(textIn(value));
      return nodes ? renderTight(rendering, nodes) : textIn(value);
    }
  }
}

const list = (parts: Child[]): Child =>
  parts.length > 1 ? (
    <ul class="cell-list">
      {parts.map((part) => (
        <li>{part}</li>
      ))}
    </ul>
  ) : (
    parts
  );

const renderCheck = (checked: boolean): Child => (
  <span
    class={checked ? 'check checked' : 'check'}
    role="img"
    aria-label={marks.word(checked ? 'checked' : 'unchecked')}
  >
    {iconSvg(checked ? 'square-check' : 'square', checked ? 'solid' : 'regular')}
  </span>
);

const maxStars = 10;

function renderRating(value: unknown, { max }: Fields): Child {
  const most = readWhole(max, 1, maxStars) ?? 5;
  const given = Number(value);
  if (!(given >= 0)) return textIn(value);
  const stars = Math.min(Math.round(given), most);
  return (
    <span class="rating" role="img" aria-label={marks.word('rating', `${given}|${most}`)}>
      {'★'.repeat(stars)}
      <span class="unrated">{'☆'.repeat(most - stars)}</span>
    </span>
  );
}

function renderChips(value: unknown, { options }: Fields): Child {
  const chosen = typeof value === 'string' ? [value] : textsIn(value);
  const known = readItems(options).map(readFields);
  return list(
    chosen.map((name) => {
      const option = known.find((each) => each.value === name);
      return renderChip(textIn(option?.label) || textIn(name), option?.color);
    }),
  );
}

/** A label in a color of the document. */
export function renderChip(label: string, color: unknown): Child {
  const name = colorName(color);
  return <span class={classNames('chip', name && `text-${name}`, name && `back-${name}`)}>{label}</span>;
}

function renderFile(rendering: Rendering, id: string): Child {
  const target =
    fileTarget(rendering, id) ?? linkTargetOf(rendering, { kind: 'url', url: /^https?:/.test(id) ? id : '' });
  if (target.kind === 'file' && target.file.contentType.startsWith('image/'))
    return wrapInLink(target, renderCellImage(rendering, { kind: 'file', file: id }, textIn(target.file.name)));
  if (target.kind === 'none') return wrapInLink({ kind: 'broken' }, marks.word('file'));
  return wrapInLink(target, [iconSvg('file-lines', rendering.icons), titleOfTarget(rendering, target)], 'cell-file');
}

function renderUser(rendering: Rendering, user: string): Child {
  const position = outsidePosition(rendering, { kind: 'user', user });
  return <span class="mention">{marks.outsideTitle(position)}</span>;
}

function renderReference(rendering: Rendering, ref: unknown): Child {
  const target = linkTargetOf(rendering, ref);
  return target.kind === 'none' ? null : wrapInLink(target, titleOfTarget(rendering, target));
}

const renderCellImage = (rendering: Rendering, ref: unknown, alt: string): Child =>
  renderImage(rendering, { ref, alt, class: 'cell-image' });

const maxName = 200;

/** The text of a cell on one line; empty where it has none. */
export function cellText(table: TableData, row: Fields, column: ShownColumn): string {
  const value = cellValueOf(row, column);
  if (column.type !== 'text' || value === undefined || value === null) return '';
  const nodes = table.cells.get(textIn(value));
  return nodes ? lineOfText(nodes, maxName) : textIn(value).slice(0, maxName);
}
