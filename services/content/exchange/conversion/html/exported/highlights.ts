import type { Element } from 'hast';
import { classesOf, propertyText } from '../elements.js';

/** The names of Notion's colors as ours; those that are not here have no color of their own. */
const colors: Record<string, string> = {
  brown: 'orange',
  orange: 'orange',
  yellow: 'yellow',
  green: 'green',
  teal: 'green',
  blue: 'blue',
  purple: 'purple',
  pink: 'red',
  red: 'red',
};

/** The style of a highlighted text: '' where it names none, undefined for one that Notion only marks. */
export function highlightStyleOf(mark: Element): string | undefined {
  const named = classesOf(mark).flatMap((name) => /^highlight-([a-z]{1,20})(_background)?$/.exec(name) ?? []);
  const [whole, name = '', background] = named;
  if (whole !== undefined) {
    const color = colors[name];
    return color && `${background ? 'background-color' : 'color'}:${color};`;
  }
  return (
    propertyText(mark, 'style').match(
      /(?:^|(?<=;))\s{0,9}(?:background-)?color:\s{0,9}[a-z]{1,20}(?=\s{0,9}(?:;|$))/gi,
    ) ?? []
  )
    .map((each) => `${each.trim()};`)
    .join('');
}
