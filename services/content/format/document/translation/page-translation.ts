import { isDeepStrictEqual } from 'node:util';
import { readFrontMatter } from '../../space/front-matter/front-matter.js';
import { editFrontMatter } from '../../space/front-matter/front-matter-edits.js';
import { toDocument } from '../document.js';
import type { BlockNode, Data, DocumentNode, Fragment } from '../document-model.js';
import { type PagePart, readPageParts } from '../edits/page-parts.js';
import { splitSource } from '../page-source.js';
import { fillMarks, splitTranslatable } from './text-pieces.js';

/** Blocks that hold no text of a language. */
const wordless = new Set([
  'code',
  'divider',
  'math',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
]);

const hasWords = ({ blocks, defines }: PagePart): boolean =>
  defines.length > 0 || blocks.length === 0 || blocks.some(({ type }) => !wordless.has(type));

/** The texts of a page that are translated, each once, with marks in place of what stays. */
export function textsToTranslate({ source }: { source: string }): string[] {
  const texts = new Set<string>();
  const { description } = readFrontMatter(splitSource(source).frontMatter);
  if (description) texts.add(description);
  for (const part of readPageParts(source, {}).parts.filter(hasWords))
    for (const piece of splitTranslatable(part.text)) if ('marked' in piece) texts.add(piece.marked);
  return [...texts];
}

export interface TranslatedTexts {
  source: string;
  /** By text, as `textsToTranslate` gives it. */
  texts: ReadonlyMap<string, string>;
}

export interface TranslatedPage {
  source: string;
  /** Texts that stay as they were: nothing was given for them, or it would have changed more than words. */
  kept: number;
}

/** The source of a page with its texts replaced. Blocks, code, addresses and tags stay as they are: a part that would lose one keeps its text. */
export function translatePage({ source, texts }: TranslatedTexts): TranslatedPage {
  const { start, parts } = readPageParts(source, {});
  let kept = 0;
  let written = start;
  for (const [at, part] of parts.entries()) {
    const made = hasWords(part) ? translatePart(part, { texts, isFirst: at === 0 }) : { text: part.text, kept: 0 };
    written += made.text + part.space;
    kept += made.kept;
  }
  const { description } = readFrontMatter(splitSource(source).frontMatter);
  const translated = description && texts.get(description);
  const described = translated ? editFrontMatter(written, { description: translated }) : undefined;
  return { source: described ?? written, kept };
}

function translatePart(
  { text, blocks }: PagePart,
  { texts, isFirst }: { texts: ReadonlyMap<string, string>; isFirst: boolean },
): { text: string; kept: number } {
  let kept = 0;
  const pieces = splitTranslatable(text).map((piece) => {
    if ('fixed' in piece) return piece.fixed;
    const given = texts.get(piece.marked);
    const isOneLine = !piece.marked.includes('\n');
    const filled = given && fillMarks(piece, isOneLine ? given.replace(/\s*\n\s*/g, ' ') : given);
    if (filled) return filled;
    kept += 1;
    return fillMarks(piece, piece.marked) as string;
  });
  const translated = pieces.join('');
  if (translated === text) return { text, kept };
  if (!isDeepStrictEqual(skeletonOf(translated), skeletonOf(text))) return { text, kept: kept + 1 };
  return { text: isFirst ? translated : withAnchor(translated, blocks), kept };
}

/** A heading keeps the anchor that links know, which would follow its words. */
function withAnchor(text: string, blocks: BlockNode[]): string {
  const [heading] = blocks;
  const anchor = blocks.length === 1 && heading?.type.startsWith('heading-') ? heading.meta?.id : undefined;
  const line = /^( {0,3}#{1,6} [^\n]*?)[ \t]*#*[ \t]*(\n?)$/.exec(text);
  if (anchor === undefined || !line || /<a\s/.test(text) || !/^[\p{L}\p{N}_.-]+$/u.test(anchor)) return text;
  return `${line[1]} <a href="#${anchor}" id="${anchor}"></a>${line[2]}`;
}

type Skeleton = unknown[];

/** The skeleton of a text, which is what it shows besides its words: its blocks in their order, and in each its links, code and other things, whatever their order. */
const skeletonOf = (text: string): Skeleton =>
  toDocument(`\n${text}`, () => undefined, { keyed: false }).nodes.map(blockSkeleton);

function blockSkeleton({ type, data, nodes = [], fragments = [] }: BlockNode): Skeleton {
  // The ids of a table, and the anchors of headings, follow their words.
  const inner = type === 'code' ? JSON.stringify(nodes) : undefined;
  return [
    type,
    type === 'table' ? Object.keys(data.definition as object).length : withoutWords(data),
    inner ?? nodes.filter(isBlock).map(blockSkeleton),
    inlineSkeleton(nodes),
    fragments.map(fragmentSkeleton),
  ];
}

const withoutWords = ({ title: _, alt: __, caption: ___, ...others }: Data): Data => others;

const isBlock = (node: DocumentNode): node is BlockNode => node.object === 'block';

const fragmentSkeleton = ({ type, nodes }: Fragment): Skeleton => [type, nodes.map(blockSkeleton)];

function inlineSkeleton(nodes: DocumentNode[]): string[] {
  return nodes
    .flatMap((node): string[] => {
      if (node.object === 'block') return [];
      if (node.object === 'inline')
        return [
          JSON.stringify([node.type, node.isVoid ? withoutWords(node.data) : node.data.ref]),
          ...inlineSkeleton(node.nodes ?? []),
        ];
      return node.leaves.flatMap(({ text, marks }) =>
        marks.some(({ type }) => type === 'code') ? [`code ${text}`] : [],
      );
    })
    .sort();
}
