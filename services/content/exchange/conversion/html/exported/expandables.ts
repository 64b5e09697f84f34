import type { Element, ElementContent } from 'hast';
import { firstIn, hasClass, isElement, lineOf } from '../elements.js';

export interface Expandable {
  title: string;
  children: ElementContent[];
}

/** Reads an element that readers unfold: `details`, or an expand container of Confluence. */
export function expandableOf(element: Element): Expandable | undefined {
  const isDetails = element.tagName === 'details';
  if (!isDetails && !hasClass(element, 'expand-container')) return undefined;
  const control = element.children.find(
    (child): child is Element => isElement(child) && (isDetails ? isElement(child, 'summary') : isControl(child)),
  );
  const text = control && firstIn(control, (each) => hasClass(each, 'expand-control-text'));
  return {
    title: control ? lineOf(text ?? control) : '',
    children: element.children.filter((child) => child !== control),
  };
}

const isControl = (element: Element): boolean => hasClass(element, 'expand-control');
