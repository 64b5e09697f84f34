import { type Node, nestBlocks, nestInlines } from './nesting.js';

/** The text of nodes that are not (yet) a document, markup left out: for labels, options and code. */
export function nodesText(nodes: Node[]): string {
  let out = '';
  for (const node of nodes) out += nodeText(node);
  return out;
}

function nodeText(node: Node): string {
  switch (node.kind) {
    case 'text':
    case 'code-span':
    case 'code':
      return node.value;
    case 'html-text':
    case 'paragraph':
    case 'heading':
      return node.text;
    case 'break':
      return '\n';
    case 'math':
    case 'math-block':
      return node.formula;
    case 'image':
      return node.alt;
    case 'list':
      return node.items.map((item) => nodesText(nestBlocks(item.children, 1))).join('\n');
    case 'quote':
      return nodesText(nestBlocks(node.children, 1));
    case 'table':
      return node.rows.flat().join(' ');
    case 'element':
      return node.name === 'br' ? '\n' : nodesText(node.children);
    case 'footnote':
    case 'rule':
      return '';
    case 'tag-element':
      return nodesText(node.children);
    default:
      return nodesText(nestInlines(node.children, 1));
  }
}

/** Whether nothing but white space is written. */
export function isBlank(nodes: Node[]): boolean {
  return nodes.every((node) => (node.kind === 'html-text' || node.kind === 'text') && blankText(node));
}

function blankText(node: { kind: 'html-text'; text: string } | { kind: 'text'; value: string }): boolean {
  return (node.kind === 'text' ? node.value : node.text).trim() === '';
}
