import type { Element, Root } from 'hast';
import { admonitionOf } from './admonitions.js';
import { classesOf, elementsIn, firstIn, hasClass, isElement, keepOnly, lineOf, onlyIn, property } from './elements.js';

const never = new Set(
  'script style noscript template nav button form dialog svg canvas select textarea object embed link meta title head'.split(
    ' ',
  ),
);
/** What themes of documentation sites call the parts of a page that are not its content. */
const furniture = new Set(
  (
    'headerlink hash-link anchorjs-link header-anchor heading-anchor sl-anchor-link breadcrumb breadcrumbs pagination-nav ' +
    'toc table-of-contents tableOfContents theme-doc-toc-mobile theme-doc-breadcrumbs theme-doc-footer sr-only ' +
    'visually-hidden screen-reader-text skip-link sidebar sidebar-wrapper nav-wrapper mobile-nav-chapters nav-chapters ' +
    'edit-page-link md-source-file copybutton clipboard-copy'
  ).split(' '),
);
const contentClasses = ['markdown-body', 'theme-doc-markdown', 'vp-doc', 'md-content__inner', 'sl-markdown-content'];
const contentIds = ['main-content', 'content', 'main'];

/** The content of a page without its navigation, scripts and styles; its heading and title. */
export interface MainContent {
  content: Element | Root;
  title: string | undefined;
}

/** Finds the content of a page: what it marks as such, else its whole body. */
export function mainContent(root: Root): MainContent {
  const body = firstIn(root, ({ tagName }) => tagName === 'body') ?? root;
  const content = marked(body) ?? body;
  const titleText = lineOf(firstIn(root, ({ tagName }) => tagName === 'title') ?? { type: 'text', value: '' });
  const outside = onlyIn(body, isTop);
  const isWhole = content === body;
  keepOnly(content, (element) => isContent(element, isWhole));
  giveSectionIds(content);
  const heading = firstIn(content, isTop) ?? outside;
  const title = (heading && lineOf(heading)) || titleText || undefined;
  if (heading) {
    heading.children = [];
    keepOnly(content, (element) => element !== heading);
  }
  return { content, title };
}

const isTop = ({ tagName }: Element): boolean => tagName === 'h1';

function marked(body: Element | Root): Element | undefined {
  const main = firstIn(body, (each) => each.tagName === 'main' || property(each, 'role') === 'main');
  const inside = main ?? body;
  const named = firstIn(inside, (each) => contentIds.includes(property(each, 'id')) && main === undefined);
  const styled = onlyIn(inside, (each) => hasClass(each, ...contentClasses));
  const article = onlyIn(inside, ({ tagName }) => tagName === 'article');
  return styled ?? article ?? main ?? named;
}

function isContent(element: Element, isWhole: boolean): boolean {
  const { tagName, properties } = element;
  if (never.has(tagName) || properties.hidden === true || property(element, 'role') === 'navigation') return false;
  if (tagName === 'footer' || (isWhole && tagName === 'header' && !firstIn(element, isTop))) return false;
  if (tagName === 'aside' && !admonitionOf(element)) return false;
  if (tagName === 'input' && property(element, 'type') !== 'checkbox') return false;
  if (classesOf(element).some((name) => furniture.has(name))) return false;
  return !(
    tagName === 'a' &&
    /^[#¶§🔗]?$/u.test(lineOf(element)) &&
    property(element, 'href').startsWith('#') &&
    !hasImage(element)
  );
}

const hasImage = (element: Element) => firstIn(element, ({ tagName }) => tagName === 'img') !== undefined;

/** Some generators give its id to the section and not to the heading, or to an empty link in it. */
function giveSectionIds(content: Element | Root): void {
  for (const element of elementsIn(content)) {
    const id = property(element, 'id');
    const heading = element.children.find((child) => isElement(child));
    const isSection = element.tagName === 'section' || element.tagName === 'div';
    if (isSection && id && isElement(heading, 'h2', 'h3', 'h4', 'h5', 'h6')) heading.properties.id ??= id;
    if (!/^h[2-6]$/.test(element.tagName) || id) continue;
    const anchor = element.children.find((child): child is Element => isElement(child, 'a'));
    const named = anchor && (property(anchor, 'id') || property(anchor, 'name'));
    if (named) element.properties.id = named;
  }
}
