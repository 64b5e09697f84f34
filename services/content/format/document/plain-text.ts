import { emojiCharacter } from '../markdown/emoji.js';
import type { BlockNode, Data, DocumentNode, Fragment, InlineNode, TextNode } from './document-model.js';

/** The visible text of document nodes for search, one line a block. */
export function plainText(nodes: (DocumentNode | Fragment)[]): string {
  const lines: string[] = [];
  addPlainLines(nodes, lines);
  return lines.join('\n');
}

/** The text of inlines on one line. */
export function inlinePlainText(nodes: DocumentNode[]): string {
  let out = '';
  for (const node of nodes)
    out += node.object === 'text' ? leavesText(node) : node.object === 'inline' ? textOfInline(node) : '';
  return out;
}

function leavesText(node: TextNode): string {
  let out = '';
  for (const leaf of node.leaves) out += leaf.text;
  return out;
}

function textOfInline(node: InlineNode): string {
  const { label, code, formula } = node.data;
  if (node.type === 'emoji' && typeof code === 'string') return emojiCharacter(code);
  const own = typeof label === 'string' ? label : typeof formula === 'string' ? formula : '';
  return own + inlinePlainText(node.nodes ?? []);
}

/** Adds the visible text of nodes, one line a block. */
export function addPlainLines(nodes: (DocumentNode | Fragment)[], lines: string[]): void {
  let inline = '';
  const notes: Fragment[] = [];
  for (const node of nodes) {
    if (node.object === 'text') inline += leavesText(node);
    else if (node.object === 'inline') {
      inline += textOfInline(node);
      collectFootnotes(node, notes);
    } else if (node.object === 'fragment') addPlainLines(node.nodes, lines);
    else addBlockLines(node, lines);
  }
  if (inline !== '') lines.push(inline);
  for (const note of notes) addPlainLines(note.nodes, lines);
}

function collectFootnotes(node: InlineNode, notes: Fragment[]): void {
  for (const note of node.fragments ?? []) notes.push(note);
  for (const child of node.nodes ?? []) if (child.object === 'inline') collectFootnotes(child, notes);
}

function addBlockLines(node: BlockNode, lines: string[]): void {
  for (const line of visibleDataLines(node.type, node.data)) if (line !== '') lines.push(line);
  if (node.nodes) addPlainLines(node.nodes, lines);
  if (node.fragments) addPlainLines(node.fragments, lines);
}

/** The text in the data of a block that is visible. */
export function visibleDataLines(type: string, data: Data): string[] {
  switch (type) {
    case 'tabs-item':
    case 'code':
      return [textOrEmpty(data.title)];
    case 'math':
      return [textOrEmpty(data.formula)];
    case 'table':
      return tableTextLines(data);
    default:
      return [];
  }
}

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');

interface TableData {
  definition: Record<string, { title: string; type: string; options?: { value: string; label: string }[] }>;
  records: Record<string, { values: Record<string, unknown> }>;
  view: { hideHeader?: boolean };
}

/** Column titles, and cells without rich text. Iterates over existing values, because rows may be shorter than the header. */
function tableTextLines(data: Data): string[] {
  const { definition, records } = data as unknown as TableData;
  const lines = Object.values(definition).map((column) => column.title);
  const labels = new Map<string, Map<string, string>>();
  for (const [id, { options }] of Object.entries(definition)) {
    if (options) labels.set(id, new Map(options.map((option) => [option.value, option.label])));
  }
  for (const { values } of Object.values(records)) {
    for (const [id, value] of Object.entries(values)) {
      const type = definition[id]?.type;
      if (type === 'number' || type === 'rating') lines.push(String(value ?? ''));
      else if (type === 'select' && Array.isArray(value)) {
        lines.push(value.map((option) => labels.get(id)?.get(option) ?? String(option)).join(' '));
      } else if (type !== 'text' && type !== 'users' && typeof value === 'string') lines.push(value);
    }
  }
  return lines;
}
