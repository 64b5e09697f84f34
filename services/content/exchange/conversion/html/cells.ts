import type { Element, ElementContent, Parents } from 'hast';
import { bounds } from '../bounds.js';
import { refusal } from '../refused.js';
import { readCode } from './code.js';
import {
  blockElements,
  childElements,
  elementsIn,
  findElement,
  findOnlyElement,
  hasClass,
  isElement,
  newElement,
  propertyText,
} from './elements.js';
import { taskState } from './exported/tasks.js';
import { startNumberOf } from './lists.js';

const newLineBreak = (): Element => newElement('br', {});
const newText = (value: string): ElementContent => ({ type: 'text', value });

/** Makes tables what Markdown can hold: cells of lines, and not more cells than a page may have. */
export function simplifyTables(content: Parents): void {
  let cells = 0;
  for (const element of [...elementsIn(content)]) {
    if (hasClass(element, 'admonitionblock')) unwrapHint(element);
    if (element.tagName === 'table') unwrapSingleCell(element);
    if (!isElement(element, 'td', 'th')) continue;
    const { properties } = element;
    const wide = readSpan(properties.colSpan, 1000);
    const high = readSpan(properties.rowSpan, 1000);
    cells += wide * high;
    if (cells > bounds.cells)
      throw refusal(`url: the tables of the page have more than ${bounds.cells.toLocaleString('en')} cells`);
    const align = /(?:^|;)\s{0,9}text-align:\s{0,9}(left|center|right)/i.exec(propertyText(element, 'style'))?.[1];
    Object.assign(properties, { colSpan: wide, rowSpan: high }, align ? { align: align.toLowerCase() } : {});
    element.children = trimBreaks(breakIntoLines(element.children));
  }
}

/** AsciiDoc lays a hint out as a table with the icon in its first cell. */
function unwrapHint(hint: Element): void {
  const content = findElement(hint, (each) => each.tagName === 'td' && hasClass(each, 'content'));
  if (content) hint.children = content.children;
}

/** A table of one cell only lays out a page, unless it is in another one. */
function unwrapSingleCell(table: Element): void {
  const cell = findOnlyElement(table, ({ tagName }) => cellNames.has(tagName));
  if (cell?.children.some((child) => isElement(child) && hasBlocks(child)))
    Object.assign(table, newElement('div', {}, cell.children));
}

const cellNames = new Set(['td', 'th', 'caption']);

const readSpan = (value: unknown, max: number): number => Math.min(max, Math.max(1, Number(value) || 1));

/** The content of a cell with line breaks in place of its blocks. */
function breakIntoLines(children: ElementContent[], level = 0): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (!isElement(child) || !hasBlocks(child)) return [child];
    if (child.tagName === 'pre') return [newLineBreak(), ...codeWithBreaks(child), newLineBreak()];
    if (child.tagName === 'tr') return [newLineBreak(), ...rowLine(child, level), newLineBreak()];
    if (child.tagName === 'ul' || child.tagName === 'ol')
      return [newLineBreak(), ...itemLines(child, level), newLineBreak()];
    return [
      newLineBreak(),
      ...tabTitleLine(child),
      ...trimBreaks(breakIntoLines(child.children, level)),
      newLineBreak(),
    ];
  });
}

/** A tab has its title above it. */
const tabTitleLine = (element: Element): ElementContent[] => {
  const title = propertyText(element, 'dataTab');
  return title === '' ? [] : [newElement('strong', {}, [newText(title)]), newLineBreak()];
};

/** A row of a table in a cell. */
const rowLine = (row: Element, level: number): ElementContent[] =>
  row.children
    .filter((cell) => isElement(cell, 'td', 'th'))
    .flatMap((cell, at) => [
      ...(at > 0 ? [newText(' | ')] : []),
      ...trimBreaks(breakIntoLines((cell as Element).children, level)),
    ]);

const bullets = ['• ', '◦ ', '▪ '];

/** The items of a list in a cell, each with what stands before it. */
function itemLines(list: Element, level: number): ElementContent[] {
  let number = startNumberOf(list);
  return childElements(list, 'li').flatMap((item) => {
    const isDone = taskState(item);
    const bullet = list.tagName === 'ol' ? `${number++}. ` : (bullets[Math.min(level, 2)] as string);
    const mark = isDone === undefined ? bullet : isDone ? '☑ ' : '☐ ';
    const inside = item.children.filter((inner) => !isElement(inner, 'input'));
    return [newLineBreak(), newText(mark), ...trimBreaks(breakIntoLines(inside, level + 1)), newLineBreak()];
  });
}

const hasBlocks = (element: Element): boolean =>
  blockElements.has(element.tagName) || element.children.some((child) => isElement(child) && hasBlocks(child));

/** Indents would be lost at the beginning of code in a line. */
const codeWithBreaks = (pre: Element): ElementContent[] =>
  readCode(pre)
    .value.split('\n')
    .flatMap((line, at): ElementContent[] => [
      ...(at > 0 ? [newLineBreak()] : []),
      ...(line.trim() === '' ? [] : [newText('\u00a0'.repeat(/^\s{0,40}/.exec(line)?.[0].length ?? 0))]),
      ...(line.trim() === '' ? [] : [newElement('code', {}, [newText(line.trim())])]),
    ]);

const isSpaceText = (node: ElementContent) => node.type === 'text' && /^[ \t\r\n]*$/.test(node.value);

/** Without breaks at the ends, and with one where there were several. */
function trimBreaks(children: ElementContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  for (const child of children) {
    const last = kept.at(-1);
    if (isElement(child, 'br') && (last === undefined || isElement(last, 'br'))) continue;
    if (isSpaceText(child) && (last === undefined || isElement(last, 'br'))) continue;
    kept.push(child);
  }
  while (kept.length > 0 && (isElement(kept.at(-1), 'br') || isSpaceText(kept.at(-1) as ElementContent))) kept.pop();
  return kept;
}
