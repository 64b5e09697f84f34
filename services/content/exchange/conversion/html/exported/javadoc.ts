import type { Element, ElementContent, Parents } from 'hast';
import { elementsIn, hasClass, isElement, newElement } from '../elements.js';

/** Lists that only lay out a page. */
const layout = ['summary-list', 'details-list', 'member-list', 'blockList', 'blockListLast'];

/** Makes tables of what Javadoc lays out as such, and takes off the lists around its sections. */
export function normalizeJavadoc(root: Parents): void {
  // From the inside out, so that what a list holds is a table already.
  for (const parent of [root, ...elementsIn(root)].reverse()) {
    if (!(parent.children as ElementContent[]).some(isLaidOutAsTable)) continue;
    parent.children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] =>
      isElement(child) && hasClass(child, 'summary-table') ? [gridToTable(child)] : unwrapLayoutList(child),
    );
  }
}

const isLaidOutAsTable = (node: ElementContent): boolean =>
  isElement(node) && hasClass(node, 'summary-table', ...layout);

const unwrapLayoutList = (node: ElementContent): ElementContent[] =>
  isElement(node, 'ul') && hasClass(node, ...layout)
    ? node.children.flatMap((item) => (isElement(item, 'li') ? item.children.flatMap(unwrapLayoutList) : [item]))
    : [node];

/** A grid of as many columns as it has heads. */
function gridToTable(grid: Element): Element {
  const cells = grid.children.filter((child): child is Element => isElement(child));
  const width = cells.filter((cell) => hasClass(cell, 'table-header')).length || 1;
  const rows: Element[] = [];
  for (const [at, cell] of cells.entries()) {
    const isHead = hasClass(cell, 'table-header');
    if (at % width === 0) rows.push(newElement('tr', {}));
    rows.at(-1)?.children.push({ ...cell, tagName: isHead ? 'th' : 'td' });
  }
  return newElement('table', {}, rows);
}
