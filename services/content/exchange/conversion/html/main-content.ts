import type { Element, Nodes, Root } from 'hast';
import { admonitionOf } from './admonitions.js';
import {
  classesOf,
  elementsIn,
  firstIn,
  hasClass,
  isElement,
  isHeading,
  keepOnly,
  lineOf,
  onlyIn,
  property,
} from './elements.js';
import { confluenceContent } from './exported/confluence-page.js';
import { placeIds } from './heading-ids.js';

const never = new Set(
  'script style noscript template nav button form dialog svg canvas select textarea object embed link meta title head'.split(
    ' ',
  ),
);
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
export function mainContent(root: Root): MainContent {
  const body = firstIn(root, ({ tagName }) => tagName === 'body') ?? root;
  const exported = confluenceContent(body);
  const content = exported?.content ?? markedContent(body) ?? body;
  const outside = onlyIn(body, isTop);
  const said = lineOf(firstIn(root, ({ tagName }) => tagName === 'title') ?? { type: 'text', value: '' });
  const isWhole = content === body;
  keepSources(content);
  keepOnly(content, (element) => isContent(element, isWhole));
  const { heading, title } = exported?.title ? { title: exported.title } : titleOf(content, { outside, said });
  const ids = new Map<string, string>();
  if (heading) {
    for (const id of placeIds({ type: 'root', children: [{ ...heading, tagName: 'div' }] }).keys()) ids.set(id, '');
    heading.children = [];
    keepOnly(content, (element) => element !== heading);
  }
  deepenHeadings(content);
  for (const [id, place] of placeIds(content)) ids.set(id, place);
  return { content, title: title || undefined, ids };
}

/** The title of a page, and the heading that says it. The only top heading outside of its content may be that of the whole website. */
function titleOf(
  content: Element | Root,
  { outside, said }: { outside: Element | undefined; said: string },
): { heading?: Element; title: string } {
  const top = firstIn(content, (element) => isTop(element) && lineOf(element) !== '');
  if (top) return { heading: top, title: lineOf(top) };
  const other = outside ? lineOf(outside) : '';
  const isSite = other !== '' && said.length > other.length && said.endsWith(other);
  if (other !== '' && !isSite) return { title: other };
  const first = firstIn(content, isHeading);
  if (first && said.startsWith(lineOf(first)) && begins(content, first))
    return { heading: first, title: lineOf(first) };
  return { title: isSite ? said.slice(0, -other.length).replace(/[\s|·•:–—-]+$/, '') || said : said };
}

/** Whether nothing is said before a heading. */
function begins(content: Nodes, heading: Element): boolean {
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

const isTop = ({ tagName }: Element): boolean => tagName === 'h1';

/** Below the title there is no other heading of the first level: all go one level down. */
function deepenHeadings(content: Element | Root): void {
  if (!firstIn(content, isTop)) return;
  for (const element of elementsIn(content))
    if (isHeading(element)) element.tagName = `h${Math.min(6, Number(element.tagName[1]) + 1)}`;
}

function markedContent(body: Element | Root): Element | undefined {
  const main = firstIn(body, (each) => each.tagName === 'main' || property(each, 'role') === 'main');
  const inside = main ?? body;
  const named = main
    ? undefined
    : contentIds.flatMap(
        (id) => firstIn(inside, (each) => property(each, 'id') === id && lineOf(each) !== '') ?? [],
      )[0];
  const styled = onlyIn(inside, (each) => hasClass(each, ...contentClasses));
  const article = onlyIn(inside, ({ tagName }) => tagName === 'article');
  return styled ?? article ?? main ?? named;
}

/** Below a quotation a footer says whose it is. */
function keepSources(content: Element | Root): void {
  for (const quote of elementsIn(content))
    if (quote.tagName === 'blockquote')
      for (const child of quote.children) if (isElement(child, 'footer')) child.tagName = 'p';
}

function isContent(element: Element, isWhole: boolean): boolean {
  const { tagName, properties } = element;
  if (never.has(tagName) || properties.hidden === true || property(element, 'role') === 'navigation') return false;
  if (/(?:^|;)\s{0,9}(?:display:\s{0,9}none|visibility:\s{0,9}hidden)/i.test(property(element, 'style'))) return false;
  if (tagName === 'footer' || (isWhole && property(element, 'id') === 'footer')) return false;
  if (isWhole && tagName === 'header' && !firstIn(element, isTop)) return false;
  if (tagName === 'aside' && !admonitionOf(element) && !isNote(element)) return false;
  if (tagName === 'input' && property(element, 'type') !== 'checkbox') return false;
  if (tagName === 'img' && drawnBullet.test(property(element, 'src'))) return false;
  if (classesOf(element).some((name) => furniture.has(name))) return false;
  return !(
    tagName === 'a' &&
    /^[#¶§🔗]?$/u.test(lineOf(element)) &&
    property(element, 'href').startsWith('#') &&
    !hasImage(element)
  );
}

const isNote = (element: Element): boolean =>
  /^(?:note|doc-(?:foot|end)notes?)$/.test(property(element, 'role')) ||
  hasClass(element, 'footnote', 'footnote-list', 'footnotes', 'citation', 'citation-list');

const hasImage = (element: Element) => firstIn(element, ({ tagName }) => tagName === 'img') !== undefined;
