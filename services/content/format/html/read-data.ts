import type { DocumentNode, Fragment } from '../document/document-model.js';
import { emojiCharacter } from '../markdown/emoji.js';

/** Reads data of documents: nobody promises that it has the form that this service writes. */
export type Fields = Record<string, unknown>;

const markCharacters = ['\u0000', '\u0001', '\u0002'];

/** The text without the characters of marks; empty for anything that is no text. */
export function textIn(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return markCharacters.some((character) => value.includes(character)) ? withoutMarks(value) : value;
}

const withoutMarks = (text: string) => markCharacters.reduce((left, character) => left.replaceAll(character, ''), text);

export const readFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const readItems = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textsIn = (value: unknown): string[] =>
  readItems(value)
    .map(textIn)
    .filter((text) => text !== '');

/** A whole number within bounds; undefined for anything else. */
export function readWhole(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? Math.round(value) : undefined;
}

/** The entry that an object itself has by a name. */
export const entryOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const isNode = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The children of a node, without fragments. */
export const childrenOf = (node: { nodes?: unknown }): DocumentNode[] =>
  readItems(node.nodes).filter(isNode) as DocumentNode[];

/** The nodes of the fragments of a type. */
export function fragmentNodes(node: { fragments?: unknown }, type: string): DocumentNode[] {
  const parts = readItems(node.fragments).filter(isNode) as Fragment[];
  const found = parts.filter((part) => part.type === type || part.fragment === type);
  return found.flatMap(childrenOf);
}

/** The text of nodes on one line, at most `max` characters; deep nodes do not nest calls. */
export function lineOfText(nodes: DocumentNode[], max: number): string {
  let out = '';
  const open: unknown[] = nodes.toReversed();
  while (open.length > 0 && out.length <= max) {
    const node = readFields(open.pop());
    const data = readFields(node.data);
    if (node.object === 'text') for (const leaf of readItems(node.leaves)) out += textIn(readFields(leaf).text);
    else if (node.type === 'emoji') out += emojiCharacter(textIn(data.code));
    else out += textIn(data.label) || textIn(data.formula);
    for (const child of childrenOf(node).toReversed()) open.push(child);
    out = out.trimStart();
  }
  return out.replace(/\s+/g, ' ').trim().slice(0, max).toWellFormed();
}
