/** The JSON form of a page's content. Covers what this service writes; clients must expect more. */
export type DocumentRef =
  | { kind: 'url'; url: string }
  | { kind: 'file'; file: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'space'; space: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'openapi'; spec: string };

/** The id of the file or of the reusable content that a reference names; none for another reference. */
export const idsOfRef = ({ file, reusableContent }: Record<string, unknown>): string[] =>
  [file, reusableContent].filter((id) => typeof id === 'string');

export interface Mark {
  object: 'mark';
  type: 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript' | 'color';
  data?: { text: string; background: string };
}

export interface TextNode {
  object: 'text';
  leaves: { object: 'leaf'; text: string; marks: Mark[] }[];
}

export type Data = Record<string, unknown>;

export interface InlineNode {
  object: 'inline';
  type: string;
  isVoid: boolean;
  data: Data;
  nodes?: DocumentNode[];
  fragments?: Fragment[];
}

export interface BlockNode {
  object: 'block';
  type: string;
  /** Stays the same while the type and the text of the block do. */
  key: string;
  isVoid: boolean;
  data: Data;
  nodes?: DocumentNode[];
  fragments?: Fragment[];
  /** `id`: the anchor. */
  meta?: { id: string };
}

export interface Fragment {
  object: 'fragment';
  fragment: string;
  type: string;
  nodes: BlockNode[];
}

export type DocumentNode = BlockNode | InlineNode | TextNode;

export type AnyNode = DocumentNode | Fragment;

/** The children of a node, with its fragments. */
export const childNodesOf = (node: AnyNode): AnyNode[] =>
  node.object === 'text' ? [] : [...(node.nodes ?? []), ...(node.object === 'fragment' ? [] : (node.fragments ?? []))];

export interface JSONDocument {
  object: 'document';
  data: Data;
  nodes: BlockNode[];
}

/** The use of a URL; `include` is reusable content, `openapi` the slug of a specification. */
export type LinkKind =
  | 'link'
  | 'image'
  | 'file'
  | 'content-ref'
  | 'include'
  | 'openapi'
  | 'mention'
  | 'embed'
  | 'button';

/**
 * Turns a URL of the source into a reference; undefined keeps it as `{kind: 'url'}`. `section`: how many headings of the page with an
 * anchor have begun before it.
 */
export type Resolve = (url: string, kind: LinkKind, section: number) => DocumentRef | undefined;

export function textNode(value: string, marks: Mark[] = []): TextNode {
  return { object: 'text', leaves: [{ object: 'leaf', text: value, marks }] };
}

export function newVoidInline(type: string, data: Data): InlineNode {
  return { object: 'inline', type, isVoid: true, data };
}

export function newFragment(type: string, nodes: BlockNode[]): Fragment {
  return { object: 'fragment', fragment: type, type, nodes };
}
