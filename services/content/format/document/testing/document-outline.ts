import { toDocument } from '../document.js';
import type { BlockNode, DocumentNode, DocumentRef } from '../document-model.js';
import { encodedUrl, type HtmlElement, type HtmlNode, isBlock, parseHtml, runsOf } from './tree-html.js';

const refUrl = (ref: unknown) => encodedUrl((ref as Extract<DocumentRef, { kind: 'url' }>).url);

/**
 * The document of a page, a node a line. The first heading is kept, empty paragraphs are left out. Titles of links and images,
 * for which a document has no place or another one, are not shown.
 */
export function documentOutline(source: string): string {
  const lines: string[] = [];
  writeBlocks(toDocument(source, () => undefined, { title: '' }).nodes, '', lines);
  return lines.join('\n');
}

function writeBlocks(nodes: DocumentNode[], indent: string, lines: string[]): void {
  for (const node of nodes) if (node.object === 'block') writeBlock(node, indent, lines);
}

function writeBlock({ type, data, nodes = [], fragments = [] }: BlockNode, indent: string, lines: string[]): void {
  const inner = `${indent}  `;
  if (type === 'paragraph' || type.startsWith('heading-')) {
    const pieces = new Pieces(inner);
    addInlines(nodes, pieces, []);
    pieces.writeTo(lines, `${indent}${type}`, type === 'paragraph');
  } else if (type === 'images') {
    const pieces = new Pieces(inner);
    for (const image of nodes)
      if (image.object === 'block') pieces.add(imageLine(refUrl(image.data.ref), image.data.alt));
    pieces.writeTo(lines, `${indent}paragraph`, true);
  } else if (type === 'code') {
    const value = nodes.map((line) => (line.object === 'block' ? textOf(line.nodes ?? []) : '')).join('\n');
    lines.push(codeLine(indent, data.syntax, value));
  } else if (type === 'table') {
    const { definition, records } = data as {
      definition: Record<string, { title: string; textAlignment: string }>;
      records: Record<string, { values: Record<string, string> }>;
    };
    lines.push(`${indent}table`);
    for (const { title, textAlignment } of Object.values(definition))
      lines.push(`${inner}column ${textAlignment} ${title}`);
    for (const { values } of Object.values(records)) {
      lines.push(`${inner}row`);
      for (const id of Object.keys(definition)) {
        lines.push(`${inner}  cell`);
        writeBlocks(fragments.find((each) => each.fragment === values[id])?.nodes ?? [], `${inner}    `, lines);
      }
    }
  } else {
    const shown = Object.entries(data).map(([name, value]) => ` ${name}=${value}`);
    lines.push(`${indent}${type}${shown.join('')}`);
    writeBlocks(nodes, inner, lines);
  }
}

const textOf = (nodes: DocumentNode[]): string =>
  nodes.map((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : '')).join('');
const codeLine = (indent: string, syntax: unknown, value: string) =>
  `${indent}code ${syntax ?? ''} ${JSON.stringify(value)}`;
const imageLine = (url: string, alt: unknown) => `image ${url} ${JSON.stringify(alt ?? '')}`;

interface Piece {
  indent: string;
  /** A line of its own; undefined for text. */
  line?: string;
  text: string;
  marks: string;
}

/** The pieces of one paragraph or heading; neighbouring texts of the same marks are one. White space is as browsers show it. */
class Pieces {
  readonly #pieces: Piece[] = [];
  constructor(public indent: string) {}

  text(value: string, marks: string[]): void {
    const shown = marks.includes('code') ? value : value.replace(/[ \t]+/g, ' ');
    const sorted = [...new Set(marks)].sort().join();
    const last = this.#pieces.at(-1);
    if (last && last.line === undefined && last.marks === sorted && last.indent === this.indent) last.text += shown;
    else this.#pieces.push({ indent: this.indent, text: shown, marks: sorted });
  }

  add(line: string): void {
    this.#pieces.push({ indent: this.indent, line, text: '', marks: '' });
  }

  link(url: string, addInner: () => void): void {
    this.add(`link ${url}`);
    const { indent } = this;
    this.indent += '  ';
    addInner();
    this.indent = indent;
  }

  writeTo(lines: string[], head: string, optional: boolean): void {
    for (const piece of this.#pieces) {
      if (piece.marks.includes('code')) continue;
      piece.text = piece.text.replace(/ +/g, ' ').replace(/ ?\n ?/g, '\n');
      if (piece === this.#pieces[0]) piece.text = piece.text.replace(/^ /, '');
      if (piece === this.#pieces.at(-1)) piece.text = piece.text.replace(/ $/, '');
    }
    const shown = this.#pieces.filter(({ line, text }) => line !== undefined || text !== '');
    if (shown.length === 0 && optional) return;
    lines.push(head);
    for (const { indent, line, text, marks } of shown)
      lines.push(`${indent}${line ?? `${JSON.stringify(text)} ${marks}`.trimEnd()}`);
  }
}

function addInlines(nodes: DocumentNode[], pieces: Pieces, marks: string[]): void {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const leaf of node.leaves)
        pieces.text(
          leaf.text,
          leaf.marks.map(({ type }) => type),
        );
    } else if (node.object === 'inline') {
      const { type, data, nodes: inner = [] } = node;
      if (type === 'link') pieces.link(refUrl(data.ref), () => addInlines(inner, pieces, marks));
      else if (type === 'inline-image') pieces.add(imageLine(refUrl(data.ref), data.caption));
      else pieces.add(`${type} ${JSON.stringify(data)}`);
    }
  }
}

/** The document that this HTML describes, in the form of `documentOutline`: its headings have three levels. */
export function htmlOutline(html: string): string {
  const lines: string[] = [];
  writeHtml(parseHtml(html), '', lines);
  return lines.join('\n');
}

const HEADINGS: Record<string, string> = { h1: '1', h2: '1', h3: '2', h4: '3', h5: '3', h6: '3' };
const MARKS: Record<string, string> = {
  em: 'italic',
  i: 'italic',
  strong: 'bold',
  b: 'bold',
  del: 'strikethrough',
  s: 'strikethrough',
  code: 'code',
};

const attributeOf = (element: HtmlElement, name: string) => element.attrs.find((each) => each.name === name)?.value;
const isElement = (node: HtmlNode): node is HtmlElement => 'attrs' in node;

function writeHtml(nodes: HtmlNode[], indent: string, lines: string[]): void {
  for (const run of runsOf(nodes)) {
    const [first] = run;
    if (first && isElement(first) && isBlock(first)) writeHtmlBlock(first, indent, lines);
    else writeHtmlText(run, indent, lines, 'paragraph');
  }
}

function writeHtmlText(nodes: HtmlNode[], indent: string, lines: string[], type: string): void {
  const pieces = new Pieces(`${indent}  `);
  addHtml(nodes, pieces, []);
  pieces.writeTo(lines, indent + type, type === 'paragraph');
}

function writeHtmlBlock(element: HtmlElement, indent: string, lines: string[]): void {
  const { nodeName: name, childNodes } = element;
  const inner = `${indent}  `;
  if (name === 'p') writeHtmlText(childNodes, indent, lines, 'paragraph');
  else if (name in HEADINGS) writeHtmlText(childNodes, indent, lines, `heading-${HEADINGS[name]}`);
  else if (name === 'pre') {
    const code = childNodes.find(isElement);
    const syntax = code && attributeOf(code, 'class')?.replace('language-', '');
    lines.push(codeLine(indent, syntax, rawText([element]).replace(/\n$/, '')));
  } else if (name === 'hr') lines.push(`${indent}divider`);
  else if (name === 'table') writeHtmlTable(element, indent, lines);
  else if (name === 'ul' || name === 'ol' || name === 'li' || name === 'blockquote') {
    lines.push(indent + blockHead(element));
    writeHtml(childNodes, inner, lines);
  } else writeHtml(childNodes, indent, lines);
}

function blockHead(element: HtmlElement): string {
  const { nodeName: name, childNodes } = element;
  const start = attributeOf(element, 'start');
  const boxOf = (item: HtmlNode) => (isElement(item) ? descendants(item).find(isCheckbox) : undefined);
  if (name === 'blockquote') return 'blockquote';
  if (name === 'li') {
    const box = boxOf(element);
    return box ? `list-item checked=${attributeOf(box, 'checked') !== undefined}` : 'list-item';
  }
  if (childNodes.some(boxOf)) return 'list-tasks';
  if (name === 'ul') return 'list-unordered';
  return start === undefined || start === '1' ? 'list-ordered' : `list-ordered start=${start}`;
}

const isCheckbox = (element: HtmlElement) => element.nodeName === 'input';

/** The elements in a list item that are not in a list of its own. */
function descendants(item: HtmlElement): HtmlElement[] {
  return item.childNodes
    .filter((child): child is HtmlElement => isElement(child) && child.nodeName !== 'ul' && child.nodeName !== 'ol')
    .flatMap((child) => [child, ...descendants(child)]);
}

function writeHtmlTable(table: HtmlElement, indent: string, lines: string[]): void {
  lines.push(`${indent}table`);
  const inner = `${indent}  `;
  for (const row of table.childNodes.filter(isElement).flatMap((part) => part.childNodes.filter(isElement))) {
    const cells = row.childNodes.filter(isElement);
    if (cells[0]?.nodeName !== 'th') lines.push(`${inner}row`);
    for (const cell of cells) {
      if (cell.nodeName === 'th')
        lines.push(`${inner}column ${attributeOf(cell, 'align') ?? 'left'} ${rawText([cell])}`);
      else {
        lines.push(`${inner}  cell`);
        writeHtml(cell.childNodes, `${inner}    `, lines);
      }
    }
  }
}

function addHtml(nodes: HtmlNode[], pieces: Pieces, marks: string[]): void {
  for (const node of nodes) {
    if (node.nodeName === '#text') pieces.text(rawText([node]).replaceAll('\n', ' '), marks);
    else if (!isElement(node)) continue;
    else if (node.nodeName === 'br') pieces.text('\n', marks);
    else if (node.nodeName === 'img')
      pieces.add(imageLine(encodedUrl(attributeOf(node, 'src') ?? ''), attributeOf(node, 'alt')));
    else if (node.nodeName === 'a' && attributeOf(node, 'href') !== undefined)
      pieces.link(encodedUrl(attributeOf(node, 'href') ?? ''), () => addHtml(node.childNodes, pieces, marks));
    else addHtml(node.childNodes, pieces, [...marks, MARKS[node.nodeName] ?? []].flat());
  }
}

function rawText(nodes: HtmlNode[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'childNodes' in node ? rawText(node.childNodes) : ''))
    .join('');
}
