import type { Element, ElementContent } from 'hast';
import { findElement, hasClass, isElement, textInOneLine } from '../elements.js';

export interface Expandable {
  title: string;
  children: ElementContent[];
}

/** Reads an element that readers unfold: `details`, or an expand container of Confluence. */
export function readExpandable(element: Element): Expandable | undefined {
  const isDetails = element.tagName === 'details';
  if (!isDetails && !hasClass(element, 'expand-container')) return undefined;
  const control = element.children.find(
    (child): child is Element => isElement(child) && (isDetails ? isElement(child, 'summary') : isExpandControl(child)),
  );
  const text = control && findElement(control, (each) => hasClass(each, 'expand-control-text'));
  return {
    title: control ? textInOneLine(text ?? control) : '',
    children: element.children.filter((child) => child !== control),
  };
}

const isExpandControl = (element: Element): boolean => hasClass(element, 'expand-control');
