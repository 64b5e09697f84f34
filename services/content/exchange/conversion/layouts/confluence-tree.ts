import type { Element, Parents } from 'hast';
import { folderOf, joinPath, percentDecode } from '../../../format/space/paths.js';
import { childElements, isElement, parseHtml, propertyText, textInOneLine } from '../html/elements.js';
import type { ArchivePage } from '../model.js';

export interface ConfluenceIndex {
  html: string;
  path: string;
  /** Whether there is such a page. */
  has: (path: string) => boolean;
}

/** The tree of pages that the index of a space export of Confluence lists. */
export function readConfluenceTree({ html, path, has }: ConfluenceIndex): ArchivePage[] {
  const listed = new Set<string>();
  const pageOf = (item: Element): ArchivePage[] => {
    const [link] = childElements(item, 'a');
    const target =
      link && joinPath(folderOf(path), percentDecode(propertyText(link, 'href').split(/[#?]/, 1)[0] as string));
    const children = childElements(item, 'ul').flatMap(pagesIn);
    if (!link || target === undefined || !has(target) || listed.has(target)) return children;
    listed.add(target);
    return [{ path: target, title: textInOneLine(link).slice(0, 255), name: textInOneLine(link), children }];
  };
  const pagesIn = (list: Element): ArchivePage[] => childElements(list, 'li').flatMap(pageOf);
  return [...outerLists(parseHtml(html))].flatMap(pagesIn);
}

/** The lists that are in no other one. */
function* outerLists(parent: Parents): Generator<Element> {
  for (const child of parent.children) {
    if (isElement(child, 'ul')) yield child;
    else if (isElement(child)) yield* outerLists(child);
  }
}
