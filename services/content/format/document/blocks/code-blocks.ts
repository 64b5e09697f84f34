import type { Element, Node } from '../../markdown/nesting.js';
import { textOfNodes } from '../../markdown/source-text.js';
import { type Context, newBlock } from '../context/context.js';
import { type BlockNode, type Data, type DocumentNode, textNode } from '../document-model.js';
import { writeElement } from '../inlines/html-inlines.js';
import { writeText } from '../inlines/inline-writer.js';
import { newInlineWriter } from '../inlines/inlines.js';

/** A code block; `info` is what stands after the fence, its first word the syntax. */
export function codeBlock(
  context: Context,
  value: string,
  info: string,
  attributes: Record<string, string> = {},
): BlockNode {
  const lines = value.split('\n').map((line) => codeLineBlock(context, [textNode(line)], false));
  return codeBlockOf(context, lines, info.split(/\s/, 1)[0] ?? '', attributes);
}

function codeLineBlock(context: Context, nodes: DocumentNode[], highlighted: boolean): BlockNode {
  return newBlock(context, 'code-line', highlighted ? { highlighted } : {}, { nodes });
}

function codeBlockOf(
  context: Context,
  nodes: BlockNode[],
  syntax: string,
  attributes: Record<string, string>,
): BlockNode {
  const { title, overflow, lineNumbers, fullWidth, expandable } = attributes;
  const data: Data = {};
  if (syntax !== '') data.syntax = syntax;
  if (title) data.title = title;
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow;
  if (lineNumbers !== undefined) data.lineNumbers = lineNumbers === 'true';
  if (fullWidth !== undefined) data.fullWidth = fullWidth === 'true';
  if (expandable !== undefined) data.expandable = expandable === 'true';
  return newBlock(context, 'code', data, { nodes, identity: title });
}

/** `<pre class="language-x"><code>`, in which `<strong>` marks highlighted lines and links may be annotations. */
export function preBlock(context: Context, pre: Element, given: Record<string, string>): BlockNode {
  const code = pre.children.find((child): child is Element => child.kind === 'element' && child.name === 'code');
  const lines: Line[] = [{ nodes: [], highlighted: false }];
  addPreLines(lines, pre.children, context, false);
  const languages = `${pre.attributes.class ?? ''} ${code?.attributes.class ?? ''}`;
  const syntax = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(languages)?.[1] ?? '';
  const attributes: Record<string, string> = {};
  for (const name of ['title', 'overflow', 'expandable']) {
    const value = pre.attributes[`data-${name}`];
    if (value !== undefined) attributes[name] = value;
  }
  const lineNumbers = pre.attributes['data-line-numbers'];
  if (lineNumbers !== undefined) attributes.lineNumbers = lineNumbers === 'false' ? 'false' : 'true';
  return codeBlockOf(context, codeLineBlocks(lines, context), syntax, { ...attributes, ...given });
}

interface Line {
  nodes: DocumentNode[];
  highlighted: boolean;
}

/** Adds the content of a `<pre>`, split into lines. */
function addPreLines(lines: Line[], nodes: Node[], context: Context, highlighted: boolean): void {
  for (const node of nodes) {
    const last = lines.at(-1);
    if (node.kind !== 'element' || node.name === 'br') addTextLines(lines, textOfNodes([node]), context, highlighted);
    else if (last && 'data-footnote-ref' in node.attributes)
      writeElement(newInlineWriter(context, 1, last.nodes), node);
    else addPreLines(lines, node.children, context, highlighted || HIGHLIGHTS.has(node.name));
  }
}

const HIGHLIGHTS = new Set(['strong', 'b', 'mark']);

function addTextLines(lines: Line[], value: string, context: Context, highlighted: boolean): void {
  for (const [index, part] of value.split('\n').entries()) {
    if (index > 0) lines.push({ nodes: [], highlighted: false });
    const line = lines.at(-1);
    if (!line || part === '') continue;
    writeText(newInlineWriter(context, 1, line.nodes), part);
    line.highlighted ||= highlighted;
  }
}

/** Drops an empty last line, and an empty first one as HTML does. */
function codeLineBlocks(lines: Line[], context: Context): BlockNode[] {
  if (lines.length > 1 && lines.at(-1)?.nodes.length === 0) lines.pop();
  if (lines.length > 1 && lines[0]?.nodes.length === 0) lines.shift();
  return lines.map(({ nodes, highlighted }) =>
    codeLineBlock(context, nodes.length > 0 ? nodes : [textNode('')], highlighted),
  );
}
