import type { Element, ElementContent, Parents } from 'hast';
import { bounds } from '../bounds.js';
import { refused } from '../refused.js';
import { elementsIn, isElement, rawText } from './elements.js';
import { taskState } from './exported/tasks.js';

const blocks = new Set(
  'p div section article ul ol dl blockquote pre table tr h1 h2 h3 h4 h5 h6 li dt dd hr figure details'.split(' '),
);
const lineBreak = (): Element => ({ type: 'element', tagName: 'br', properties: {}, children: [] });
const text = (value: string): ElementContent => ({ type: 'text', value });

/** Makes tables what Markdown can hold: cells of lines, and not more cells than a page may have. */
export function simplifyTables(content: Parents): void {
  let cells = 0;
  for (const element of [...elementsIn(content)]) {
    if (!isElement(element, 'td', 'th')) continue;
    const { properties } = element;
    const wide = spanOf(properties.colSpan, 1000);
    const high = spanOf(properties.rowSpan, 1000);
    cells += wide * high;
    if (cells > bounds.cells)
      throw refused(`url: the tables of the page have more than ${bounds.cells.toLocaleString('en')} cells`);
    Object.assign(properties, { colSpan: wide, rowSpan: high });
    element.children = trimmed(linesIn(element.children));
  }
}

const spanOf = (value: unknown, most: number): number => Math.min(most, Math.max(1, Number(value) || 1));

/** The content of a cell with line breaks in place of its blocks. */
function linesIn(children: ElementContent[]): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (!isElement(child) || !hasBlocks(child)) return [child];
    if (child.tagName === 'pre') return [lineBreak(), ...codeLines(child), lineBreak()];
    const inside = linesIn(child.children.filter((inner) => !isElement(inner, 'input')));
    const mark = child.tagName === 'li' ? [text(markOf(child))] : [];
    return [lineBreak(), ...mark, ...trimmed(inside), lineBreak()];
  });
}

/** What stands before an item of a list. */
function markOf(item: Element): string {
  const isDone = taskState(item);
  return isDone === undefined ? '• ' : isDone ? '☑ ' : '☐ ';
}

const hasBlocks = (element: Element): boolean =>
  blocks.has(element.tagName) || element.children.some((child) => isElement(child) && hasBlocks(child));

const codeLines = (pre: Element): ElementContent[] =>
  rawText(pre)
    .replace(/\n+$/, '')
    .split('\n')
    .flatMap((line, at) => [
      ...(at > 0 ? [lineBreak()] : []),
      { type: 'element' as const, tagName: 'code', properties: {}, children: [text(line)] as ElementContent[] },
    ]);

const isSpace = (node: ElementContent) => node.type === 'text' && node.value.trim() === '';

/** Without breaks at the ends, and with one where there were several. */
function trimmed(children: ElementContent[]): ElementContent[] {
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
