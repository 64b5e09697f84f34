import { type Node, nestBlocks, nestInlines } from './nesting.js';

/** The text of nodes before they become a document, without markup, one line a block: for labels, options and code. */
export function textOfNodes(nodes: Node[]): string {
  let out = '';
  let apart = false;
  for (const node of nodes) {
    const text = textOfNode(node);
    const isBlock = isBlockNode(node);
    if (out !== '' && text !== '' && (isBlock || apart) && !out.endsWith('\n')) out += '\n';
    out += text;
    apart = isBlock || (apart && text === '');
  }
  return out;
}

const BLOCK_KINDS = new Set<Node['kind']>([
  'paragraph',
  'heading',
  'code',
  'math-block',
  'list',
  'quote',
  'table',
  'rule',
]);
const BLOCK_ELEMENTS = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td th tr ul'.split(
    ' ',
  ),
);

const isBlockNode = (node: Node): boolean =>
  BLOCK_KINDS.has(node.kind) ||
  (node.kind === 'element' && BLOCK_ELEMENTS.has(node.name)) ||
  node.kind === 'tag-element';

function textOfNode(node: Node): string {
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
      return node.items.map((item) => textOfNodes(nestBlocks(item.children, 1))).join('\n');
    case 'quote':
      return textOfNodes(nestBlocks(node.children, 1));
    case 'table':
      return node.rows.flat().join(' ');
    case 'element':
      return node.name === 'br' ? '\n' : textOfNodes(node.children);
    case 'footnote':
    case 'rule':
      return '';
    case 'tag-element':
      return textOfNodes(node.children);
    default:
      return textOfNodes(nestInlines(node.children, 1));
  }
}

/** Whether the nodes hold only white space. */
export function isBlank(nodes: Node[]): boolean {
  return nodes.every((node) => (node.kind === 'html-text' || node.kind === 'text') && isBlankText(node));
}

function isBlankText(node: { kind: 'html-text'; text: string } | { kind: 'text'; value: string }): boolean {
  return (node.kind === 'text' ? node.value : node.text).trim() === '';
}
