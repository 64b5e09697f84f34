import type { Element, ElementContent, Parents } from 'hast';
import { blockElements, elementsIn, isElement, newElement, propertyText } from './elements.js';

/** Puts what stands beside the items of a list into them, as browsers show it: only items are children of lists in our Markdown. */
export function straightenLists(content: Parents): void {
  // From the inside out, so that what an item gets is straight already.
  for (const list of [...elementsIn(content)].reverse())
    if (isElement(list, 'ul', 'ol')) list.children = collectItems(list.children);
}

function collectItems(children: readonly ElementContent[]): Element[] {
  const items: Element[] = [];
  for (const child of children.flatMap(unwrapItems).filter(isVisibleNode)) {
    const last = items.at(-1);
    const name = isElement(child) ? child.tagName : '';
    if (name === 'li') items.push(child as Element);
    else if (last) last.children.push(...(blockElements.has(name) ? [] : [newElement('br', {})]), child);
    else if (isList(child)) items.push(...((child as Element).children as Element[]));
    else items.push(newElement('li', {}, [child]));
  }
  return items;
}

/** The items of an element that only holds some, each with the link that is around them. */
function unwrapItems(child: ElementContent): ElementContent[] {
  if (!isElement(child) || child.tagName === 'li' || isList(child)) return [child];
  if (!child.children.some((each) => isElement(each, 'li'))) return [child];
  return child.children.flatMap((inner) => {
    if (!isElement(inner, 'li')) return unwrapItems(inner);
    return child.tagName === 'a' ? [{ ...inner, children: [{ ...child, children: inner.children }] }] : [inner];
  });
}

const isList = (node: ElementContent): boolean => isElement(node, 'ul', 'ol');

const isVisibleNode = (node: ElementContent): boolean =>
  isElement(node) || (node.type === 'text' && node.value.trim() !== '');

/** The number that an ordered list begins with; Markdown knows none below zero, and none of more than nine digits. */
export function startNumberOf(list: Element): number {
  const first = list.children.find((child): child is Element => isElement(child, 'li'));
  const said = Number.parseInt((first && propertyText(first, 'value')) || propertyText(list, 'start') || '1', 10);
  return said >= 0 && said < 1_000_000_000 - list.children.length ? said : 1;
}

/** The parts of a list whose items count on; an item may say its own number. */
export function splitAtOwnNumbers(list: Element): Element[] {
  const parts: Element[] = [];
  let next: number | undefined;
  for (const item of list.children) {
    const said = isElement(item) ? Number.parseInt(propertyText(item, 'value'), 10) : Number.NaN;
    const part = parts.at(-1);
    if (!part || (said >= 0 && said !== next))
      parts.push({ ...list, properties: { ...list.properties, ...(part ? { start: said } : {}) }, children: [item] });
    else part.children.push(item);
    next = (said >= 0 ? said : (next ?? startNumberOf(list))) + 1;
  }
  return parts;
}
