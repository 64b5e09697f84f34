import type { Element, ElementContent, Root } from 'hast';
import { elementsIn, findElement, hasClass, isElement, newElement, propertyText, textInOneLine } from '../elements.js';

export interface ConfluenceContent {
  content: Element;
  title: string;
}

/** The content of a page that Confluence exported, with the list of its attachments; undefined for another page. */
export function findConfluenceContent(body: Element | Root): ConfluenceContent | undefined {
  const content = findElement(
    body,
    (each) => propertyText(each, 'id') === 'main-content' && hasClass(each, 'wiki-content'),
  );
  if (!content) return undefined;
  const title = findElement(body, (each) => propertyText(each, 'id') === 'title-text');
  const level = findElement(content, ({ tagName }) => tagName === 'h1') ? 'h1' : 'h2';
  const children = [...content.children, ...copyAttachmentList(body, level)];
  return { content: { ...content, children }, title: title ? textInOneLine(title) : '' };
}

function copyAttachmentList(body: Element | Root, level: string): ElementContent[] {
  const box = findAttachmentBox(body);
  const items = box?.children.flatMap((child, at) => (isElement(child, 'a') ? [[child, ...textAfter(box, at)]] : []));
  if (!items?.length) return [];
  return [
    newElement(level, {}, [{ type: 'text', value: 'Attachments' }]),
    newElement(
      'ul',
      {},
      items.map((item) => newElement('li', {}, item)),
    ),
  ];
}

/** The box below the heading that names it. */
function findAttachmentBox(body: Element | Root): Element | undefined {
  let isBelow = false;
  for (const each of elementsIn(body)) {
    if (propertyText(each, 'id') === 'attachments') isBelow = true;
    if (isBelow && hasClass(each, 'greybox')) return each;
  }
  return undefined;
}

/** The type of a file stands behind it. */
function textAfter({ children }: Element, at: number): ElementContent[] {
  const next = children[at + 1];
  return next?.type === 'text' ? [{ type: 'text', value: next.value.trimEnd() }] : [];
}
