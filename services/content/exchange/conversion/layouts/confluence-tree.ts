import type { Element, Parents } from 'hast';
import { folderOf, joinPath, percentDecode } from '../../../format/space/paths.js';
import { childrenNamed, isElement, lineOf, parseHtml, property } from '../html/elements.js';
import type { ArchivePage } from '../model.js';

export interface ConfluenceIndex {
  html: string;
  path: string;
  /** Whether there is such a page. */
  has: (path: string) => boolean;
}

/** The tree of pages that the index of a space export of Confluence lists. */
export function confluenceTree({ html, path, has }: ConfluenceIndex): ArchivePage[] {
  const listed = new Set<string>();
  const pageOf = (item: Element): ArchivePage[] => {
    const [link] = childrenNamed(item, 'a');
    const target =
      link && joinPath(folderOf(path), percentDecode(property(link, 'href').split(/[#?]/, 1)[0] as string));
    const children = childrenNamed(item, 'ul').flatMap(pagesIn);
    if (!link || target === undefined || !has(target) || listed.has(target)) return children;
    listed.add(target);
    return [{ path: target, title: lineOf(link).slice(0, 255), name: lineOf(link), children }];
  };
  const pagesIn = (list: Element): ArchivePage[] => childrenNamed(list, 'li').flatMap(pageOf);
  return [...outerLists(parseHtml(html))].flatMap(pagesIn);
}

/** The lists that are in no other one. */
function* outerLists(parent: Parents): Generator<Element> {
  for (const child of parent.children) {
    if (isElement(child, 'ul')) yield child;
    else if (isElement(child)) yield* outerLists(child);
  }
}
