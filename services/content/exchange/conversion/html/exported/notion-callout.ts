import type { Element, ElementContent } from 'hast';
import { hintStyleOfIcon } from '../../callouts.js';
import type { HintStyle } from '../../hint-styles.js';
import { classesOf, hasClass, isElement, propertyText, textInOneLine } from '../elements.js';

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
export function readNotionCallout(callout: Element): Admonition {
  const holder = callout.children.find(
    (child): child is Element => isElement(child) && findIconBox(child) !== undefined,
  );
  const box = holder && findIconBox(holder);
  const icon = box ? iconCharacter(box) : '';
  const color = classesOf(callout).map((name) => byColor[/^block-color-([a-z]+)/.exec(name)?.[1] ?? '']);
  const style = hintStyleOfIcon(icon) ?? color.find((each) => each !== undefined) ?? 'info';
  const children = callout.children.filter((child) => child !== holder);
  const isSaid = icon === '' || hintStyleOfIcon(icon) !== undefined;
  return { style, title: undefined, children: isSaid ? children : prependText(children, `${icon} `) };
}

/** The icon in a part of a callout that holds nothing else. */
const findIconBox = (part: Element): Element | undefined =>
  [part, ...part.children].find((each): each is Element => isElement(each) && hasClass(each, 'icon'));

/** The character of an icon; '' for one that is an image. */
export const iconCharacter = (icon: Element): string =>
  (textInOneLine(icon) || propertyText(icon, 'dataEmoji')).slice(0, 40);

/** The children with a text at the beginning of their first paragraph. */
function prependText(children: ElementContent[], value: string): ElementContent[] {
  const at = children.findIndex((child) => child.type !== 'text' || child.value.trim() !== '');
  const first = children[at];
  if (!isElement(first, 'p', 'div')) return [{ type: 'text', value }, ...children];
  return children.with(at, { ...first, children: prependText(first.children, value) });
}
