import type { Element, ElementContent, Parents } from 'hast';
import { hasClass, isElement, newElement, propertyText, textInOneLine } from './elements.js';

/** Levels of elements between a set of tabs and what it holds. */
const maxDepth = 3;

/**
 * Makes sets of tabs elements of their own, of which a reader sees one tab at a time: those of ARIA, as Docusaurus, Starlight and others
 * write them, of MkDocs, Sphinx and VitePress.
 */
export function groupTabs(parent: Parents): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    const tabs = findTabs(child);
    if (tabs) Object.assign(child, newElement('div', { dataTabs: true }, tabs));
    groupTabs(child);
  }
}

/** The tabs that `groupTabs` made of an element; undefined for another one. */
export const tabsOf = (element: Element): Element[] | undefined =>
  element.properties.dataTabs === true
    ? element.children.filter((child): child is Element => isElement(child))
    : undefined;

function findTabs(element: Element): Element[] | undefined {
  const isSet = hasClass(element, 'tabbed-set', 'sd-tab-set', 'tab-set', 'vp-code-group');
  if (!isSet && !outermostElements(element, isTabList).length) return undefined;
  const titles = isSet
    ? outermostElements(element, ({ tagName }) => tagName === 'label')
    : outermostElements(element, isTabList).flatMap((list) =>
        outermostElements(list, (each) => propertyText(each, 'role') === 'tab'),
      );
  const panels = isSet
    ? tabPanelsOf(element)
    : outermostElements(element, (each) => propertyText(each, 'role') === 'tabpanel');
  if (titles.length === 0 || titles.length !== panels.length) return undefined;
  return panels.map((panel, at) =>
    newElement('div', { dataTab: textInOneLine(titles[at] as Element) || 'Tab' }, panel.children as ElementContent[]),
  );
}

const isTabList = (element: Element): boolean => propertyText(element, 'role') === 'tablist';

function tabPanelsOf(set: Element): Element[] {
  const blocks = outermostElements(set, (each) => hasClass(each, 'tabbed-block'));
  if (blocks.length > 0) return blocks;
  const [group] = outermostElements(set, (each) => hasClass(each, 'blocks'));
  if (group) return group.children.filter((child): child is Element => isElement(child));
  return outermostElements(set, (each) => hasClass(each, 'tabbed-content', 'sd-tab-content', 'tab-content'));
}

/** The elements that pass, and are in no other one that passes. */
function outermostElements(parent: Element, test: (element: Element) => boolean, level = 1): Element[] {
  return parent.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (test(child)) return [child];
    return level < maxDepth ? outermostElements(child, test, level + 1) : [];
  });
}
