import { operationLine, operationTitle } from './blocks/openapi-blocks.js';
import type { BlockNode, DocumentNode } from './document-model.js';
import { addPlainLines, inlinePlainText, visibleDataLines } from './plain-text.js';
import { repeatsTitle } from './titles.js';

/** The text under one heading, which search shows as a hit. */
export interface Section {
  /** The text of the heading; absent for the first section, before any heading. */
  title?: string;
  anchor?: string;
  /** 1 to 3 for `heading-1` to `heading-3`; 0 for the first section. */
  level: number;
  /** The visible text, one line a block. */
  text: string;
  /** Whether the section is under the level-1 heading that the page starts with. */
  lead?: true;
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
  lead?: true;
  lines: string[];
}

/**
 * Splits blocks at their headings, including headings in hints, tabs, steps and cells. There is always a first section. `lead`
 * is the heading that may be left out of the body; its section is marked with it.
 */
export function splitIntoSections(nodes: BlockNode[], lead?: BlockNode): { sections: Section[]; headings: Heading[] } {
  const open: Open[] = [{ level: 0, lines: [] }];
  addToSections(nodes, open, lead);
  const sections = open.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }));
  const headings = sections
    .filter((section) => section.level > 0 && !section.lead)
    .map(({ title = '', anchor = '', level }) => ({ title, anchor, level }));
  return { sections, headings };
}

/** The sections of a page with this title; a first heading that repeats the title does not start a section. */
export function sectionsUnderTitle<T extends { title?: string; text: string; lead?: true }>(
  title: string,
  sections: T[],
): Omit<T, 'lead'>[] {
  const shown: Omit<T, 'lead'>[] = [];
  for (const { lead, ...section } of sections) {
    const above = shown.at(-1);
    if (!lead || !above || !repeatsTitle(title, section.title ?? '')) shown.push(section);
    else above.text = [above.text, section.text].filter((text) => text !== '').join('\n');
  }
  return shown;
}

/** An operation of a specification stands below the headings of its page. */
const operationLevel = 3;

function addToSections(nodes: DocumentNode[], open: Open[], lead: BlockNode | undefined): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.type.startsWith('heading-')) {
      open.push({
        title: inlinePlainText(node.nodes ?? []).trim(),
        anchor: node.meta?.id,
        level: Number(node.type[8]),
        ...(node === lead ? { lead: true } : {}),
        lines: [],
      });
      continue;
    }
    const title = operationTitle(node);
    if (title !== undefined)
      open.push({ title, anchor: node.meta?.id, level: operationLevel, lines: [operationLine(node.data)] });
    const lines = (open.at(-1) as Open).lines;
    for (const line of visibleDataLines(node.type, node.data)) if (line !== '') lines.push(line);
    const children = node.nodes ?? [];
    if (children[0]?.object === 'block') addToSections(children, open, lead);
    else addPlainLines(children, lines);
    for (const fragment of node.fragments ?? []) addToSections(fragment.nodes, open, lead);
  }
}
