import { markdownHtml } from './markdown-html.js';
import { SchemaShapes } from './schema-shapes.js';
import { SpecPointers } from './spec-pointers.js';
import type { SpecObject } from './spec-values.js';

/** The blocks of one page that show a specification, with bounds on all of them together. */
export interface SpecPage {
  document: SpecObject;
  references: SpecPointers;
  shapes: SchemaShapes;
  /** Begins the ids and the names of inputs, so that two specifications can be on a page. */
  prefix: string;
  /** Levels of fields in fields. */
  levels: number;
  /** Each model is written out once, and linked from elsewhere; examples are short. */
  compact: boolean;
  /** The ids of the models that are written out, by their pointers, on a compact page. */
  models: Map<string, string>;
  /** Counts the groups of tabs. */
  groups: number;
  /** Bounds the fields of each block. */
  maxRows: number;
  /** Fields that the page still takes. */
  rowsLeft: number;
  /** Characters of an example; 0 for none. */
  maxExample: number;
  /** Characters of all code and descriptions that the page still takes. */
  charactersLeft: number;
  /** Characters of code that are still highlighted. */
  highlightLeft: number;
  texts: Map<string, string>;
  /** The HTML of parameters and responses that operations share, on a compact page. */
  shared: Map<unknown, string>;
}

export interface SpecPageOptions {
  /** Levels of fields in fields: 12, or 3 on a page of many operations, if absent. */
  levels?: number | undefined;
  /** Distinguishes the ids of this specification from those of others on the page; none if absent. */
  prefix?: string | undefined;
}

/** Blocks beyond which a page is compact. */
const maxWideBlocks = 50;
const maxRowsOfBlock = 3000;
const maxRowsOfCompactBlock = 600;
const maxRowsOfPage = 40_000;
const maxHighlighted = 300_000;
const maxCharacters = 16_000_000;

const maxExampleLength = 10_000;
const maxExamplesOfPage = 200_000;

/** A page of very many operations has no examples of responses, for a few characters of each help nobody. */
function exampleLength(blocks: number): number {
  const length = Math.min(maxExampleLength, Math.floor(maxExamplesOfPage / Math.max(1, blocks)));
  return length < 200 ? 0 : length;
}

export function newSpecPage(document: SpecObject, blocks: number, options: SpecPageOptions): SpecPage {
  const references = new SpecPointers(document);
  const compact = blocks > maxWideBlocks;
  return {
    document,
    references,
    shapes: new SchemaShapes(references),
    prefix: options.prefix ?? '',
    levels: options.levels ?? (compact ? 3 : 12),
    compact,
    models: new Map(),
    groups: 0,
    maxExample: exampleLength(blocks),
    maxRows: compact ? maxRowsOfCompactBlock : maxRowsOfBlock,
    rowsLeft: maxRowsOfPage,
    charactersLeft: maxCharacters,
    highlightLeft: maxHighlighted,
    texts: new Map(),
    shared: new Map(),
  };
}

/**
 * Renders a part that many operations refer to: on a compact page once, unless it writes out a model or has tabs, whose names must differ.
 * Give what is inside of an element: a list item or the like.
 */
export function sharedHtml(page: SpecPage, part: unknown, render: () => string): string {
  const kept = page.shared.get(part);
  if (kept !== undefined) return kept;
  const { models, groups } = page;
  const known = models.size;
  const html = render();
  if (models.size === known && page.groups === groups) page.shared.set(part, html);
  return html;
}

const maxTextLength = 20_000;

/** A description in Markdown as HTML; empty where there is none. */
export function descriptionHtml(page: SpecPage, text: unknown): string {
  if (typeof text !== 'string' || text.length > page.charactersLeft) return '';
  page.charactersLeft -= text.length;
  const known = page.texts.get(text);
  if (known !== undefined) return known;
  const html = markdownHtml(text.length > maxTextLength ? `${text.slice(0, maxTextLength).toWellFormed()}…` : text);
  page.texts.set(text, html);
  return html;
}

/** A part of an id, of letters that addresses keep. */
export const anchorPart = (text: string): string =>
  text
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
