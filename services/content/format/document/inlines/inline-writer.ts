import type { Node } from '../../markdown/nesting.js';
import { type Context, refOfUrl } from '../context/context.js';
import { footnoteFragment } from '../context/footnotes.js';
import { type DocumentNode, type InlineNode, type Mark, newVoidInline, textNode } from '../document-model.js';

/** Writes inline nodes; adjacent texts become leaves of one text node. */
export interface Writer {
  context: Context;
  out: DocumentNode[];
  marks: Mark[];
  inLink: boolean;
  depth: number;
  /** Converts the nodes in an inline: it is passed here because the writers of inlines need each other. */
  convertNodes: (writer: Writer, nodes: Node[]) => void;
}

export const writeInlineNodes = (writer: Writer, nodes: Node[]): void => writer.convertNodes(writer, nodes);

export function writeWithMark(writer: Writer, mark: Mark, write: () => void): void {
  const before = writer.marks;
  // Each kind of mark once; the innermost colour wins.
  writer.marks = [...before.filter((other) => other.type !== mark.type), mark];
  write();
  writer.marks = before;
}

export function writeText(writer: Writer, value: string): void {
  if (value === '') return;
  const last = writer.out.at(-1);
  if (last?.object !== 'text') {
    writer.out.push(textNode(value, writer.marks));
    return;
  }
  const leaf = last.leaves.at(-1);
  if (leaf?.marks === writer.marks) leaf.text += value;
  else last.leaves.push({ object: 'leaf', text: value, marks: writer.marks });
}

/** A link, or a mention when its target is known (otherwise its text would be lost). */
export function writeLink(writer: Writer, url: string, mention: boolean, children: Node[]): void {
  if (writer.inLink) {
    writeInlineNodes(writer, children);
    return;
  }
  const ref = refOfUrl(writer.context, url, mention ? 'mention' : 'link');
  if (mention && ref.kind !== 'url') {
    writer.out.push(newVoidInline('mention', { ref }));
    return;
  }
  const nodes = nodesWrittenInside(writer, children, true);
  writer.out.push({ object: 'inline', type: 'link', isVoid: false, data: { ref }, nodes });
}

function nodesWrittenInside(writer: Writer, children: Node[], inLink: boolean): DocumentNode[] {
  const inner: Writer = { ...writer, out: [], inLink, depth: writer.depth + 1 };
  writeInlineNodes(inner, children);
  return inner.out.length > 0 ? inner.out : [textNode('')];
}

export function writeAnnotation(writer: Writer, label: string, children: Node[]): void {
  const nodes = nodesWrittenInside(writer, children, writer.inLink);
  const fragments = [footnoteFragment(writer.context, label, writer.depth)];
  const annotation: InlineNode = { object: 'inline', type: 'annotation', isVoid: false, data: {}, nodes, fragments };
  writer.out.push(annotation);
}
