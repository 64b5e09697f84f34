import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import type { JSONDocument } from '../../document/document-model.js';
import { documentOf, readable, surroundings } from '../../html/testing/rendered-source.js';
import { compareBodies } from '../compare-bodies.js';
import type { DifferencePart } from '../difference.js';

export type HtmlNode = DefaultTreeAdapterMap['childNode'];

/** The nodes of HTML in their order; `skips` leaves out a node with all that is in it. Throws for HTML that a browser would mend. */
export function* walkHtml(html: string, skips: (names: string[]) => boolean = () => false): Generator<HtmlNode> {
  const onParseError = ({ code }: { code: string }) => {
    throw new Error(`${code} in ${html}`);
  };
  const open = parseFragment(readable(html), { onParseError }).childNodes.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (skips([node.nodeName, ...classNamesOf(node)])) continue;
    yield node;
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
}

const classNamesOf = (node: HtmlNode): string[] =>
  'attrs' in node ? (node.attrs.find(({ name }) => name === 'class')?.value.split(' ') ?? []) : [];

/** The text of HTML without elements that have one of these names or classes. */
export function textWithout(html: string, left: string[]): string {
  let text = '';
  for (const node of walkHtml(html, (names) => names.some((name) => left.includes(name))))
    if ('value' in node) text += node.value;
  return text;
}

export const htmlOfPart = (part: DifferencePart): string[] =>
  'html' in part ? [part.html] : [part.before, part.after];

const others = { before: ['ins', 'added'], after: ['del', 'removed'] };

/** The text of one side, without the numbers of footnotes. */
export function textOfSide(parts: DifferencePart[], side: 'before' | 'after'): string {
  const shown = parts.filter(({ kind }) => !others[side].includes(kind));
  return shown
    .map((part) =>
      textWithout('html' in part ? part.html : part[side], [
        'note-mark',
        ...(part.kind === 'changed' ? others[side] : []),
      ]),
    )
    .join('');
}

/** The parts of two documents, which can be compared block by block. */
export function partsOfDocuments(before: JSONDocument, after: JSONDocument): DifferencePart[] {
  const difference = compareBodies({ document: before, surroundings }, { document: after, surroundings });
  if (difference?.form !== 'blocks') throw new Error('There is no difference block by block.');
  return difference.parts;
}

export const partsOfSources = (before: string, after: string): DifferencePart[] =>
  partsOfDocuments(documentOf(before), documentOf(after));

/** A part in short: its kind, and its HTML with readable marks; both sides with an arrow between them. */
export const shortPart = (part: DifferencePart): string =>
  `${part.kind}${'moved' in part ? ' moved' : ''}: ${readable(htmlOfPart(part).join(' → '))}`;
