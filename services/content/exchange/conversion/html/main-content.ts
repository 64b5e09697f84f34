import type { Element, Nodes, Root } from 'hast';
import { readAdmonition } from './admonitions.js';
import {
  classesOf,
  elementsIn,
  findElement,
  findOnlyElement,
  hasClass,
  isElement,
  isHeading,
  propertyText,
  removeUnlessKept,
  textInOneLine,
} from './elements.js';
import { findConfluenceContent } from './exported/confluence-page.js';
import { placeHeadingIds } from './heading-ids.js';

const never = new Set(
  'script style noscript template nav button form dialog svg canvas select textarea object embed link meta title head'.split(
    ' ',
  ),
);
/** Whether an element shows no text of a page. */
export const isNeverContent = ({ tagName }: Element): boolean => never.has(tagName);

/** Class names that themes of documentation sites give to parts of a page outside its content. */
const furniture = new Set(
  (
    'headerlink hash-link anchorjs-link header-anchor heading-anchor sl-anchor-link breadcrumb breadcrumbs pagination-nav ' +
    'toc table-of-contents tableOfContents theme-doc-toc-mobile theme-doc-breadcrumbs theme-doc-footer sr-only ' +
    'visually-hidden screen-reader-text skip-link sidebar sidebar-wrapper nav-wrapper mobile-nav-chapters nav-chapters ' +
    'edit-page-link md-source-file copybutton clipboard-copy navheader navfooter toc-macro collapse-source ' +
    'page-header-icon page-cover-image mw-editsection mw-jump-link mw-indicators catlinks printfooter'
  ).split(' '),
);
const contentClasses = ['markdown-body', 'theme-doc-markdown', 'vp-doc', 'md-content__inner', 'sl-markdown-content'];
const contentIds = ['main-content', 'content', 'main'];
/** The images that Confluence has for bullets and arrows. */
const drawnBullet = /(?:^|\/)images\/icons\/(?:bullet|grey_arrow)_\w{1,40}\.(?:gif|png)$/;

/** The content of a page without its navigation, scripts, styles and title. */
export interface MainContent {
  content: Element | Root;
  title: string | undefined;
  /** Where ids are that no heading has: the anchor of a heading, or '' for the beginning of the page. */
  ids: Map<string, string>;
}

/** Finds the content of a page: what it marks as such, else its whole body. */
export function findMainContent(root: Root): MainContent {
  const body = findElement(root, ({ tagName }) => tagName === 'body') ?? root;
  const exported = findConfluenceContent(body);
  const content = exported?.content ?? findMarkedContent(body) ?? body;
  const outside = findOnlyElement(body, isTopHeading);
  const said = textInOneLine(findElement(root, ({ tagName }) => tagName === 'title') ?? { type: 'text', value: '' });
  const isWhole = content === body;
  keepQuoteSources(content);
  removeUnlessKept(content, (element) => isContentElement(element, isWhole));
  const { heading, title } = exported?.title ? { title: exported.title } : findTitle(content, { outside, said });
  const ids = new Map<string, string>();
  if (heading) {
    for (const id of placeHeadingIds({ type: 'root', children: [{ ...heading, tagName: 'div' }] }).keys())
      ids.set(id, '');
    heading.children = [];
    removeUnlessKept(content, (element) => element !== heading);
  }
  deepenHeadings(content);
  for (const [id, place] of placeHeadingIds(content)) ids.set(id, place);
  return { content, title: title || undefined, ids };
}

/** The title of a page, and the heading that says it. The only top heading outside of its content may be that of the whole website. */
function findTitle(
  content: Element | Root,
  { outside, said }: { outside: Element | undefined; said: string },
): { heading?: Element; title: string } {
  const top = findElement(content, (element) => isTopHeading(element) && textInOneLine(element) !== '');
  if (top) return { heading: top, title: textInOneLine(top) };
  const other = outside ? textInOneLine(outside) : '';
  const isSite = other !== '' && said.length > other.length && said.endsWith(other);
  if (other !== '' && !isSite) return { title: other };
  const first = findElement(content, isHeading);
  if (first && said.startsWith(textInOneLine(first)) && isFirstContent(content, first))
    return { heading: first, title: textInOneLine(first) };
  return { title: isSite ? said.slice(0, -other.length).replace(/[\s|·•:–—-]+$/, '') || said : said };
}

/** Whether nothing is said before a heading. */
function isFirstContent(content: Nodes, heading: Element): boolean {
  const first = (node: Nodes): Nodes | undefined => {
    if (node === heading || isElement(node, 'img') || (node.type === 'text' && node.value.trim() !== '')) return node;
    if ('children' in node)
      for (const child of node.children) {
        const found = first(child);
        if (found) return found;
      }
    return undefined;
  };
  return first(content) === heading;
}

const isTopHeading = ({ tagName }: Element): boolean => tagName === 'h1';

/** Below the title there is no other heading of the first level: all go one level down. */
function deepenHeadings(content: Element | Root): void {
  if (!findElement(content, isTopHeading)) return;
  for (const element of elementsIn(content))
    if (isHeading(element)) element.tagName = `h${Math.min(6, Number(element.tagName[1]) + 1)}`;
}

function findMarkedContent(body: Element | Root): Element | undefined {
  const main = findElement(body, (each) => each.tagName === 'main' || propertyText(each, 'role') === 'main');
  const inside = main ?? body;
  const named = main
    ? undefined
    : contentIds.flatMap(
        (id) => findElement(inside, (each) => propertyText(each, 'id') === id && textInOneLine(each) !== '') ?? [],
      )[0];
  const styled = findOnlyElement(inside, (each) => hasClass(each, ...contentClasses));
  const article = findOnlyElement(inside, ({ tagName }) => tagName === 'article');
  return styled ?? article ?? main ?? named;
}

/** Below a quotation a footer says whose it is. */
function keepQuoteSources(content: Element | Root): void {
  for (const quote of elementsIn(content))
    if (quote.tagName === 'blockquote')
      for (const child of quote.children) if (isElement(child, 'footer')) child.tagName = 'p';
}

/** Whether a browser does not show an element, as far as it says so itself. */
export const isHidden = (element: Element): boolean =>
  element.properties.hidden === true ||
  /(?:^|;)\s{0,9}(?:display:\s{0,9}none|visibility:\s{0,9}hidden)/i.test(propertyText(element, 'style'));

function isContentElement(element: Element, isWhole: boolean): boolean {
  const { tagName } = element;
  if (isNeverContent(element) || isHidden(element) || propertyText(element, 'role') === 'navigation') return false;
  if (tagName === 'footer' || (isWhole && propertyText(element, 'id') === 'footer')) return false;
  if (isWhole && tagName === 'header' && !findElement(element, isTopHeading)) return false;
  if (tagName === 'aside' && !readAdmonition(element) && !isFootnoteElement(element)) return false;
  if (tagName === 'input' && propertyText(element, 'type') !== 'checkbox') return false;
  if (tagName === 'img' && drawnBullet.test(propertyText(element, 'src'))) return false;
  if (classesOf(element).some((name) => furniture.has(name))) return false;
  return !(
    tagName === 'a' &&
    /^[#¶§🔗]?$/u.test(textInOneLine(element)) &&
    propertyText(element, 'href').startsWith('#') &&
    !hasImage(element)
  );
}

const isFootnoteElement = (element: Element): boolean =>
  /^(?:note|doc-(?:foot|end)notes?)$/.test(propertyText(element, 'role')) ||
  hasClass(element, 'footnote', 'footnote-list', 'footnotes', 'citation', 'citation-list');

const hasImage = (element: Element) => findElement(element, ({ tagName }) => tagName === 'img') !== undefined;
