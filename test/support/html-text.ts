import type { DefaultTreeAdapterTypes } from 'parse5';

/** The text of an element and of all that it holds. */
export function plainText(node: DefaultTreeAdapterTypes.Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(plainText).join('') : '';
}
