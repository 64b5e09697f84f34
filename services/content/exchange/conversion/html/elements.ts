import type { Element, ElementContent, Nodes, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { defaultTreeAdapter, parse } from 'parse5';
import { bounds } from '../bounds.js';
import { refusal } from '../refused.js';

/** Parses an HTML page. Throws 422 for one that nests too deep or has too many elements, before either costs much. */
export function parseHtml(text: string): Root {
  let levels = 0;
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...element) {
      if (++elements > bounds.elements)
        throw refusal(`url: the page has more than ${bounds.elements.toLocaleString('en')} elements`);
      return defaultTreeAdapter.createElement(...element);
    },
    onItemPush() {
      if (++levels > bounds.levels)
        throw refusal(`url: the page nests elements more than ${bounds.levels} levels deep`);
    },
    onItemPop() {
      levels--;
    },
  };
  return fromParse5(parse(text, { treeAdapter, scriptingEnabled: false })) as Root;
}

export const newElement = (
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[] = [],
): Element => ({ type: 'element', tagName, properties, children });

export const isElement = (node: Nodes | undefined, ...names: string[]): node is Element =>
  node?.type === 'element' && (names.length === 0 || names.includes(node.tagName));

export const isHeading = (node: Nodes): node is Element => isElement(node, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6');

export const childElements = (parent: Parents, name: string): Element[] =>
  (parent.children as Nodes[]).filter((child): child is Element => isElement(child, name));

/** The elements inside, in their order. */
export function* elementsIn(parent: Parents): Generator<Element> {
  // Generators that call themselves would cost their depth for each element.
  const open: Nodes[] = parent.children.toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    if (!isElement(next)) continue;
    yield next;
    for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as Nodes);
  }
}

export function findElement(parent: Parents, test: (element: Element) => boolean): Element | undefined {
  for (const element of elementsIn(parent)) if (test(element)) return element;
  return undefined;
}

/** The only one; undefined where there are more. */
export function findOnlyElement(parent: Parents, test: (element: Element) => boolean): Element | undefined {
  let found: Element | undefined;
  for (const element of elementsIn(parent)) {
    if (!test(element)) continue;
    if (found) return undefined;
    found = element;
  }
  return found;
}

export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : [];

export const hasClass = (element: Element, ...names: string[]): boolean =>
  classesOf(element).some((name) => names.includes(name));

export const propertyText = ({ properties }: Element, name: string): string => {
  const value = properties[name];
  return value === null || value === undefined || value === false
    ? ''
    : Array.isArray(value)
      ? value.join(' ')
      : String(value);
};

/** A length that the style of an element gives, as in `50%` or `320px`; '' for none. */
export function lengthInStyle(element: Element, name: 'width'): string {
  const [, number = '', unit = ''] =
    new RegExp(`(?:^|;)\\s{0,9}${name}:\\s{0,9}(\\d{1,4}(?:\\.\\d{1,2})?)\\d{0,20}(px|%)`, 'i').exec(
      propertyText(element, 'style'),
    ) ?? [];
  return number + unit;
}

/** The text of an element, as it is written. */
export function textAsWritten(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (isElement(node, 'br')) return '\n';
  return 'children' in node ? node.children.map(textAsWritten).join('') : '';
}

/** Elements that begin a line of their own. */
export const blockElements = new Set(
  'p div section article header ul ol dl blockquote pre table tr td th h1 h2 h3 h4 h5 h6 li dt dd hr figure figcaption details'.split(
    ' ',
  ),
);

/** The text of an element in one line. */
export const textInOneLine = (node: Nodes): string => textWithSpaces(node).replace(/\s+/g, ' ').trim();

function textWithSpaces(node: Nodes): string {
  if (!('children' in node)) return node.type === 'text' ? node.value : '';
  if (node.type === 'element' && node.tagName === 'br') return ' ';
  const text = node.children.map(textWithSpaces).join('');
  return node.type === 'element' && blockElements.has(node.tagName) ? ` ${text} ` : text;
}

/** Keeps the children that pass, here and below. */
export function removeUnlessKept(parent: Parents, keep: (element: Element) => boolean): void {
  parent.children = parent.children.filter((child) => !isElement(child) || keep(child)) as typeof parent.children;
  for (const child of parent.children) if (isElement(child)) removeUnlessKept(child, keep);
}
