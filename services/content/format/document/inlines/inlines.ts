import { emojiCode } from '../../markdown/emoji.js';
import { parseInlines } from '../../markdown/inlines/inline.js';
import { type Node, nestBlocks, nestInlines } from '../../markdown/nesting.js';
import { type Context, refOfUrl } from '../context/context.js';
import { type DocumentNode, type Mark, newVoidInline, textNode } from '../document-model.js';
import { writeElement } from './html-inlines.js';
import {
  type Writer,
  writeAnnotation,
  writeInlineNodes,
  writeLink,
  writeText,
  writeWithMark,
} from './inline-writer.js';

const NO_MARKS: Mark[] = [];

/** A writer of inlines after those in `out`. */
export const newInlineWriter = (context: Context, depth: number, out: DocumentNode[] = []): Writer => ({
  context,
  out,
  marks: NO_MARKS,
  inLink: false,
  depth,
  convertNodes: writeEachNode,
});

/** The inlines of a paragraph; blocks among them are replaced by their text. Never empty. */
export function convertToInlines(nodes: Node[], context: Context, depth: number): DocumentNode[] {
  const writer = newInlineWriter(context, depth);
  writeEachNode(writer, nodes);
  return writer.out.length > 0 ? writer.out : [textNode('')];
}

/** The inlines of raw text, such as a heading or a cell. */
export function parseRawInlines(source: string, context: Context, depth: number): Node[] {
  return nestInlines(parseInlines(source, context.page), depth);
}

function writeEachNode(writer: Writer, nodes: Node[]): void {
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node;
    const next = nodes[at + 1];
    // Annotations are exported as `[annotated text](#user-content-fn-1)[^1]`.
    if (node.kind === 'link' && next?.kind === 'footnote' && node.url.startsWith('#user-content-fn-')) {
      writeAnnotation(writer, next.label, nestInlines(node.children, writer.depth + 1));
      at++;
    } else writeNode(writer, node);
  }
}

function writeNode(writer: Writer, node: Node): void {
  switch (node.kind) {
    case 'text':
      writeWithEmoji(writer, node.value.includes('\n') ? node.value.replaceAll('\n', ' ') : node.value);
      return;
    case 'html-text':
      writeWithEmoji(writer, node.text.replace(/[ \t\n\r\f]+/g, ' '));
      return;
    case 'break':
      writeText(writer, '\n');
      return;
    case 'code-span':
      writeWithMark(writer, { object: 'mark', type: 'code' }, () => writeText(writer, node.value));
      return;
    case 'emphasis':
    case 'strong':
    case 'strike':
      writeWithMark(writer, MARKS[node.kind], () =>
        writeInlineNodes(writer, nestInlines(node.children, writer.depth + 1)),
      );
      return;
    case 'link':
      writeLink(writer, node.url, node.title === 'mention', nestInlines(node.children, writer.depth + 1));
      return;
    case 'image': {
      const ref = refOfUrl(writer.context, node.url, 'image');
      writer.out.push(newVoidInline('inline-image', { ref, ...(node.alt === '' ? {} : { caption: node.alt }) }));
      return;
    }
    case 'math':
      writer.out.push(newVoidInline('inline-math', { formula: node.formula }));
      return;
    case 'footnote':
      writeAnnotation(writer, node.label, [{ kind: 'text', value: node.label.toLowerCase() }]);
      return;
    case 'element':
      writeElement(writer, node);
      return;
    default:
      writeBlockInline(writer, node);
  }
}

/** A block in a place for inlines only. */
function writeBlockInline(writer: Writer, node: Node): void {
  if (writer.out.length > 0) writeText(writer, ' ');
  const inner = { ...writer, depth: writer.depth + 1 };
  if (node.kind === 'paragraph' || node.kind === 'heading') {
    writeInlineNodes(inner, parseRawInlines(node.text, writer.context, inner.depth));
  } else if (node.kind === 'code') writeText(writer, node.value);
  else if (node.kind === 'math-block') writer.out.push(newVoidInline('inline-math', { formula: node.formula }));
  else if (node.kind === 'list')
    for (const item of node.items) writeInlineNodes(inner, nestBlocks(item.children, inner.depth));
  else if (node.kind === 'quote') writeInlineNodes(inner, nestBlocks(node.children, inner.depth));
  else if (node.kind === 'table')
    for (const cell of node.rows.flat()) writeBlockInline(inner, { kind: 'paragraph', text: cell });
  else if (node.kind === 'tag-element') writeInlineNodes(inner, node.children);
}

const MARKS = {
  emphasis: { object: 'mark', type: 'italic' },
  strong: { object: 'mark', type: 'bold' },
  strike: { object: 'mark', type: 'strikethrough' },
} as const satisfies Record<string, Mark>;

const SHORT_NAME = /:([a-z0-9_+-]{1,40}):/g;

function writeWithEmoji(writer: Writer, value: string): void {
  if (!value.includes(':')) {
    writeText(writer, value);
    return;
  }
  let from = 0;
  for (const match of value.matchAll(SHORT_NAME)) {
    const code = emojiCode(match[1] ?? '');
    if (code === undefined || match.index < from) continue;
    writeText(writer, value.slice(from, match.index));
    writer.out.push(newVoidInline('emoji', { code }));
    from = match.index + match[0].length;
  }
  writeText(writer, value.slice(from));
}
