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
import { admonitionOf } from './admonitions.js';
import { simplifyTables } from './cells.js';
import { codeIn, placeCode } from './code.js';
import { firstIn, isElement, lineOf, newElement, property } from './elements.js';
import { type Column, columnsOf } from './exported/columns.js';
import { emoticonOf } from './exported/emoticons.js';
import { type Expandable, expandableOf } from './exported/expandables.js';
import { highlightOf } from './exported/highlights.js';
import { bookmarkIn } from './exported/notion-page.js';
import { placeCheckboxes } from './exported/tasks.js';
import { formulaIn } from './formulas/formulas.js';
import { splitNumberedList, startOf, straightenLists } from './lists.js';
import { figureOf, safeAddressOf } from './shown/figures.js';
import { attribute, imageSource, imageTag, isStyled } from './shown/images.js';
import { mediaOf, mediaTag } from './shown/media.js';
import { tabsOf } from './tabs.js';

const html = (value: string): Html => ({ type: 'html', value });
/** As `html`, for what is part of a line. */
const inText = (value: string): Html => ({ ...html(value), data: { hName: 'span' } }) as Html;
/** An attribute of a tag of ours, where a backslash escapes. */
const argument = (name: string, value: string) => attribute(name, value.replaceAll('\\', '\\\\'));

/** The content of an HTML page in our Markdown. */
export function htmlToMarkdown(content: Element | Root): string {
  placeCode(content);
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

const block: Handle = (state, element: Element) => {
  const formula = formulaIn(element, false);
  if (formula) return html(formula);
  const hint = admonitionOf(element);
  if (hint) return hintOf(state, hint);
  const columns = columnsOf(element);
  if (columns) return columnsIn(state, columns);
  const tabs = tabsOf(element);
  if (tabs) return tabsIn(state, tabs);
  const expandable = expandableOf(element);
  return expandable ? detailsOf(state, expandable) : defaultHandlers.div?.(state, element);
};

/** The blocks of children that are those of one element. */
const flowOf = (state: State, children: ElementContent[]): BlockContent[] =>
  state.toFlow(state.all({ type: 'element', tagName: 'div', properties: {}, children })) as BlockContent[];

function hintOf(
  state: State,
  { style, title, children }: { style: string; title: string | undefined; children: ElementContent[] },
): RootContent[] {
  const named: BlockContent[] = title
    ? [{ type: 'paragraph', children: [{ type: 'strong', children: [{ type: 'text', value: title }] }] }]
    : [];
  return [html(`{% hint style="${style}" %}`), ...named, ...flowOf(state, children), html('{% endhint %}')];
}

const columnsIn = (state: State, columns: readonly Column[]): RootContent[] => [
  html('{% columns %}'),
  ...columns.flatMap(({ width, children }) => [
    html(`{% column${attribute('width', width)} %}`),
    ...flowOf(state, children),
    html('{% endcolumn %}'),
  ]),
  html('{% endcolumns %}'),
];

const tabsIn = (state: State, tabs: readonly Element[]): RootContent[] => [
  html('{% tabs %}'),
  ...tabs.flatMap((tab) => [
    html(`{% tab${argument('title', property(tab, 'dataTab'))} %}`),
    ...flowOf(state, tab.children),
    html('{% endtab %}'),
  ]),
  html('{% endtabs %}'),
];

const detailsOf = (state: State, { title, children }: Expandable): RootContent[] => [
  html(`<details>\n\n<summary>${escapeHtml(title) || 'Details'}</summary>`),
  ...flowOf(state, children),
  html('</details>'),
];

const figure: Handle = (state, element: Element) => {
  const hint = admonitionOf(element);
  if (hint) return hintOf(state, hint);
  const bookmark = bookmarkIn(element);
  if (bookmark)
    return { type: 'paragraph', children: state.all({ ...element, children: [bookmark] }) as PhrasingContent[] };
  const { images, media, caption } = figureOf(element);
  if (media !== undefined && !state.inTable) return mediaWith(state, media, caption);
  return images === undefined ? defaultHandlers.div?.(state, element) : html(images);
};

/** A player or frame with what is said below it. */
function mediaWith(state: State, url: string, caption: Element | undefined): RootContent[] {
  const { name, attribute: key } = mediaTag(url);
  const said = caption ? flowOf(state, [newElement('p', {}, caption.children)]) : [];
  return [html(`{% ${name}${argument(key, url)} %}`), ...(said.length > 0 ? [...said, html(`{% end${name} %}`)] : [])];
}

const img: Handle = (_, element: Element) => {
  const emoji = emoticonOf(element);
  if (emoji) return { type: 'text', value: emoji };
  const url = imageSource(element);
  if (url === '') return undefined;
  if (isStyled(element)) return inText(imageTag(element));
  return { type: 'image', url, title: property(element, 'title') || null, alt: property(element, 'alt') };
};

const pre: Handle = (_, element: Element) => ({ type: 'code', ...codeIn(element) });

const heading: Handle = (state, element: Element) => {
  const children = element.children.flatMap(withoutLinkHere);
  const made = defaultHandlers.h2?.(state, { ...element, children }) as Heading;
  // Only the title of a page is of the first level.
  made.depth = Math.max(2, made.depth) as Heading['depth'];
  const id = property(element, 'id');
  if (id && id.length <= 200 && anchorOfText(lineOf(element)) !== id)
    made.children.push(html(`<a${attribute('href', `#${id}`)}${attribute('id', id)}></a>`));
  return made.children.length > 0 ? made : undefined;
};

/** Headings of some generators are links to themselves, or to the contents of the page. */
const withoutLinkHere = (node: ElementContent): ElementContent[] =>
  isElement(node, 'a') && property(node, 'href').startsWith('#') ? node.children : [node];

const table: Handle = (state, element: Element) => {
  if (!firstIn(element, ({ tagName }) => tagName === 'td' || tagName === 'th')) return flowOf(state, element.children);
  const caption = element.children.find((child) => isElement(child, 'caption'));
  const made = defaultHandlers.table?.(state, {
    ...element,
    children: element.children.filter((child) => child !== caption),
  });
  if (!caption || !lineOf(caption)) return made;
  const said: RootContent = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: lineOf(caption) }] }],
  };
  return [said, ...(Array.isArray(made) ? made : [made])] as RootContent[];
};

/** In a table there are no lines but those of HTML. */
const br: Handle = (state) => (state.inTable ? html('<br>') : { type: 'break' });

const inHtml: Handle = (state, element: Element) => [
  inText(`<${element.tagName}>`),
  ...(state.all(element) as PhrasingContent[]),
  inText(`</${element.tagName}>`),
];

const mark: Handle = (state, element: Element) => {
  const inside = state.all(element) as PhrasingContent[];
  const style = highlightOf(element);
  return style === undefined ? inside : [inText(`<mark${attribute('style', style)}>`), ...inside, inText('</mark>')];
};

const span: Handle = (state, element: Element) => {
  const formula = formulaIn(element, state.inTable);
  return formula ? inText(formula) : (state.all(element) as PhrasingContent[]);
};

const plain: Handle = (state, element: Element) => state.all(element) as PhrasingContent[];

const media: Handle = (state, element: Element) => {
  const url = mediaOf(element);
  if (url === undefined) return undefined;
  if (!state.inTable) return mediaWith(state, url, undefined);
  return { type: 'link', url, children: [{ type: 'text', value: url }] };
};

const list: Handle = (state, element: Element) =>
  splitNumberedList(element).flatMap((part) => {
    const made = defaultHandlers.ul?.(state, part) as List;
    if (made.ordered) made.start = startOf(part);
    return made.children.length > 0 ? [made] : [];
  });

const code: Handle = (state, element: Element) => {
  if (firstIn(element, ({ tagName }) => tagName === 'a')) return linkedCode(state, element);
  const value = lineOf(element);
  return value === '' ? undefined : { type: 'inlineCode', value };
};

/** Code that holds links, in parts: in our Markdown nothing in code is a link. */
const linkedCode = (state: State, { children }: Element): PhrasingContent[] =>
  children.flatMap((child) => {
    if (!isElement(child)) {
      const text = child.type === 'text' ? child.value : '';
      const [, before = '', value = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
      const made: PhrasingContent[] = value === '' ? [] : [{ type: 'inlineCode', value: value.replace(/\s+/g, ' ') }];
      return [...spaceIn(before), ...made, ...spaceIn(after)];
    }
    const inside = newElement('code', {}, child.children);
    const shown = child.tagName === 'a' ? { ...child, children: [inside] } : inside;
    return state.all(newElement('span', {}, [shown])) as PhrasingContent[];
  });

const spaceIn = (text: string): Text[] => (text === '' ? [] : [{ type: 'text', value: ' ' }]);

/** Emphasis without the spaces at its ends, which stand beside it. */
const emphasized =
  (name: 'em' | 'strong' | 'del'): Handle =>
  (state, element: Element) => {
    const made = defaultHandlers[name]?.(state, element) as Emphasis | Strong | Delete;
    const before = trimEnd(made.children, 0, /^\s+/);
    const after = trimEnd(made.children, -1, /\s+$/);
    return [...before, ...(made.children.length > 0 ? [made] : []), ...after];
  };

/** Takes the spaces off the first or the last of what is emphasized. */
function trimEnd(children: PhrasingContent[], at: 0 | -1, spaces: RegExp): Text[] {
  const text = children.at(at);
  if (text?.type !== 'text' || !spaces.test(text.value)) return [];
  text.value = text.value.replace(spaces, '');
  if (text.value === '') children.splice(at, 1);
  return [{ type: 'text', value: ' ' }];
}

/** A figure with the link inside that is around it. */
const linkedFigure = (shown: Element, link: Element): Element => ({
  ...shown,
  children: shown.children.map((child) =>
    isElement(child, 'figcaption') ? child : { ...link, children: [child] },
  ) as ElementContent[],
});

/** A link that nothing is seen of is none. */
const a: Handle = (state, element: Element, parent) => {
  const isSeen = lineOf(element) !== '' || firstIn(element, ({ tagName }) => tagName === 'img') !== undefined;
  if (safeAddressOf(element) === undefined || !isSeen) return state.all(element) as PhrasingContent[];
  const [only, ...others] = element.children;
  if (isElement(only, 'figure') && others.length === 0) return figure(state, linkedFigure(only, element), parent);
  return defaultHandlers.a?.(state, element);
};

const handlers: Record<string, Handle> = {
  a,
  em: emphasized('em'),
  i: emphasized('em'),
  strong: emphasized('strong'),
  b: emphasized('strong'),
  del: emphasized('del'),
  s: emphasized('del'),
  article: block,
  aside: block,
  section: block,
  div: block,
  details: block,
  figure,
  img,
  pre,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  table,
  br,
  iframe: media,
  video: media,
  audio: media,
  var: emphasized('em'),
  cite: emphasized('em'),
  dfn: emphasized('em'),
  wbr: () => undefined,
  ul: list,
  ol: list,
  code,
  kbd: inHtml,
  sub: inHtml,
  sup: inHtml,
  mark,
  u: plain,
  span,
  base: () => undefined,
};
