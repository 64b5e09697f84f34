import type { Element, ElementContent } from 'hast';
import { hasClass, isElement, lengthInStyle } from '../elements.js';

export interface Column {
  /** As in `50%`; '' where nothing is said. */
  width: string;
  children: ElementContent[];
}

/** Class names that Confluence and Notion give to rows of columns, and to the columns in them. */
const families = [
  { row: 'columnLayout', column: 'cell' },
  { row: 'sectionMacroRow', column: 'columnMacro' },
  { row: 'column-list', column: 'column' },
] as const;

/** The columns that an element lays out side by side; undefined for one column, and for what is none. */
export function readColumns(element: Element): Column[] | undefined {
  const family = families.find(({ row }) => hasClass(element, row));
  if (!family) return undefined;
  const columns = element.children.filter(
    (child): child is Element => isElement(child) && hasClass(child, family.column),
  );
  return columns.length > 1
    ? columns.map((column) => ({ width: lengthInStyle(column, 'width'), children: column.children }))
    : undefined;
}
