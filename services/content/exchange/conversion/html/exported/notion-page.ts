import type { Element, ElementContent, Parents, Root } from 'hast';
import { isEmoji } from '../../callouts.js';
import { elementsIn, firstIn, hasClass, isElement, lineOf, property } from '../elements.js';
import { iconIn } from './notion-callout.js';

/** Makes one list of the items that Notion exports as a list each, and takes off what it wraps blocks in. */
export function joinBlocks(root: Root): void {
  const parents: Parents[] = [root, ...elementsIn(root)];
  for (const parent of parents) parent.children = joinLists(parent.children as ElementContent[]);
}

function joinLists(children: ElementContent[]): ElementContent[] {
  const made: ElementContent[] = [];
  for (const child of children.flatMap(unwrapContents)) {
    const before = made.findLast((each) => each.type !== 'text' || each.value.trim() !== '');
    if (isElement(child) && isElement(before) && continues(before, child)) before.children.push(...child.children);
    else made.push(child);
  }
  return made;
}

function unwrapContents(child: ElementContent): ElementContent[] {
  if (!isElement(child)) return [child];
  if (child.tagName === 'div' && /display:\s?contents/i.test(property(child, 'style')))
    return child.children.flatMap(unwrapContents);
  return isElement(child, 'ul') && hasClass(child, 'toggle') ? child.children.flatMap(toggles) : [child];
}

const toggles = (item: ElementContent): ElementContent[] => (isElement(item, 'li') ? item.children : [item]);

const kinds = ['bulleted-list', 'to-do-list', 'numbered-list'];

/** Whether a list goes on with the items of the one before. */
function continues(before: Element, list: Element): boolean {
  const isSame = kinds.some((kind) => hasClass(before, kind) && hasClass(list, kind));
  if (!isSame || !hasClass(list, 'numbered-list')) return isSame;
  const items = before.children.filter((child) => isElement(child, 'li')).length;
  return Number(property(list, 'start')) === (Number(property(before, 'start')) || 1) + items;
}

/** The emoji that Notion shows above a page; undefined for none, and for an icon that is an image. */
export function pageEmoji(root: Root): string | undefined {
  const header = firstIn(root, (each) => hasClass(each, 'page-header-icon'));
  const icon = header && firstIn(header, (each) => hasClass(each, 'icon'));
  const emoji = icon ? iconIn(icon) : '';
  return isEmoji(emoji) ? emoji : undefined;
}

/** The address of the image that Notion shows above a page. */
export function pageCover(root: Root): string | undefined {
  const cover = firstIn(root, (each) => each.tagName === 'img' && hasClass(each, 'page-cover-image'));
  const src = cover ? property(cover, 'src').trim() : '';
  return src === '' || src.length > 2000 ? undefined : src;
}

/** The link that a bookmark of Notion is. */
export function bookmarkIn(figure: Element): Element | undefined {
  const link = figure.children.find((child): child is Element => isElement(child, 'a') && hasClass(child, 'bookmark'));
  if (!link) return undefined;
  const title = firstIn(link, (each) => hasClass(each, 'bookmark-title'));
  const value = (title && lineOf(title)) || property(link, 'href');
  return { ...link, children: [{ type: 'text', value }] };
}
