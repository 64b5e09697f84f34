import type { Element, ElementContent, Parents } from 'hast';
import { hasClass, isElement, lineOf, newElement, property } from './elements.js';

/** Levels of elements between a set of tabs and what it holds. */
const maxDepth = 3;

/**
 * Makes sets of tabs elements of their own, of which a reader sees one tab at a time: those of ARIA, as Docusaurus, Starlight and others
 * write them, of MkDocs, Sphinx and VitePress.
 */
export function joinTabs(parent: Parents): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    const tabs = tabsIn(child);
    if (tabs) Object.assign(child, newElement('div', { dataTabs: true }, tabs));
    joinTabs(child);
  }
}

/** The tabs that `joinTabs` made of an element; undefined for another one. */
export const tabsOf = (element: Element): Element[] | undefined =>
  element.properties.dataTabs === true
    ? element.children.filter((child): child is Element => isElement(child))
    : undefined;

function tabsIn(element: Element): Element[] | undefined {
  const isSet = hasClass(element, 'tabbed-set', 'sd-tab-set', 'tab-set', 'vp-code-group');
  if (!isSet && !outermost(element, isTabList).length) return undefined;
  const titles = isSet
    ? outermost(element, ({ tagName }) => tagName === 'label')
    : outermost(element, isTabList).flatMap((list) => outermost(list, (each) => property(each, 'role') === 'tab'));
  const panels = isSet ? panelsOf(element) : outermost(element, (each) => property(each, 'role') === 'tabpanel');
  if (titles.length === 0 || titles.length !== panels.length) return undefined;
  return panels.map((panel, at) =>
    newElement('div', { dataTab: lineOf(titles[at] as Element) || 'Tab' }, panel.children as ElementContent[]),
  );
}

const isTabList = (element: Element): boolean => property(element, 'role') === 'tablist';

function panelsOf(set: Element): Element[] {
  const blocks = outermost(set, (each) => hasClass(each, 'tabbed-block'));
  if (blocks.length > 0) return blocks;
  const [group] = outermost(set, (each) => hasClass(each, 'blocks'));
  if (group) return group.children.filter((child): child is Element => isElement(child));
  return outermost(set, (each) => hasClass(each, 'tabbed-content', 'sd-tab-content', 'tab-content'));
}

/** The elements that pass, and are in no other one that passes. */
function outermost(parent: Element, test: (element: Element) => boolean, level = 1): Element[] {
  return parent.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (test(child)) return [child];
    return level < maxDepth ? outermost(child, test, level + 1) : [];
  });
}
