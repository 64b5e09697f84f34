import type { JSONDocument } from '../../document/document-model.js';
import { childrenOf, readFields, readItems, textIn } from '../read-data.js';

/** Draws the source of a diagram as SVG; throws where it cannot. */
export type DrawDiagram = (source: string) => string;

let loading: Promise<DrawDiagram> | undefined;

/** Loads what draws diagrams, on first use: it takes a fifth of a second and 30 MB, and few pages have a diagram. */
export function loadDiagrams(): Promise<DrawDiagram> {
  loading ??= import('beautiful-mermaid').then(
    ({ renderMermaidSVG }) =>
      (source) =>
        renderMermaidSVG(source, { transparent: true, padding: 16 }),
  );
  return loading;
}

export const isDiagram = (syntax: unknown): boolean => textIn(syntax).trim().toLowerCase() === 'mermaid';

/** Whether a document has a block of code that is a diagram. */
export function hasDiagrams(document: JSONDocument): boolean {
  const open: unknown[] = [...childrenOf(document)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const fields = readFields(node);
    if (fields.type === 'code') {
      if (isDiagram(readFields(fields.data).syntax)) return true;
    } else for (const inner of [...readItems(fields.nodes), ...readItems(fields.fragments)]) open.push(inner);
  }
  return false;
}
