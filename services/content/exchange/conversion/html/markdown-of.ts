import type { Element, ElementContent, Root } from 'hast';
import { defaultHandlers, type Handle, type State, toMdast } from 'hast-util-to-mdast';
import type {
  BlockContent,
  Delete,
  Emphasis,
  Heading,
  Html,
  List,
  Nodes as MarkdownNodes,
  PhrasingContent,
  RootContent,
  Strong,
  Text,
} from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { escapeHtml } from '../../../../../shared/text/escaped-html.js';
import { anchorOfText } from '../../../format/document/context/anchors.js';
import { readAdmonition } from './admonitions.js';
import { simplifyTables } from './cells.js';
import { normalizeCode, readCode } from './code.js';
import { findElement, isElement, newElement, propertyText, textInOneLine } from './elements.js';
import { type Column, readColumns } from './exported/columns.js';
import { emoticonCharacter } from './exported/emoticons.js';
import { type Expandable, readExpandable } from './exported/expandables.js';
import { highlightStyleOf } from './exported/highlights.js';
import { findBookmarkLink } from './exported/notion-page.js';
import { placeCheckboxes } from './exported/tasks.js';
import { formulaMarkdown } from './formulas/formulas.js';
import { splitAtOwnNumbers, startNumberOf, straightenLists } from './lists.js';
import { readFigure, safeAddressOf } from './shown/figures.js';
import { htmlAttribute, imageSource, imageTag, isStyledImage } from './shown/images.js';
import { mediaAddressOf, mediaTag } from './shown/media.js';
import { tabsOf } from './tabs.js';

const htmlNode = (value: string): Html => ({ type: 'html', value });
/** As `htmlNode`, for what is part of a line. */
const inlineHtmlNode = (value: string): Html => ({ ...htmlNode(value), data: { hName: 'span' } }) as Html;
/** An attribute of a tag of ours, where a backslash escapes. */
const tagArgument = (name: string, value: string) => htmlAttribute(name, value.replaceAll('\\', '\\\\'));

/** The content of an HTML page in our Markdown. */
export function htmlToMarkdown(content: Element | Root): string {
  normalizeCode(content);
  straightenLists(content);
  placeCheckboxes(content);
  simplifyTables(content);
  const root: Root = { type: 'root', children: content.children as Root['children'] };
  const tree = toMdast(root, {
    handlers,
    nodeHandlers: { comment: () => undefined },
    newlines: false,
  }) as MarkdownNodes;
  return toMarkdown(tree, {
    bullet: '*',
    emphasis: '_',
    rule: '*',
    fences: true,
    listItemIndent: 'one',
    extensions: [gfmToMarkdown({ tablePipeAlign: false }), { unsafe: ours }],
  });
}

/** Signs that our Markdown gives a meaning and others do not; they are escaped. */
const ours = [
  { character: '{', after: '%', inConstruct: 'phrasing' as const },
  { character: '$', after: '\\$', inConstruct: 'phrasing' as const },
];

const blockHandler: Handle = (state, element: Element) => {
  const formula = formulaMarkdown(element, false);
  if (formula) return htmlNode(formula);
  const hint = readAdmonition(element);
  if (hint) return hintNodes(state, hint);
  const columns = readColumns(element);
  if (columns) return columnNodes(state, columns);
  const tabs = tabsOf(element);
  if (tabs) return tabNodes(state, tabs);
  const expandable = readExpandable(element);
  return expandable ? detailsNodes(state, expandable) : defaultHandlers.div?.(state, element);
};

/** The blocks of children that are those of one element. */
const blocksOfChildren = (state: State, children: ElementContent[]): BlockContent[] =>
  state.toFlow(state.all({ type: 'element', tagName: 'div', properties: {}, children })) as BlockContent[];

function hintNodes(
  state: State,
  { style, title, children }: { style: string; title: string | undefined; children: ElementContent[] },
): RootContent[] {
  const named: BlockContent[] = title
    ? [{ type: 'paragraph', children: [{ type: 'strong', children: [{ type: 'text', value: title }] }] }]
    : [];
  return [
    htmlNode(`{% hint style="${style}" %}`),
    ...named,
    ...blocksOfChildren(state, children),
    htmlNode('{% endhint %}'),
  ];
}

const columnNodes = (state: State, columns: readonly Column[]): RootContent[] => [
  htmlNode('{% columns %}'),
  ...columns.flatMap(({ width, children }) => [
    htmlNode(`{% column${htmlAttribute('width', width)} %}`),
    ...blocksOfChildren(state, children),
    htmlNode('{% endcolumn %}'),
  ]),
  htmlNode('{% endcolumns %}'),
];

const tabNodes = (state: State, tabs: readonly Element[]): RootContent[] => [
  htmlNode('{% tabs %}'),
  ...tabs.flatMap((tab) => [
    htmlNode(`{% tab${tagArgument('title', propertyText(tab, 'dataTab'))} %}`),
    ...blocksOfChildren(state, tab.children),
    htmlNode('{% endtab %}'),
  ]),
  htmlNode('{% endtabs %}'),
];

const detailsNodes = (state: State, { title, children }: Expandable): RootContent[] => [
  htmlNode(`<details>\n\n<summary>${escapeHtml(title) || 'Details'}</summary>`),
  ...blocksOfChildren(state, children),
  htmlNode('</details>'),
];

const figureHandler: Handle = (state, element: Element) => {
  const hint = readAdmonition(element);
  if (hint) return hintNodes(state, hint);
  const bookmark = findBookmarkLink(element);
  if (bookmark)
    return { type: 'paragraph', children: state.all({ ...element, children: [bookmark] }) as PhrasingContent[] };
  const { images, media, caption } = readFigure(element);
  if (media !== undefined && !state.inTable) return mediaNodes(state, media, caption);
  return images === undefined ? defaultHandlers.div?.(state, element) : htmlNode(images);
};

/** A player or frame with what is said below it. */
function mediaNodes(state: State, url: string, caption: Element | undefined): RootContent[] {
  const { name, attribute: key } = mediaTag(url);
  const said = caption ? blocksOfChildren(state, [newElement('p', {}, caption.children)]) : [];
  return [
    htmlNode(`{% ${name}${tagArgument(key, url)} %}`),
    ...(said.length > 0 ? [...said, htmlNode(`{% end${name} %}`)] : []),
  ];
}

const imageHandler: Handle = (_, element: Element) => {
  const emoji = emoticonCharacter(element);
  if (emoji) return { type: 'text', value: emoji };
  const url = imageSource(element);
  if (url === '') return undefined;
  if (isStyledImage(element)) return inlineHtmlNode(imageTag(element));
  return { type: 'image', url, title: propertyText(element, 'title') || null, alt: propertyText(element, 'alt') };
};

const preHandler: Handle = (_, element: Element) => ({ type: 'code', ...readCode(element) });

const headingHandler: Handle = (state, element: Element) => {
  const children = element.children.flatMap(unwrapSelfLink);
  const made = defaultHandlers.h2?.(state, { ...element, children }) as Heading;
  // Only the title of a page is of the first level.
  made.depth = Math.max(2, made.depth) as Heading['depth'];
  const id = propertyText(element, 'id');
  if (id && id.length <= 200 && anchorOfText(textInOneLine(element)) !== id)
    made.children.push(htmlNode(`<a${htmlAttribute('href', `#${id}`)}${htmlAttribute('id', id)}></a>`));
  return made.children.length > 0 ? made : undefined;
};

/** Headings of some generators are links to themselves, or to the contents of the page. */
const unwrapSelfLink = (node: ElementContent): ElementContent[] =>
  isElement(node, 'a') && propertyText(node, 'href').startsWith('#') ? node.children : [node];

const tableHandler: Handle = (state, element: Element) => {
  if (!findElement(element, ({ tagName }) => tagName === 'td' || tagName === 'th'))
    return blocksOfChildren(state, element.children);
  const caption = element.children.find((child) => isElement(child, 'caption'));
  const made = defaultHandlers.table?.(state, {
    ...element,
    children: element.children.filter((child) => child !== caption),
  });
  if (!caption || !textInOneLine(caption)) return made;
  const said: RootContent = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: textInOneLine(caption) }] }],
  };
  return [said, ...(Array.isArray(made) ? made : [made])] as RootContent[];
};

/** In a table there are no lines but those of HTML. */
const breakHandler: Handle = (state) => (state.inTable ? htmlNode('<br>') : { type: 'break' });

const htmlTagHandler: Handle = (state, element: Element) => [
  inlineHtmlNode(`<${element.tagName}>`),
  ...(state.all(element) as PhrasingContent[]),
  inlineHtmlNode(`</${element.tagName}>`),
];

const markHandler: Handle = (state, element: Element) => {
  const inside = state.all(element) as PhrasingContent[];
  const style = highlightStyleOf(element);
  return style === undefined
    ? inside
    : [inlineHtmlNode(`<mark${htmlAttribute('style', style)}>`), ...inside, inlineHtmlNode('</mark>')];
};

const spanHandler: Handle = (state, element: Element) => {
  const formula = formulaMarkdown(element, state.inTable);
  return formula ? inlineHtmlNode(formula) : (state.all(element) as PhrasingContent[]);
};

const contentHandler: Handle = (state, element: Element) => state.all(element) as PhrasingContent[];

const mediaHandler: Handle = (state, element: Element) => {
  const url = mediaAddressOf(element);
  if (url === undefined) return undefined;
  if (!state.inTable) return mediaNodes(state, url, undefined);
  return { type: 'link', url, children: [{ type: 'text', value: url }] };
};

const listHandler: Handle = (state, element: Element) =>
  splitAtOwnNumbers(element).flatMap((part) => {
    const made = defaultHandlers.ul?.(state, part) as List;
    if (made.ordered) made.start = startNumberOf(part);
    return made.children.length > 0 ? [made] : [];
  });

const codeHandler: Handle = (state, element: Element) => {
  if (findElement(element, ({ tagName }) => tagName === 'a')) return splitLinkedCode(state, element);
  const value = textInOneLine(element);
  return value === '' ? undefined : { type: 'inlineCode', value };
};

/** Code that holds links, in parts: in our Markdown nothing in code is a link. */
const splitLinkedCode = (state: State, { children }: Element): PhrasingContent[] =>
  children.flatMap((child) => {
    if (!isElement(child)) {
      const text = child.type === 'text' ? child.value : '';
      const [, before = '', value = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
      const made: PhrasingContent[] = value === '' ? [] : [{ type: 'inlineCode', value: value.replace(/\s+/g, ' ') }];
      return [...spaceForText(before), ...made, ...spaceForText(after)];
    }
    const inside = newElement('code', {}, child.children);
    const shown = child.tagName === 'a' ? { ...child, children: [inside] } : inside;
    return state.all(newElement('span', {}, [shown])) as PhrasingContent[];
  });

const spaceForText = (text: string): Text[] => (text === '' ? [] : [{ type: 'text', value: ' ' }]);

/** Emphasis without the spaces at its ends, which stand beside it. */
const emphasisHandler =
  (name: 'em' | 'strong' | 'del'): Handle =>
  (state, element: Element) => {
    const made = defaultHandlers[name]?.(state, element) as Emphasis | Strong | Delete;
    const before = takeEndSpaces(made.children, 0, /^\s+/);
    const after = takeEndSpaces(made.children, -1, /\s+$/);
    return [...before, ...(made.children.length > 0 ? [made] : []), ...after];
  };

/** Takes the spaces off the first or the last of what is emphasized. */
function takeEndSpaces(children: PhrasingContent[], at: 0 | -1, spaces: RegExp): Text[] {
  const text = children.at(at);
  if (text?.type !== 'text' || !spaces.test(text.value)) return [];
  text.value = text.value.replace(spaces, '');
  if (text.value === '') children.splice(at, 1);
  return [{ type: 'text', value: ' ' }];
}

/** A figure with the link inside that is around it. */
const moveLinkInside = (shown: Element, link: Element): Element => ({
  ...shown,
  children: shown.children.map((child) =>
    isElement(child, 'figcaption') ? child : { ...link, children: [child] },
  ) as ElementContent[],
});

/** A link that nothing is seen of is none. */
const linkHandler: Handle = (state, element: Element, parent) => {
  const isSeen =
    textInOneLine(element) !== '' || findElement(element, ({ tagName }) => tagName === 'img') !== undefined;
  if (safeAddressOf(element) === undefined || !isSeen) return state.all(element) as PhrasingContent[];
  const [only, ...others] = element.children;
  if (isElement(only, 'figure') && others.length === 0)
    return figureHandler(state, moveLinkInside(only, element), parent);
  return defaultHandlers.a?.(state, element);
};

const handlers: Record<string, Handle> = {
  a: linkHandler,
  em: emphasisHandler('em'),
  i: emphasisHandler('em'),
  strong: emphasisHandler('strong'),
  b: emphasisHandler('strong'),
  del: emphasisHandler('del'),
  s: emphasisHandler('del'),
  article: blockHandler,
  aside: blockHandler,
  section: blockHandler,
  div: blockHandler,
  details: blockHandler,
  figure: figureHandler,
  img: imageHandler,
  pre: preHandler,
  h1: headingHandler,
  h2: headingHandler,
  h3: headingHandler,
  h4: headingHandler,
  h5: headingHandler,
  h6: headingHandler,
  table: tableHandler,
  br: breakHandler,
  iframe: mediaHandler,
  video: mediaHandler,
  audio: mediaHandler,
  var: emphasisHandler('em'),
  cite: emphasisHandler('em'),
  dfn: emphasisHandler('em'),
  wbr: () => undefined,
  ul: listHandler,
  ol: listHandler,
  code: codeHandler,
  kbd: htmlTagHandler,
  sub: htmlTagHandler,
  sup: htmlTagHandler,
  mark: markHandler,
  u: contentHandler,
  span: spanHandler,
  base: () => undefined,
};
