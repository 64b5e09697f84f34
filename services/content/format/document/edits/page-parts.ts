import { locateParts, normalizeText, splitLines } from '../../space/source-parts.js';
import { isInlineNode } from '../blocks/blocks.js';
import { blocksOf } from '../context/context.js';
import { unusedFootnoteBlocks } from '../context/footnotes.js';
import { bodyReadingOptions, type DocumentOptions, type OpenBody, openBody } from '../document.js';
import type { BlockNode, DocumentNode } from '../document-model.js';

export interface PageParts {
  /** The source up to the first part. */
  start: string;
  parts: PagePart[];
}

export interface PagePart extends BodyPart {
  /** The same for the same blocks, for the definition of the same footnote, and for the same text without blocks. */
  id: string;
  /** Whether it can be reverted. */
  isKeyed: boolean;
  text: string;
  /** The blank lines after it. */
  space: string;
}

export function readPageParts(source: string, reading: DocumentOptions): PageParts {
  const { body } = locateParts(source);
  const lines = splitLines(source.slice(body));
  const found = divideBody(normalizeText(source.slice(body)), reading);
  const parts = found.map((part, at): PagePart => {
    const { text, space } = splitTrailingBlanks(lines, part.line, found[at + 1]?.line);
    const keys =
      part.blocks.length > 0 ? part.blocks.map(({ key }) => key) : part.defines.map((label) => `[^${label}]`);
    const isKeyed = keys.length > 0;
    return { ...part, id: isKeyed ? keys.join(' ') : `text ${text.trim()}`, isKeyed, text, space };
  });
  return { start: source.slice(0, body) + lines.slice(0, found[0]?.line).join(''), parts };
}

/** Lines without the blank ones at their end; those at the end of the page may belong to what is open there. */
function splitTrailingBlanks(lines: string[], from: number, next: number | undefined): { text: string; space: string } {
  let to = next ?? lines.length;
  while (next !== undefined && to > from && /^[ \t]*[\r\n]*$/.test(lines[to - 1] ?? '')) to--;
  return { text: lines.slice(from, to).join(''), space: lines.slice(to, next).join('') };
}

/** The parts that blocks with these keys stand for, and keys of no block. */
export function partsWithKeys(keys: string[], parts: PagePart[]): { hit: Set<PagePart>; unknown: string[] } {
  const hit = new Set<PagePart>();
  const selectParts = (wanted: ReadonlySet<string>, namesOf: (part: PagePart) => string[]) => {
    const found = new Set<string>();
    for (const part of wanted.size > 0 ? parts : []) {
      for (const name of namesOf(part)) {
        if (!wanted.has(name)) continue;
        hit.add(part);
        found.add(name);
      }
    }
    return found;
  };
  const keysOf = ({ blocks }: PagePart) => blocks.map(({ key }) => key);
  const top = selectParts(new Set(keys), ({ blocks, unused }) => [...blocks, ...unused].map(({ key }) => key));
  const nested = selectParts(new Set(keys.filter((key) => !top.has(key))), ({ blocks, unused }) =>
    keysOfInnerBlocks([...blocks, ...unused]),
  );
  // Blocks that share their lines on one page need not on the other.
  selectParts(new Set([...hit].flatMap(keysOf)), keysOf);
  const labels = [...hit].flatMap(({ defines, mentions }) => [...defines, ...mentions]);
  selectParts(new Set(labels), ({ defines }) => defines);
  return { hit, unknown: keys.filter((key) => !top.has(key) && !nested.has(key)) };
}

/** The keys of the blocks inside of nodes. */
function keysOfInnerBlocks(nodes: DocumentNode[], out: string[] = []): string[] {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    const inside = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((part) => part.nodes)];
    for (const each of inside) if (each.object === 'block') out.push(each.key);
    keysOfInnerBlocks(inside, out);
  }
  return out;
}

/** Lines of a body that are not parsed together with others, and what the document has of them. */
interface BodyPart {
  /** The first line, from 0; the part ends where the next one begins. */
  line: number;
  blocks: BlockNode[];
  /** The labels of the footnotes that these lines define. */
  defines: string[];
  /** The blocks of definitions without a mention, which stand at the end of the document. */
  unused: BlockNode[];
  /** The labels of the footnotes that these lines are the first to mention. */
  mentions: string[];
}

/** Divides a body into as many separate parts as possible, with the blocks of the document that `toDocument` makes of it. */
function divideBody(body: string, reading: DocumentOptions): BodyPart[] {
  const open = openBody(body, () => undefined, bodyReadingOptions(reading));
  const { context, nodes } = open;
  const { used } = context.footnotes;
  const starts = partStarts(open);
  const parts: BodyPart[] = [];
  const mentioned = [0];
  for (const [at, { line, node }] of starts.entries()) {
    const blocks = blocksOf(nodes.slice(node, starts[at + 1]?.node), context, 0);
    parts.push({ line, blocks, defines: [], unused: [], mentions: [] });
    mentioned.push(used.size);
  }
  const labels = [...used];
  for (const [at, part] of parts.entries()) part.mentions = labels.slice(mentioned[at], mentioned[at + 1]);
  addFootnoteParts(parts, open);
  return parts;
}

/** The lines on which parts begin, with the index of their first node. */
function partStarts({ context, nodes, all, before }: OpenBody): { line: number; node: number }[] {
  const isTitleGone = nodes.length < all.length;
  const gone = isTitleGone ? all.findIndex((node, at) => node !== nodes[at]) : all.length;
  const inlines = nodes.map(isInlineNode);
  const starts: { line: number; node: number }[] = [];
  for (const { line, block } of context.page.tops) {
    const count = before[block];
    if (count === undefined || starts.at(-1)?.line === line) continue;
    const node = count > gone ? count - 1 : count;
    const isInsideRun = node > 0 && inlines[node - 1] && inlines[node];
    if (!isInsideRun) starts.push({ line, node });
  }
  return starts;
}

function addFootnoteParts(parts: BodyPart[], { context }: OpenBody): void {
  const unused = unusedFootnoteBlocks(context);
  let at = 0;
  for (const [label, line] of context.page.footnoteLines) {
    while ((parts[at + 1]?.line ?? Infinity) <= line) at++;
    parts[at]?.defines.push(label);
    const made = unused.get(label);
    if (made) parts[at]?.unused.push(made);
  }
}
