import {
  type DocumentNode,
  type DocumentRef,
  type InlineNode,
  type Mark,
  newVoidInline,
  type TextNode,
  textNode,
} from '../document/document-model.js';
import { addWithAutolinks } from '../markdown/inlines/autolinks.js';
import type { Inline } from '../markdown/syntax.js';
import { addressOfRef, refOfAddress } from './link-targets.js';

/** The marks of texts, in the order in which a leaf has them. */
export const markTypes = ['bold', 'italic', 'strikethrough', 'code'] as const satisfies Mark['type'][];
export type MarkType = (typeof markTypes)[number];

export type Leaf = TextNode['leaves'][number];
type Part = Leaf | InlineNode;

/** `block` holds line breaks, `line` does not; a `cell` is a line between pipes. */
export type InlinePlace = 'block' | 'line' | 'cell';

export const newLeaf = (value: string, types: ReadonlySet<MarkType>): Leaf => ({
  object: 'leaf',
  text: value,
  marks: markTypes.filter((type) => types.has(type)).map((type) => ({ object: 'mark', type })),
});

export const hasMark = ({ marks }: Leaf, type: MarkType): boolean => marks.some((mark) => mark.type === type);
const withoutCode = (leaf: Leaf): Leaf => ({ ...leaf, marks: leaf.marks.filter(({ type }) => type !== 'code') });
const plainLeaf = (value: string): Leaf => newLeaf(value, new Set());

/** Inlines in the one form in which they are written and read again. Never empty. */
export function normalizeInlines(nodes: DocumentNode[], place: InlinePlace): DocumentNode[] {
  const parts = joinLeaves(withoutDoubtfulCode(normalizeParts(nodes, place))).flatMap((part) =>
    part.object === 'leaf' && !hasMark(part, 'code') ? autolinkLeaf(part) : [part],
  );
  return partsToNodes(trimLineBreaks(withoutMarkedBreaks(parts)));
}

function inlineParts(nodes: DocumentNode[]): Part[] {
  return nodes.flatMap((node): Part[] =>
    node.object === 'text' ? node.leaves : node.object === 'inline' ? [node] : [],
  );
}

function normalizeParts(nodes: DocumentNode[], place: InlinePlace): Part[] {
  const parts = joinLeaves(inlineParts(nodes).map((part) => normalizePart(part, place)));
  return place === 'cell' ? joinLeaves(parts.map(withoutPipedCode)) : parts;
}

function normalizePart(part: Part, place: InlinePlace): Part {
  if (part.object === 'inline') return part.type === 'link' ? normalizeLink(part, place) : part;
  const value = part.text.replace(/\r\n?/g, '\n');
  return { ...part, text: place === 'block' && !hasMark(part, 'code') ? value : value.replaceAll('\n', ' ') };
}

/** Between pipes, no code says a backslash before a pipe. */
function withoutPipedCode(part: Part): Part {
  return part.object === 'leaf' && part.text.includes('\\|') ? withoutCode(part) : part;
}

const HTML = /<[A-Za-z/!?]/;

/** Beside code that holds backticks, some programs find the ends of other code elsewhere, and take what it says for HTML. */
function withoutDoubtfulCode(parts: Part[]): Part[] {
  const isDoubtful = codeValuesIn(parts).some((value) => value.includes('`'));
  return isDoubtful ? parts.map(withoutHtmlCode) : parts;
}

const codeValuesIn = (parts: Part[]): string[] =>
  parts.flatMap((part) =>
    part.object === 'inline' ? codeValuesIn(inlineParts(part.nodes ?? [])) : hasMark(part, 'code') ? [part.text] : [],
  );

function withoutHtmlCode(part: Part): Part {
  if (part.object === 'inline')
    return part.nodes
      ? { ...part, nodes: partsToNodes(joinLeaves(inlineParts(part.nodes).map(withoutHtmlCode))) }
      : part;
  return HTML.test(part.text) ? withoutCode(part) : part;
}

/** The line breaks at the ends of marked text lose the marks: Markdown has none around them. */
const withoutMarkedBreaks = (parts: Part[]) =>
  joinLeaves(parts.flatMap((part): Part[] => (part.object === 'leaf' ? splitBreaks(part) : [part])));

function splitBreaks(leaf: Leaf): Leaf[] {
  if (leaf.marks.length === 0) return [leaf];
  const value = leaf.text.replace(/^\n+/, '');
  const inner = value.replace(/\n+$/, '');
  const before = '\n'.repeat(leaf.text.length - value.length);
  return [plainLeaf(before), { ...leaf, text: inner }, plainLeaf('\n'.repeat(value.length - inner.length))];
}

/** Programs differ in where a link ends whose code holds such characters. */
function withoutBracketCode(part: Part): Part {
  return part.object === 'leaf' && /[[\]`\\]/.test(part.text) ? withoutCode(part) : part;
}

/** A link to a user is a mention, and a link always has text. */
function normalizeLink(link: InlineNode, place: InlinePlace): InlineNode {
  const ref = link.data.ref as DocumentRef;
  if (ref.kind === 'user') return newVoidInline('mention', { ref });
  const leaves = withoutMarkedBreaks(joinLeaves(normalizeParts(link.nodes ?? [], place).map(withoutBracketCode)));
  return { ...link, nodes: partsToNodes(leaves.length > 0 ? leaves : [plainLeaf(addressOfRef(ref) ?? '')]) };
}

/** Without empty leaves; adjacent ones with equal marks are one. */
function joinLeaves(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (part.object === 'leaf' && part.text === '') continue;
    if (part.object === 'leaf' && last?.object === 'leaf' && haveSameMarks(part, last)) {
      out[out.length - 1] = { ...last, text: last.text + part.text };
    } else out.push(part);
  }
  return out;
}

const haveSameMarks = (one: Leaf, other: Leaf) =>
  markTypes.every((type) => hasMark(one, type) === hasMark(other, type));

/** Without line breaks at the ends, which nobody sees. */
function trimLineBreaks(parts: Part[]): Part[] {
  const out = [...parts];
  const [first] = out;
  if (first?.object === 'leaf') out[0] = { ...first, text: first.text.replace(/^\n+/, '') };
  const last = out.at(-1);
  if (last?.object === 'leaf') out[out.length - 1] = { ...last, text: last.text.replace(/\n+$/, '') };
  return out.filter((part) => part.object === 'inline' || part.text !== '');
}

/** With links for bare addresses: Markdown has no text that looks like one without being one. */
function autolinkLeaf(leaf: Leaf): Part[] {
  const parts = leaf.text.split(/(\n)/).flatMap((line): Part[] => {
    const found: Inline[] = [];
    addWithAutolinks(line, found);
    return found.flatMap((inline): Part[] => {
      if (inline.kind !== 'link') return inline.kind === 'text' ? autolinkRest(leaf, line, inline.value) : [];
      const value = line === '' ? '' : textOfInlines(inline.children);
      const ref = refOfAddress(inline.url);
      return [ref ? newLink(ref, [{ object: 'text', leaves: [{ ...leaf, text: value }] }]) : { ...leaf, text: value }];
    });
  });
  return joinLeaves(parts);
}

/** Text left between addresses may be an address on its own, so it is split again. */
const autolinkRest = (leaf: Leaf, line: string, value: string): Part[] =>
  value === line ? [{ ...leaf, text: value }] : autolinkLeaf({ ...leaf, text: value });

const textOfInlines = (inlines: Inline[]) => inlines.map((inline) => ('value' in inline ? inline.value : '')).join('');

export const newLink = (ref: DocumentRef, nodes: DocumentNode[]): InlineNode => ({
  object: 'inline',
  type: 'link',
  isVoid: false,
  data: { ref },
  nodes,
});

function partsToNodes(parts: Part[]): DocumentNode[] {
  const out: DocumentNode[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (part.object === 'inline') out.push(part);
    else if (last?.object === 'text') last.leaves.push(part);
    else out.push({ object: 'text', leaves: [part] });
  }
  return out.length > 0 ? out : [textNode('')];
}

/** The text of inlines; what has none counts as nothing. */
export const inlineText = (nodes: DocumentNode[]): string =>
  nodes
    .map((node) =>
      node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : inlineText(node.nodes ?? []),
    )
    .join('');
