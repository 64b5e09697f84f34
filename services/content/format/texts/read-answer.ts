import type { BlockNode, DocumentNode, TextNode } from '../document/document-model.js';
import type { PageBody } from '../resources.js';
import { readMarkdown } from './read-markdown.js';
import { buildTextDocument } from './text-blocks.js';
import { writeMarkdown } from './write-markdown.js';

/** A text that a model wrote, which cites its sources as `[1]`. */
export interface GivenAnswer {
  markdown: string;
  /** The page of each source, by any name: sources of the same page are cited as one. */
  pages: string[];
}

/** An answer in both forms. It links to nothing and shows nothing from elsewhere; `[1]` in it cites the first of the pages. */
export interface ReadAnswer {
  markdown: string;
  document: PageBody;
  /** The cited pages in their order, each as the positions of its cited sources. */
  cited: number[][];
}

const CITATION = /\[(\d{1,3}(?:[ \t]*,[ \t]*\d{1,3})*)\]/g;
const REFUSED_CHARACTERS = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202d\u202e]/gu;

/** Numbers the pages of an answer in the order in which it cites them. */
class Citations {
  private readonly numbers = new Map<string, number>();
  readonly cited: number[][] = [];

  constructor(private readonly pages: string[]) {}

  /** The text with the numbers of pages in place of those of sources; without those of no source. */
  renumber(text: string): string {
    return text.replace(CITATION, (_, list: string) => {
      const numbers = list.split(',').map((digits) => this.numberOf(Number(digits) - 1));
      return [...new Set(numbers)].map((number) => (number === undefined ? '' : `[${number}]`)).join('');
    });
  }

  private numberOf(source: number): number | undefined {
    const page = this.pages[source];
    if (page === undefined) return undefined;
    const number = this.numbers.get(page) ?? this.cited.push([]);
    this.numbers.set(page, number);
    const sources = this.cited[number - 1] as number[];
    if (!sources.includes(source)) sources.push(source);
    return number;
  }
}

/** Reads what a model wrote: GitHub-flavored Markdown, of which nobody knows what it was talked into. Never throws. */
export function readAnswer({ markdown, pages }: GivenAnswer): ReadAnswer {
  const citations = new Citations(pages);
  const { nodes } = readMarkdown(markdown.replace(REFUSED_CHARACTERS, ''));
  const document = buildTextDocument(nodes.map((node) => plainBlock(node, citations)));
  return { markdown: writeMarkdown(document), document: document as unknown as PageBody, cited: citations.cited };
}

function plainBlock(block: BlockNode, citations: Citations): BlockNode {
  if (block.type === 'code') return block;
  return {
    ...block,
    ...(block.nodes ? { nodes: plainNodes(block.nodes, citations) } : {}),
    ...(block.fragments
      ? {
          fragments: block.fragments.map((part) => ({
            ...part,
            nodes: part.nodes.map((node) => plainBlock(node, citations)),
          })),
        }
      : {}),
  };
}

/** Nodes whose links and mentions are their text: an address could carry away what was asked and answered. */
function plainNodes(nodes: DocumentNode[], citations: Citations): DocumentNode[] {
  return nodes.flatMap((node): DocumentNode[] => {
    if (node.object === 'block') return [plainBlock(node, citations)];
    if (node.object === 'inline') return plainNodes(node.nodes ?? [], citations);
    return [plainText(node, citations)];
  });
}

const plainText = ({ leaves }: TextNode, citations: Citations): TextNode => ({
  object: 'text',
  leaves: leaves.map((leaf) =>
    leaf.marks.some(({ type }) => type === 'code') ? leaf : { ...leaf, text: citations.renumber(leaf.text) },
  ),
});
