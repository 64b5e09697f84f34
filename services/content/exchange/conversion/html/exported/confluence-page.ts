import type { Element, ElementContent, Root } from 'hast';
import { elementsIn, firstIn, hasClass, isElement, lineOf, newElement, property } from '../elements.js';

export interface ConfluenceContent {
  content: Element;
  title: string;
}

/** The content of a page that Confluence exported, with the list of its attachments; undefined for another page. */
export function confluenceContent(body: Element | Root): ConfluenceContent | undefined {
  const content = firstIn(body, (each) => property(each, 'id') === 'main-content' && hasClass(each, 'wiki-content'));
  if (!content) return undefined;
  const title = firstIn(body, (each) => property(each, 'id') === 'title-text');
  const level = firstIn(content, ({ tagName }) => tagName === 'h1') ? 'h1' : 'h2';
  const children = [...content.children, ...attachmentsIn(body, level)];
  return { content: { ...content, children }, title: title ? lineOf(title) : '' };
}

function attachmentsIn(body: Element | Root, level: string): ElementContent[] {
  const box = listOfAttachments(body);
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
function listOfAttachments(body: Element | Root): Element | undefined {
  let isBelow = false;
  for (const each of elementsIn(body)) {
    if (property(each, 'id') === 'attachments') isBelow = true;
    if (isBelow && hasClass(each, 'greybox')) return each;
  }
  return undefined;
}

/** The type of a file stands behind it. */
function textAfter({ children }: Element, at: number): ElementContent[] {
  const next = children[at + 1];
  return next?.type === 'text' ? [{ type: 'text', value: next.value.trimEnd() }] : [];
}
