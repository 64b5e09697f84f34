import type { PageBody } from '../../content/resources.js';

/** Nodes of a document, as far as their text needs them. */
interface TextNode {
  object: string;
  type?: string;
  nodes?: TextNode[];
  leaves?: { text: string }[];
  fragments?: { nodes: TextNode[] }[];
  data?: { ref?: { kind: string; user?: string } };
}

type NameOf = (user: string) => string;

/** The text of a body without its markup. `nameOf`: the name of a user who is mentioned. */
export const bodyExcerpt = (document: PageBody, nameOf: NameOf): string =>
  plainTextOf(document as TextNode, nameOf).trim();

function plainTextOf(
  { object, type, nodes = [], leaves = [], fragments = [], data }: TextNode,
  nameOf: NameOf,
): string {
  if (type === 'mention' && data?.ref?.user !== undefined) return `@${nameOf(data.ref.user)}`;
  const inner = [...nodes, ...fragments.flatMap((fragment) => fragment.nodes)].map((node) => plainTextOf(node, nameOf));
  const text = leaves.map((leaf) => leaf.text).join('') + inner.join('');
  return object === 'block' ? `${text} ` : text;
}
