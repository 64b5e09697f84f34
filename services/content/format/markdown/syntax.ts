/** The syntax tree of a page: blocks hold raw text, which `parseInlines` turns into inlines. */
export type Align = 'left' | 'center' | 'right' | undefined;

/** A `{% name … %}` or `{% endname %}`; `source` is the text as written, shown when the tag is unknown. */
export interface Tag {
  name: string;
  closing: boolean;
  /** The text between the name and `%}`, trimmed. */
  args: string;
  source: string;
}

export interface ListItem {
  children: Block[];
  /** The line on which it begins, and the first one after it; blank lines at its end are its own. */
  line: number;
  end: number;
}

export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; depth: number; text: string }
  | { kind: 'rule' }
  | { kind: 'code'; info: string; value: string }
  | { kind: 'math-block'; formula: string }
  | { kind: 'html-block'; html: string }
  | { kind: 'tag'; tag: Tag }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; marker: string; items: ListItem[] }
  /** The first row is the header; cells are raw inline text. */
  | { kind: 'table'; align: Align[]; rows: string[][] };

export type Inline =
  | { kind: 'text'; value: string }
  | { kind: 'code-span'; value: string }
  | { kind: 'emphasis' | 'strong' | 'strike'; children: Inline[] }
  | { kind: 'link'; url: string; title: string; place?: LinkPlace; children: Inline[] }
  | { kind: 'image'; url: string; title: string; alt: string }
  | { kind: 'break' }
  | { kind: 'html'; html: string }
  | { kind: 'math'; formula: string }
  | { kind: 'footnote'; label: string };

/** Where a link in brackets stands in its text: `[` before `from`, `]` at `to`, its target up to `end`. */
export interface LinkPlace {
  from: number;
  to: number;
  end: number;
}

export interface LinkDestination {
  url: string;
  title: string;
}

/** A line on which something of the page itself begins: its blocks from index `block` on, or a definition before them. */
export interface Top {
  line: number;
  block: number;
}

export interface Markdown {
  /** Tags, math, footnotes and HTML are text. */
  plain: boolean;
  blocks: Block[];
  /** The number of its lines. */
  lines: number;
  tops: Top[];
  /** By normalised label. */
  definitions: Map<string, LinkDestination>;
  footnotes: Map<string, Block[]>;
  /** The line on which each footnote begins. */
  footnoteLines: Map<string, number>;
}

/** The greatest depth of containers and elements; deeper content becomes plain text of the last level. */
export const MAX_DEPTH = 100;
