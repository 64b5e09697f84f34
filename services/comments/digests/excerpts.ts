import type { PageBody } from '../../content/resources.js';

/** Nodes of a document, as far as their text needs them. */
interface Node {
  object: string;
  type?: string;
  nodes?: Node[];
  leaves?: { text: string }[];
  fragments?: { nodes: Node[] }[];
  data?: { ref?: { kind: string; user?: string } };
}

/** The text of a body without its markup. `nameOf`: the name of a user who is mentioned. */
export const excerptOf = (document: PageBody, nameOf: (user: string) => string): string =>
  textOf(document as Node, nameOf).trim();

function textOf({ object, type, nodes = [], leaves = [], fragments = [], data }: Node, nameOf: NameOf): string {
  if (type === 'mention' && data?.ref?.user !== undefined) return `@${nameOf(data.ref.user)}`;
  const inner = [...nodes, ...fragments.flatMap((fragment) => fragment.nodes)].map((node) => textOf(node, nameOf));
  const text = leaves.map((leaf) => leaf.text).join('') + inner.join('');
  return object === 'block' ? `${text} ` : text;
}

type NameOf = (user: string) => string;
