import type { Element } from 'hast';
import { type HintStyle, hintStyleOf } from '../hint-styles.js';
import { classesOf, isElement, textInOneLine } from './elements.js';
import { type Admonition, readNotionCallout } from './exported/notion-callout.js';

const isTitleElement = (element: Element) =>
  isElement(element, 'p', 'div', 'h5', 'span', 'strong') &&
  classesOf(element).some((name) =>
    /^(?:(?:first )?admonition-?title|markdown-alert-title|title|custom-block-title|starlight-aside__title)$|admonitionHeading/.test(
      name,
    ),
  );

const family =
  /^(?:theme-admonition|admonition|alert|markdown-alert|custom-block|callout|confluence-information-macro|starlight-aside|admonitionblock)$/;

/** The hint that an element of a documentation theme is: of Docusaurus, Sphinx, MkDocs, VitePress, GitHub, AsciiDoc, Confluence and Notion. */
export function readAdmonition(element: Element): Admonition | undefined {
  const classes = classesOf(element);
  if (!classes.some((name) => family.test(name))) return undefined;
  const kinds = classes.map((name) =>
    name.replace(
      /^(?:theme-admonition|admonition|alert|markdown-alert|callout|confluence-information-macro|starlight-aside)-{1,2}/,
      '',
    ),
  );
  const kind = kinds.find((name) => hintStyleOf(name) !== undefined);
  if (kind === undefined && isElement(element, 'figure', 'aside')) return readNotionCallout(element);
  const style = hintStyleOf(kind ?? 'note') as HintStyle;
  const title = element.children.find((child): child is Element => isElement(child) && isTitleElement(child));
  const said = title && textInOneLine(title);
  return {
    style,
    title: said && said.toLowerCase() !== kind?.toLowerCase() ? said : undefined,
    children: element.children.filter((child) => child !== title),
  };
}
