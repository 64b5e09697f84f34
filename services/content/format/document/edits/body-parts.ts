import { isInline } from '../blocks/blocks.js';
import { blocksOf } from '../context/context.js';
import { unusedFootnotes } from '../context/footnotes.js';
import { bodyReading, type DocumentOptions, type OpenBody, openBody } from '../document.js';
import type { BlockNode } from '../document-model.js';

/** Lines of a body that are not parsed together with others, and what the document has of them. */
export interface BodyPart {
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
export function bodyParts(body: string, reading: DocumentOptions): BodyPart[] {
  const open = openBody(body, () => undefined, bodyReading(reading));
  const { context, nodes } = open;
  const { used } = context.footnotes;
  const starts = startsOf(open);
  const parts: BodyPart[] = [];
  const mentioned = [0];
  for (const [at, { line, node }] of starts.entries()) {
    const blocks = blocksOf(nodes.slice(node, starts[at + 1]?.node), context, 0);
    parts.push({ line, blocks, defines: [], unused: [], mentions: [] });
    mentioned.push(used.size);
  }
  const labels = [...used];
  for (const [at, part] of parts.entries()) part.mentions = labels.slice(mentioned[at], mentioned[at + 1]);
  addFootnotes(parts, open);
  return parts;
}

/** The lines on which parts begin, with the index of their first node. */
function startsOf({ context, nodes, all, before }: OpenBody): { line: number; node: number }[] {
  const isTitleGone = nodes.length < all.length;
  const gone = isTitleGone ? all.findIndex((node, at) => node !== nodes[at]) : all.length;
  const inlines = nodes.map(isInline);
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

function addFootnotes(parts: BodyPart[], { context }: OpenBody): void {
  const unused = unusedFootnotes(context);
  let at = 0;
  for (const [label, line] of context.page.footnoteLines) {
    while ((parts[at + 1]?.line ?? Infinity) <= line) at++;
    parts[at]?.defines.push(label);
    const made = unused.get(label);
    if (made) parts[at]?.unused.push(made);
  }
}
