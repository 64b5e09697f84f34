import type { Element, ElementContent, Root } from 'hast';
import {
  elementsIn,
  findElement,
  isElement,
  newElement,
  parseHtml,
  propertyText,
  removeUnlessKept,
} from './elements.js';
import { joinNotionBlocks } from './exported/notion-page.js';
import { replaceFormulas } from './formulas/formulas.js';
import { isHidden, isNeverContent } from './main-content.js';
import { htmlToMarkdown } from './markdown-of.js';
import { resolveImages } from './shown/images.js';
import { groupTabs } from './tabs.js';

/** Reads what somebody copied out of a page or a document: all of it, as Markdown without front matter. Images that it holds itself are left out. */
export function pastedMarkdown(html: string): string {
  const root = parseHtml(html);
  const body = findElement(root, ({ tagName }) => tagName === 'body') ?? root;
  resolveImages(body);
  removeUnlessKept(body, (element) => !isNeverContent(element) && !isHidden(element) && !isHeldImage(element));
  readStyles(body);
  replaceFormulas(root);
  joinNotionBlocks(root);
  groupTabs(root);
  return `${htmlToMarkdown(body).trim()}\n`;
}

const isHeldImage = (element: Element): boolean =>
  element.tagName === 'img' && /^(?:data|file|blob|cid):/i.test(propertyText(element, 'src').trim());

const styles = {
  strong: /font-weight:\s{0,9}(?:bold|[6-9]00)/i,
  em: /font-style:\s{0,9}italic/i,
  del: /text-decoration(?:-line)?:[^;]{0,40}line-through/i,
} as const;

/** Says by elements what word processors say by styles, which also wrap all that is copied in a `b` that is not bold. */
function readStyles(body: Element | Root): void {
  for (const element of [...elementsIn(body)]) {
    const style = propertyText(element, 'style').slice(0, 1000);
    if (isElement(element, 'b', 'strong') && /font-weight:\s{0,9}(?:normal|400)/i.test(style)) element.tagName = 'span';
    if (!isElement(element, 'span') || style === '') continue;
    for (const [name, pattern] of Object.entries(styles))
      if (pattern.test(style)) element.children = [newElement(name, {}, element.children as ElementContent[])];
  }
}
