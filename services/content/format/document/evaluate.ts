import { decodeEntities, endOfHtmlTag } from '../markdown/html.js';
import { readTag } from '../markdown/tags.js';
import { toDocument } from './document.js';
import { type AnyNode, type BlockNode, childNodesOf, type JSONDocument, textNode } from './document-model.js';
import { plainText } from './plain-text.js';

/** Evaluates expressions for one reader. */
export interface Expressions {
  holds(expression: string): boolean;
  print(expression: string): string;
}

/** Whether the nodes contain `if` blocks or expressions, so that readers may see them differently. */
export function needsEvaluation(nodes: AnyNode[]): boolean {
  return nodes.some(
    (node) =>
      (node.object === 'block' && node.type === 'if') ||
      (node.object === 'inline' && node.type === 'expression') ||
      needsEvaluation(childNodesOf(node)),
  );
}

/** The document as a reader sees it: `if` blocks removed or opened, expressions printed. Does not change its input. */
export function evaluateDocument(document: JSONDocument, expressions: Expressions): JSONDocument {
  return { ...document, nodes: evaluateNodes(document.nodes, expressions) as BlockNode[] };
}

const expressionOf = ({ data }: { data: Record<string, unknown> }) => String(data.expression ?? '');

function evaluateNodes(nodes: AnyNode[], expressions: Expressions): AnyNode[] {
  return nodes.flatMap((node): AnyNode[] => {
    if (node.object === 'text') return [node];
    if (node.object === 'block' && node.type === 'if')
      return expressions.holds(expressionOf(node)) ? evaluateNodes(node.nodes ?? [], expressions) : [];
    if (node.object === 'inline' && node.type === 'expression')
      return [textNode(expressions.print(expressionOf(node)))];
    return [needsEvaluation(childNodesOf(node)) ? evaluateChildren(node, expressions) : node];
  });
}

function evaluateChildren(node: Exclude<AnyNode, { object: 'text' }>, expressions: Expressions): AnyNode {
  const parts: { nodes?: AnyNode[]; fragments?: AnyNode[] } = {};
  if (node.nodes) parts.nodes = fillEmptyBlock(node, evaluateNodes(node.nodes, expressions));
  if (node.object !== 'fragment' && node.fragments) parts.fragments = evaluateNodes(node.fragments, expressions);
  return { ...node, ...parts } as AnyNode;
}

/** A block that contained blocks still contains one: clients rely on it. */
function fillEmptyBlock(node: AnyNode, nodes: AnyNode[]): AnyNode[] {
  if (nodes.length > 0) return nodes;
  if (childNodesOf(node)[0]?.object !== 'block') return [textNode('')];
  const key = 'key' in node ? `${node.key}-empty` : 'empty';
  return [{ object: 'block', type: 'paragraph', key, isVoid: false, data: {}, nodes: [textNode('')] }];
}

const signs = /[!-/:-@[-`{-~]/g;

const resolveNothing = () => undefined;
const visibleTextOf = (document: JSONDocument) => plainText(document.nodes).replace(/\s+/g, '');

/**
 * The source of a page as a reader sees it. Tags are cut out of the source text; the result must show the same text as
 * the evaluated document, otherwise the reader gets the plain text of the document.
 */
export function evaluateSource(source: string, expressions: Expressions): string {
  const document = toDocument(source, resolveNothing);
  if (!needsEvaluation(document.nodes)) return source;
  const evaluated = evaluateDocument(document, expressions);
  const cut = cutHiddenSource(source, expressions);
  return visibleTextOf(toDocument(cut, resolveNothing)) === visibleTextOf(evaluated)
    ? cut
    : plainText(evaluated.nodes).replace(signs, '\\$&').replaceAll('\n', '\n\n');
}

/** Characters. Longer marks are not cut; the comparison with the document then decides. */
const maxMark = 4096;
const fenceLine = /^[ \t>]*(`{3,}|~{3,})/;
const expressionTag = /<code\b[^<>]{0,200}\bexpression\b[^<>]{0,200}>/y;

function cutHiddenSource(source: string, expressions: Expressions): string {
  let out = '';
  let fence = '';
  const open: OpenTags = { shown: [], hiding: 0 };
  const write = (part: string) => {
    if (open.hiding === 0) out += part;
  };
  for (let at = 0; at < source.length; ) {
    const lineEnd = source.indexOf('\n', at) < 0 ? source.length : source.indexOf('\n', at) + 1;
    const line = source.slice(at, lineEnd);
    const mark = fenceLine.exec(line)?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : '';
      write(line);
    } else if (fence !== '') write(line);
    else {
      at = cutLine(source, at, lineEnd, { expressions, open, write });
      continue;
    }
    at = lineEnd;
  }
  return out;
}

/** Whether each open `if` tag shows its content, and how many do not. */
interface OpenTags {
  shown: boolean[];
  hiding: number;
}

interface Cutting {
  expressions: Expressions;
  open: OpenTags;
  write(part: string): void;
}

/** Handles one line, or more when a tag extends over several; returns the position after it. */
function cutLine(source: string, from: number, lineEnd: number, cutting: Cutting): number {
  let at = from;
  while (at < lineEnd) {
    const next = nextMark(source, at, lineEnd);
    cutting.write(source.slice(at, next));
    if (next >= lineEnd) return lineEnd;
    const end = source[next] === '{' ? cutTag(source, next, cutting) : replaceExpression(source, next, cutting);
    if (end === undefined) cutting.write(source[next] as string);
    at = end ?? next + 1;
  }
  return at;
}

function nextMark(source: string, from: number, to: number): number {
  for (let at = from; at < to; at++)
    if ((source[at] === '{' && source[at + 1] === '%') || (source[at] === '<' && source[at + 1] === 'c')) return at;
  return to;
}

function cutTag(source: string, from: number, { expressions, open, write }: Cutting): number | undefined {
  const [near = ''] = source.slice(from, from + maxMark).split('\n\n', 1);
  const read = readTag(near, 0);
  if (!read) return undefined;
  const { name, closing, args } = read.tag;
  if (name !== 'if') write(read.tag.source);
  else if (closing) {
    if (open.shown.pop() === false) open.hiding -= 1;
  } else {
    const holds = expressions.holds(args);
    open.shown.push(holds);
    if (!holds) open.hiding += 1;
  }
  return from + read.end;
}

function replaceExpression(source: string, from: number, { expressions, write }: Cutting): number | undefined {
  expressionTag.lastIndex = from;
  if (!expressionTag.test(source)) return undefined;
  const near = source.slice(from, from + maxMark);
  const open = endOfHtmlTag(near, 0);
  const close = near.indexOf('</code>');
  if (open < 0 || close < open) return undefined;
  write(expressions.print(decodeEntities(near.slice(open, close))).replace(signs, '\\$&'));
  return from + close + '</code>'.length;
}
