import type { Element, ElementContent, Parents, Root } from 'hast';
import { isOneEmoji } from '../../callouts.js';
import { elementsIn, findElement, hasClass, isElement, propertyText, textInOneLine } from '../elements.js';
import { iconCharacter } from './notion-callout.js';

/** Makes one list of the items that Notion exports as a list each, and takes off what it wraps blocks in. */
export function joinNotionBlocks(root: Root): void {
  const parents: Parents[] = [root, ...elementsIn(root)];
  for (const parent of parents) parent.children = joinNotionLists(parent.children as ElementContent[]);
}

function joinNotionLists(children: ElementContent[]): ElementContent[] {
  const made: ElementContent[] = [];
  for (const child of children.flatMap(unwrapContents)) {
    const before = made.findLast((each) => each.type !== 'text' || each.value.trim() !== '');
    if (isElement(child) && isElement(before) && continuesList(before, child)) before.children.push(...child.children);
    else made.push(child);
  }
  return made;
}

function unwrapContents(child: ElementContent): ElementContent[] {
  if (!isElement(child)) return [child];
  if (child.tagName === 'div' && /display:\s?contents/i.test(propertyText(child, 'style')))
    return child.children.flatMap(unwrapContents);
  return isElement(child, 'ul') && hasClass(child, 'toggle') ? child.children.flatMap(toggleContent) : [child];
}

const toggleContent = (item: ElementContent): ElementContent[] => (isElement(item, 'li') ? item.children : [item]);

const kinds = ['bulleted-list', 'to-do-list', 'numbered-list'];

/** Whether a list goes on with the items of the one before. */
function continuesList(before: Element, list: Element): boolean {
  const isSame = kinds.some((kind) => hasClass(before, kind) && hasClass(list, kind));
  if (!isSame || !hasClass(list, 'numbered-list')) return isSame;
  const items = before.children.filter((child) => isElement(child, 'li')).length;
  return Number(propertyText(list, 'start')) === (Number(propertyText(before, 'start')) || 1) + items;
}

/** The emoji that Notion shows above a page; undefined for none, and for an icon that is an image. */
export function notionPageEmoji(root: Root): string | undefined {
  const header = findElement(root, (each) => hasClass(each, 'page-header-icon'));
  const icon = header && findElement(header, (each) => hasClass(each, 'icon'));
  const emoji = icon ? iconCharacter(icon) : '';
  return isOneEmoji(emoji) ? emoji : undefined;
}

/** The address of the image that Notion shows above a page. */
export function notionPageCover(root: Root): string | undefined {
  const cover = findElement(root, (each) => each.tagName === 'img' && hasClass(each, 'page-cover-image'));
  const src = cover ? propertyText(cover, 'src').trim() : '';
  return src === '' || src.length > 2000 ? undefined : src;
}

/** The link that a bookmark of Notion is. */
export function findBookmarkLink(figure: Element): Element | undefined {
  const link = figure.children.find((child): child is Element => isElement(child, 'a') && hasClass(child, 'bookmark'));
  if (!link) return undefined;
  const title = findElement(link, (each) => hasClass(each, 'bookmark-title'));
  const value = (title && textInOneLine(title)) || propertyText(link, 'href');
  return { ...link, children: [{ type: 'text', value }] };
}
