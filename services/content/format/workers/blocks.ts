import { type AnyNode, type BlockNode, childrenOf, type JSONDocument } from '../document/document-model.js';
import { plainText } from '../document/plain-text.js';

/** Characters. */
const maxPreview = 200;

/** Every block of a document, at any depth: in cells of tables and in notes as well. */
function* eachBlock({ nodes }: JSONDocument): Generator<BlockNode> {
  const open: AnyNode[] = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object === 'block') yield node;
    for (const child of childrenOf(node)) open.push(child);
  }
}

export const keysOf = (document: JSONDocument): string[] => [...eachBlock(document)].map(({ key }) => key);

/** The text of a block in one line; undefined where the document has no such block. */
export function previewOf(document: JSONDocument, key: string): string | undefined {
  for (const block of eachBlock(document)) if (block.key === key) return inOneLine(plainText([block]));
  return undefined;
}

/** Without half a character at its end. */
const inOneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxPreview)
    .replace(/[\uD800-\uDBFF]$/, '');
