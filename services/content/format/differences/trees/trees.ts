import { type ComponentChild, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Identities } from './identities.js';

/** HTML as a tree: a text, or an element. */
export type Tree = string | HtmlElement;

export interface HtmlElement {
  name: string;
  attributes: Attributes;
  children: Tree[];
  /** Its content as HTML, in place of children. */
  content?: string;
  /** Whether it stands in a line of text, with all that is in it. */
  isInline: boolean;
  /** Equal for elements that look the same, and only for them. */
  identity: number;
  /** Equal for elements that look the same but for what is in them. */
  shell: number;
}

export type Attributes = Record<string, unknown>;

/** An element that is compared with no other. */
export const newHtmlElement = (name: string, attributes: Attributes, children: Tree[]): HtmlElement => ({
  name,
  attributes,
  children,
  isInline: false,
  identity: -1,
  shell: -1,
});

export const isHtmlElement = (tree: Tree | undefined): tree is HtmlElement => typeof tree === 'object';

export const isInline = (tree: Tree): boolean => !isHtmlElement(tree) || tree.isInline;

export const classNamesOf = ({ class: names }: Attributes): string[] =>
  typeof names === 'string' ? names.split(' ') : [];

export const hasClassName = ({ attributes }: HtmlElement, name: string): boolean =>
  classNamesOf(attributes).includes(name);

export const withClass = (element: HtmlElement, name: string): HtmlElement => ({
  ...element,
  attributes: { ...element.attributes, class: [...classNamesOf(element.attributes), name].join(' ') },
});

const wholeNames = new Set(['br', 'button', 'col', 'form', 'hr', 'img', 'input', 'math', 'select', 'svg']);
const wholeClasses = new Set(['card', 'check', 'drawing', 'late-block', 'rating', 'ref-card']);

/** Whether an element is shown as it was or as it is, and never as something between both. */
export const isWhole = ({ name, attributes, children, content }: HtmlElement): boolean =>
  content !== undefined ||
  children.length === 0 ||
  wholeNames.has(name) ||
  classNamesOf(attributes).some((each) => wholeClasses.has(each));

export const identityOf = (tree: Tree, identities: Identities): number =>
  isHtmlElement(tree) ? tree.identity : identities.of(`"${tree}`);

/** The identity of a list. */
export const identityOfAll = (trees: readonly Tree[], identities: Identities): number =>
  identities.of(`>${listIdentities(trees, identities)}`);

export const listIdentities = (trees: readonly Tree[], identities: Identities): string =>
  trees.map((tree) => identityOf(tree, identities)).join(' ');

/** Adds a text behind trees. */
export function pushText(trees: Tree[], text: string): void {
  const last = trees.at(-1);
  if (typeof last === 'string') trees[trees.length - 1] = last + text;
  else if (text !== '') trees.push(text);
}

/** The text in trees, at most about `max` characters, with blocks on lines of their own. */
export function textOf(trees: readonly Tree[], max = Number.POSITIVE_INFINITY): string {
  let out = '';
  for (const tree of trees) {
    if (out.length >= max) break;
    out += isHtmlElement(tree) ? textOf(tree.children, max - out.length) : tree;
    if (!isInline(tree)) out += '\n';
  }
  return out;
}

/** The characters and elements in trees. */
export function sizeOf(trees: readonly Tree[]): number {
  let size = 0;
  for (const tree of trees) size += isHtmlElement(tree) ? 1 + sizeOf(tree.children) : tree.length;
  return size;
}

function toChild(tree: Tree): ComponentChild {
  if (!isHtmlElement(tree)) return tree;
  const { name, attributes, children, content } = tree;
  const inside =
    content === undefined ? { children: children.map(toChild) } : { dangerouslySetInnerHTML: { __html: content } };
  const props: Attributes = { ...attributes, ...inside };
  return h(name, props);
}

/** Trees as HTML: all text is escaped, and every element closed. */
export const htmlOf = (trees: readonly Tree[]): string => renderToString(h(Fragment, null, trees.map(toChild)));
