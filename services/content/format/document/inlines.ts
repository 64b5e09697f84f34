import { emojiCode } from '../markdown/emoji.js';
import { parseInlines } from '../markdown/inline.js';
import { type Node, nestBlocks, nestInlines } from '../markdown/nesting.js';
import { type Context, refOf } from './context.js';
import { type DocumentNode, type InlineNode, type Mark, text, voidInline } from './document-model.js';
import { footnoteBody } from './footnotes.js';
import { elementInline } from './html-inlines.js';

/** Writes inline nodes; adjacent texts become leaves of one text node. */
export interface Writer {
  context: Context;
  out: DocumentNode[];
  marks: Mark[];
  inLink: boolean;
  depth: number;
}

/** The inlines of a paragraph; blocks among them are replaced by their text. Never empty. */
export function inlineNodes(nodes: Node[], context: Context, depth: number): DocumentNode[] {
  const writer: Writer = { context, out: [], marks: [], inLink: false, depth };
  writeNodes(writer, nodes);
  return writer.out.length > 0 ? writer.out : [text('')];
}

/** The inlines of raw text, such as a heading or a cell. */
export function parsedInlines(source: string, context: Context, depth: number): Node[] {
  return nestInlines(parseInlines(source, context.page), depth);
}

export function writeNodes(writer: Writer, nodes: Node[]): void {
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
      writeProse(writer, node.value.includes('\n') ? node.value.replaceAll('\n', ' ') : node.value);
      return;
    case 'html-text':
      writeProse(writer, node.text.replace(/[ \t\n\r\f]+/g, ' '));
      return;
    case 'break':
      writeText(writer, '\n');
      return;
    case 'code-span':
      withMark(writer, { object: 'mark', type: 'code' }, () => writeText(writer, node.value));
      return;
    case 'emphasis':
    case 'strong':
    case 'strike':
      withMark(writer, MARKS[node.kind], () => writeNodes(writer, nestInlines(node.children, writer.depth + 1)));
      return;
    case 'link':
      writeLink(writer, node.url, node.title === 'mention', nestInlines(node.children, writer.depth + 1));
      return;
    case 'image': {
      const ref = refOf(writer.context, node.url, 'image');
      writer.out.push(voidInline('inline-image', { ref, ...(node.alt === '' ? {} : { caption: node.alt }) }));
      return;
    }
    case 'math':
      writer.out.push(voidInline('inline-math', { formula: node.formula }));
      return;
    case 'footnote':
      writeAnnotation(writer, node.label, [{ kind: 'text', value: node.label.toLowerCase() }]);
      return;
    case 'element':
      elementInline(writer, node);
      return;
    default:
      writeBlock(writer, node);
  }
}

/** A block in a place for inlines only. */
function writeBlock(writer: Writer, node: Node): void {
  if (writer.out.length > 0) writeText(writer, ' ');
  const inner = { ...writer, depth: writer.depth + 1 };
  if (node.kind === 'paragraph' || node.kind === 'heading') {
    writeNodes(inner, parsedInlines(node.text, writer.context, inner.depth));
  } else if (node.kind === 'code') writeText(writer, node.value);
  else if (node.kind === 'math-block') writer.out.push(voidInline('inline-math', { formula: node.formula }));
  else if (node.kind === 'list')
    for (const item of node.items) writeNodes(inner, nestBlocks(item.children, inner.depth));
  else if (node.kind === 'quote') writeNodes(inner, nestBlocks(node.children, inner.depth));
  else if (node.kind === 'table')
    for (const cell of node.rows.flat()) writeBlock(inner, { kind: 'paragraph', text: cell });
  else if (node.kind === 'tag-element') writeNodes(inner, node.children);
}

const MARKS = {
  emphasis: { object: 'mark', type: 'italic' },
  strong: { object: 'mark', type: 'bold' },
  strike: { object: 'mark', type: 'strikethrough' },
} as const satisfies Record<string, Mark>;

export function withMark(writer: Writer, mark: Mark, write: () => void): void {
  const before = writer.marks;
  // Each kind of mark once; the innermost colour wins.
  writer.marks = [...before.filter((other) => other.type !== mark.type), mark];
  write();
  writer.marks = before;
}

const SHORT_NAME = /:([a-z0-9_+-]{1,40}):/g;

function writeProse(writer: Writer, value: string): void {
  if (!value.includes(':')) {
    writeText(writer, value);
    return;
  }
  let from = 0;
  for (const match of value.matchAll(SHORT_NAME)) {
    const code = emojiCode(match[1] ?? '');
    if (code === undefined || match.index < from) continue;
    writeText(writer, value.slice(from, match.index));
    writer.out.push(voidInline('emoji', { code }));
    from = match.index + match[0].length;
  }
  writeText(writer, value.slice(from));
}

export function writeText(writer: Writer, value: string): void {
  if (value === '') return;
  const last = writer.out.at(-1);
  if (last?.object !== 'text') {
    writer.out.push(text(value, writer.marks));
    return;
  }
  const leaf = last.leaves.at(-1);
  if (leaf?.marks === writer.marks) leaf.text += value;
  else last.leaves.push({ object: 'leaf', text: value, marks: writer.marks });
}

/** A link, or a mention when its target is known (otherwise its text would be lost). */
export function writeLink(writer: Writer, url: string, mention: boolean, children: Node[]): void {
  if (writer.inLink) {
    writeNodes(writer, children);
    return;
  }
  const ref = refOf(writer.context, url, mention ? 'mention' : 'link');
  if (mention && ref.kind !== 'url') {
    writer.out.push(voidInline('mention', { ref }));
    return;
  }
  const nodes = innerNodes(writer, children, true);
  writer.out.push({ object: 'inline', type: 'link', isVoid: false, data: { ref }, nodes });
}

export function innerNodes(writer: Writer, children: Node[], inLink: boolean): DocumentNode[] {
  const inner: Writer = { ...writer, out: [], inLink, depth: writer.depth + 1 };
  writeNodes(inner, children);
  return inner.out.length > 0 ? inner.out : [text('')];
}

export function writeAnnotation(writer: Writer, label: string, children: Node[]): void {
  const nodes = innerNodes(writer, children, writer.inLink);
  const fragments = [footnoteBody(writer.context, label, writer.depth)];
  const annotation: InlineNode = { object: 'inline', type: 'annotation', isVoid: false, data: {}, nodes, fragments };
  writer.out.push(annotation);
}
