import type { Element, ElementContent, Parents } from 'hast';
import { bounds } from '../bounds.js';
import { refusal } from '../refused.js';
import { codeIn } from './code.js';
import {
  blockElements,
  childrenNamed,
  elementsIn,
  firstIn,
  hasClass,
  isElement,
  newElement,
  onlyIn,
  property,
} from './elements.js';
import { taskState } from './exported/tasks.js';
import { startOf } from './lists.js';

const lineBreak = (): Element => newElement('br', {});
const text = (value: string): ElementContent => ({ type: 'text', value });

/** Makes tables what Markdown can hold: cells of lines, and not more cells than a page may have. */
export function simplifyTables(content: Parents): void {
  let cells = 0;
  for (const element of [...elementsIn(content)]) {
    if (hasClass(element, 'admonitionblock')) unwrapHint(element);
    if (element.tagName === 'table') unwrapSingle(element);
    if (!isElement(element, 'td', 'th')) continue;
    const { properties } = element;
    const wide = spanOf(properties.colSpan, 1000);
    const high = spanOf(properties.rowSpan, 1000);
    cells += wide * high;
    if (cells > bounds.cells)
      throw refusal(`url: the tables of the page have more than ${bounds.cells.toLocaleString('en')} cells`);
    const align = /(?:^|;)\s{0,9}text-align:\s{0,9}(left|center|right)/i.exec(property(element, 'style'))?.[1];
    Object.assign(properties, { colSpan: wide, rowSpan: high }, align ? { align: align.toLowerCase() } : {});
    element.children = trimBreaks(linesIn(element.children));
  }
}

/** AsciiDoc lays a hint out as a table with the icon in its first cell. */
function unwrapHint(hint: Element): void {
  const content = firstIn(hint, (each) => each.tagName === 'td' && hasClass(each, 'content'));
  if (content) hint.children = content.children;
}

/** A table of one cell only lays out a page, unless it is in another one. */
function unwrapSingle(table: Element): void {
  const cell = onlyIn(table, ({ tagName }) => cellNames.has(tagName));
  if (cell?.children.some((child) => isElement(child) && hasBlocks(child)))
    Object.assign(table, newElement('div', {}, cell.children));
}

const cellNames = new Set(['td', 'th', 'caption']);

const spanOf = (value: unknown, max: number): number => Math.min(max, Math.max(1, Number(value) || 1));

/** The content of a cell with line breaks in place of its blocks. */
function linesIn(children: ElementContent[], level = 0): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (!isElement(child) || !hasBlocks(child)) return [child];
    if (child.tagName === 'pre') return [lineBreak(), ...codeLines(child), lineBreak()];
    if (child.tagName === 'tr') return [lineBreak(), ...rowLine(child, level), lineBreak()];
    if (child.tagName === 'ul' || child.tagName === 'ol') return [lineBreak(), ...itemLines(child, level), lineBreak()];
    return [lineBreak(), ...titleOf(child), ...trimBreaks(linesIn(child.children, level)), lineBreak()];
  });
}

/** A tab has its title above it. */
const titleOf = (element: Element): ElementContent[] => {
  const title = property(element, 'dataTab');
  return title === '' ? [] : [newElement('strong', {}, [text(title)]), lineBreak()];
};

/** A row of a table in a cell. */
const rowLine = (row: Element, level: number): ElementContent[] =>
  row.children
    .filter((cell) => isElement(cell, 'td', 'th'))
    .flatMap((cell, at) => [
      ...(at > 0 ? [text(' | ')] : []),
      ...trimBreaks(linesIn((cell as Element).children, level)),
    ]);

const bullets = ['• ', '◦ ', '▪ '];

/** The items of a list in a cell, each with what stands before it. */
function itemLines(list: Element, level: number): ElementContent[] {
  let number = startOf(list);
  return childrenNamed(list, 'li').flatMap((item) => {
    const isDone = taskState(item);
    const bullet = list.tagName === 'ol' ? `${number++}. ` : (bullets[Math.min(level, 2)] as string);
    const mark = isDone === undefined ? bullet : isDone ? '☑ ' : '☐ ';
    const inside = item.children.filter((inner) => !isElement(inner, 'input'));
    return [lineBreak(), text(mark), ...trimBreaks(linesIn(inside, level + 1)), lineBreak()];
  });
}

const hasBlocks = (element: Element): boolean =>
  blockElements.has(element.tagName) || element.children.some((child) => isElement(child) && hasBlocks(child));

/** Indents would be lost at the beginning of code in a line. */
const codeLines = (pre: Element): ElementContent[] =>
  codeIn(pre)
    .value.split('\n')
    .flatMap((line, at): ElementContent[] => [
      ...(at > 0 ? [lineBreak()] : []),
      ...(line.trim() === '' ? [] : [text('\u00a0'.repeat(/^\s{0,40}/.exec(line)?.[0].length ?? 0))]),
      ...(line.trim() === '' ? [] : [newElement('code', {}, [text(line.trim())])]),
    ]);

const isSpace = (node: ElementContent) => node.type === 'text' && /^[ \t\r\n]*$/.test(node.value);

/** Without breaks at the ends, and with one where there were several. */
function trimBreaks(children: ElementContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  for (const child of children) {
    const last = kept.at(-1);
    if (isElement(child, 'br') && (last === undefined || isElement(last, 'br'))) continue;
    if (isSpace(child) && (last === undefined || isElement(last, 'br'))) continue;
    kept.push(child);
  }
  while (kept.length > 0 && (isElement(kept.at(-1), 'br') || isSpace(kept.at(-1) as ElementContent))) kept.pop();
  return kept;
}
