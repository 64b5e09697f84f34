import { isValidElement, toChildArray, type VNode } from 'preact';
import { pageMark } from '../../html/marks.js';
import type { Child } from '../../html/rendering.js';
import type { Identities } from './identities.js';
import {
  type Attributes,
  classNamesOf,
  type HtmlElement,
  isHtmlElement,
  isInline,
  listIdentities,
  pushText,
  type Tree,
} from './trees.js';

interface TreeReading {
  identities: Identities;
  /** The ids of pages by their paths: links to a page are equal where only its path changed. */
  pageByPath: ReadonlyMap<string, string>;
}

/**
 * Reads what the renderer made. Left out are ids of authors, which may be those of the screen that shows the tree; footnotes are no popovers,
 * as a list of them shows what changed in them.
 */
export function readTrees(content: Child, reading: TreeReading): Tree[] {
  const trees: Tree[] = [];
  for (const child of toChildArray(content)) {
    if (typeof child === 'string' || typeof child === 'number') pushText(trees, String(child));
    else if (isValidElement(child)) {
      const { type, props } = child as VNode<Attributes>;
      if (typeof type !== 'string') trees.push(...readTrees(props.children, reading));
      else if (!classNamesOf(props).includes('anchor')) trees.push(readElement(type, props, reading));
    }
  }
  return trees;
}

function readElement(type: string, props: Attributes, reading: TreeReading): HtmlElement {
  const { children: inside, dangerouslySetInnerHTML, ...given } = props;
  const isNote = classNamesOf(props).includes('note-mark');
  const name = isNote ? 'sup' : type;
  const attributes = isNote ? { class: 'note-mark' } : shownAttributes(given);
  const content = (dangerouslySetInnerHTML as { __html: string } | undefined)?.__html;
  const children = content === undefined ? readTrees(inside as Child, reading) : [];
  const made = { name, attributes, children, ...(content === undefined ? {} : { content }) };
  return { ...made, isInline: standsInLine(made), ...identify(made, reading) };
}

function shownAttributes(props: Attributes): Attributes {
  const shown: Attributes = {};
  for (const [name, value] of Object.entries(props)) {
    // Generated ids have a colon.
    const isOfAuthor = name === 'id' && !String(value).includes(':');
    if (value !== undefined && value !== null && value !== false && !isOfAuthor) shown[name] = value;
  }
  return shown;
}

type Unidentified = Omit<HtmlElement, 'isInline' | 'identity' | 'shell'>;

const inlineNames = new Set(
  'a br button code del em img input ins kbd mark math s span strong sub sup svg time'.split(' '),
);

/** The lines of code, and what looks like a block, do not. */
const standsInLine = ({ name, attributes, children }: Unidentified): boolean =>
  inlineNames.has(name) &&
  children.every(isInline) &&
  !classNamesOf(attributes).some((each) => each === 'line' || each === 'ref-card' || each === 'tab-input');

/** Attributes that do not change what an element looks like, or that depend on the elements before it. */
const unseen = new Set(['id', 'for', 'name', 'loading', 'value']);

function identify({ name, attributes, children, content }: Unidentified, { identities, pageByPath }: TreeReading) {
  let shown = `<${name}`;
  for (const attribute of Object.keys(attributes).sort()) {
    if (unseen.has(attribute)) continue;
    const value = String(attributes[attribute]);
    const [, path, anchor = ''] = pageMark.exec(value) ?? [];
    const page = path === undefined ? undefined : pageByPath.get(path);
    shown += ` ${attribute}=${JSON.stringify(page === undefined ? value : [page, anchor])}`;
  }
  const inside = content === undefined ? listIdentities(seenChildren(attributes, children), identities) : `"${content}`;
  return { shell: identities.of(shown), identity: identities.of(`${shown}>${inside}`) };
}

/**
 * Everything that makes an element look as it does. The number of a footnote depends on those before it, and the source of a drawing stands beside
 * it.
 */
function seenChildren(attributes: Attributes, children: Tree[]): Tree[] {
  const classes = classNamesOf(attributes);
  if (classes.includes('note-mark') || classes.includes('drawing')) return [];
  if (!children.some(isHighlight)) return children;
  const seen: Tree[] = [];
  for (const child of children)
    for (const each of isHighlight(child) ? child.children : [child])
      if (isHtmlElement(each)) seen.push(each);
      else pushText(seen, each);
  return seen;
}

/** The colors of code depend on the lines before it. */
const isHighlight = (tree: Tree): tree is HtmlElement =>
  isHtmlElement(tree) && classNamesOf(tree.attributes).some((each) => each.startsWith('hl-'));
