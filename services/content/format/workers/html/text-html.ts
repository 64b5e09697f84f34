import type { AnyNode, DocumentRef } from '../../document/document-model.js';
import { childNodesOf } from '../../document/document-model.js';
import { renderBody } from '../../html/render-body.js';
import type { ContentRef } from '../../resources.js';
import { type GivenText, readText } from '../../texts/read-text.js';

/** A text as HTML with marks, and the references out of it, which marks name by their position. */
export interface TextHtml {
  html: string;
  outside: ContentRef[];
}

export interface TextsOfSpace {
  texts: GivenText[];
  space: string;
}

/** Blocks, inlines and lines of one text that are shown at most. */
const maxNodes = 20_000;
const alone = { pages: new Map(), files: new Map(), reusable: new Map() };

/** Texts of a space as HTML, in their order; empty where one is not taken. Pages and people that they name are left to who shows them. */
export const textsHtml = ({ texts, space }: TextsOfSpace): TextHtml[] =>
  texts.map((text) => {
    const read = readText(text);
    if ('refused' in read) return { html: '', outside: [] };
    for (const node of read.document.nodes) placePages(node, space);
    const { html, outside } = renderBody(read.document, alone, { maxNodes });
    return { html, outside };
  });

/** Has links to pages name their space: a text is no part of it, and its pages are not at hand. */
function placePages(node: AnyNode, space: string): void {
  const ref = node.object === 'inline' ? (node.data.ref as DocumentRef | undefined) : undefined;
  if (ref?.kind === 'page') ref.space ??= space;
  for (const child of childNodesOf(node)) placePages(child, space);
}
