import type { Element, ElementContent } from 'hast';
import { styleOfIcon } from '../../callouts.js';
import type { HintStyle } from '../../hint-styles.js';
import { classesOf, hasClass, isElement, lineOf, property } from '../elements.js';

const byColor: Record<string, HintStyle> = {
  red: 'danger',
  pink: 'danger',
  orange: 'warning',
  yellow: 'warning',
  brown: 'warning',
  green: 'success',
  teal: 'success',
};

export interface Admonition {
  style: HintStyle;
  title: string | undefined;
  children: ElementContent[];
}

/** The hint that a callout of Notion is. An icon that is no sign of its style stays before the text. */
export function notionCallout(callout: Element): Admonition {
  const holder = callout.children.find((child): child is Element => isElement(child) && iconBox(child) !== undefined);
  const box = holder && iconBox(holder);
  const icon = box ? iconIn(box) : '';
  const color = classesOf(callout).map((name) => byColor[/^block-color-([a-z]+)/.exec(name)?.[1] ?? '']);
  const style = styleOfIcon(icon) ?? color.find((each) => each !== undefined) ?? 'info';
  const children = callout.children.filter((child) => child !== holder);
  const isSaid = icon === '' || styleOfIcon(icon) !== undefined;
  return { style, title: undefined, children: isSaid ? children : withText(children, `${icon} `) };
}

/** The icon in a part of a callout that holds nothing else. */
const iconBox = (part: Element): Element | undefined =>
  [part, ...part.children].find((each): each is Element => isElement(each) && hasClass(each, 'icon'));

/** The character of an icon; '' for one that is an image. */
export const iconIn = (icon: Element): string => (lineOf(icon) || property(icon, 'dataEmoji')).slice(0, 40);

/** The children with a text at the beginning of their first paragraph. */
function withText(children: ElementContent[], value: string): ElementContent[] {
  const at = children.findIndex((child) => child.type !== 'text' || child.value.trim() !== '');
  const first = children[at];
  if (!isElement(first, 'p', 'div')) return [{ type: 'text', value }, ...children];
  return children.with(at, { ...first, children: withText(first.children, value) });
}
