import type { BlockNode, DocumentNode } from './document-model.js';
import { nodesPlainText, ownLines, writeLines } from './plain-text.js';

/** The text under one heading: what search shows as a hit. */
export interface Section {
  /** Of the heading; the first section, before any heading, has none. */
  title?: string;
  anchor?: string;
  /** 1..3 as `heading-1..3`; 0 for the first. */
  level: number;
  /** Visible text, one line a block. */
  text: string;
}

export interface Heading {
  title: string;
  anchor: string;
  level: number;
}

interface Open {
  title?: string;
  anchor?: string;
  level: number;
  lines: string[];
}

/** Cuts blocks at their headings, also those inside hints, tabs, steps and cells. The first section is always there. */
export function sectionsOf(nodes: BlockNode[]): { sections: Section[]; headings: Heading[] } {
  const open: Open[] = [{ level: 0, lines: [] }];
  walk(nodes, open);
  const sections = open.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }));
  const headings = sections.slice(1).map(({ title = '', anchor = '', level }) => ({ title, anchor, level }));
  return { sections, headings };
}

function walk(nodes: DocumentNode[], open: Open[]): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.type.startsWith('heading-')) {
      open.push({
        title: nodesPlainText(node.nodes ?? []).trim(),
        anchor: node.meta?.id,
        level: Number(node.type[8]),
        lines: [],
      });
      continue;
    }
    const lines = (open.at(-1) as Open).lines;
    for (const line of ownLines(node.type, node.data)) if (line !== '') lines.push(line);
    const children = node.nodes ?? [];
    if (children[0]?.object === 'block') walk(children, open);
    else writeLines(children, lines);
    for (const fragment of node.fragments ?? []) walk(fragment.nodes, open);
  }
}
