import type { BlockNode, DocumentNode } from '../document-model.js';

/** A 53-bit hash in base 36 (cyrb53): eleven characters, enough to avoid collisions within one page. */
export function textHash(value: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36).padStart(11, '0');
}

/** The text that the key of a block depends on: its own, and the hashes of the blocks inside without their ordinals. */
export function contentHash(block: BlockNode): string {
  let out = nodesHash(block.nodes);
  for (const fragment of block.fragments ?? []) out += `\n${nodesHash(fragment.nodes)}`;
  return out;
}

function nodesHash(nodes: DocumentNode[] | undefined): string {
  let out = '';
  for (const node of nodes ?? []) {
    if (node.object === 'text') for (const leaf of node.leaves) out += leaf.text;
    else if (node.object === 'block') out += `${node.key.split('-', 1)[0]} `;
    else {
      const { label, code, formula, expression, icon } = node.data;
      out += `${node.type}${label ?? code ?? formula ?? expression ?? icon ?? ''}${nodesHash(node.nodes)}`;
    }
  }
  return out;
}
