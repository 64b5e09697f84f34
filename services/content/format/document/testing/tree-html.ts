import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { parseInlines } from '../../markdown/inlines/inline.js';
import { parseMarkdown } from '../../markdown/markdown.js';
import type { Block, Inline, Markdown } from '../../markdown/syntax.js';
import { splitSource } from '../page-source.js';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An attribute with the space before it; nothing without a value. */
const attribute = (name: string, value: string) => (value === '' ? '' : ` ${name}="${escaped(value)}"`);

/** A URL as renderers write it: percent-encoded where it is not yet. */
export const encodedUrl = (url: string) =>
  url.replace(/%[0-9A-Fa-f]{2}|[^%]+|%/g, (part) => (/^%./.test(part) ? part : encodeURI(part)));

/** The parser's tree of a page as HTML, in the form that the CommonMark specification shows. */
export function treeHtml(source: string): string {
  const page = parseMarkdown(splitSource(source).body);
  return blocksHtml(page.blocks, page);
}

const blocksHtml = (blocks: Block[], page: Markdown): string =>
  blocks.map((block) => `${blockHtml(block, page)}\n`).join('');

function blockHtml(block: Block, page: Markdown): string {
  const inlines = (text: string) => inlinesHtml(parseInlines(text, page));
  switch (block.kind) {
    case 'paragraph':
      return `<p>${inlines(block.text)}</p>`;
    case 'heading':
      return `<h${block.depth}>${inlines(block.text)}</h${block.depth}>`;
    case 'rule':
      return '<hr>';
    case 'code':
      return codeHtml(block.value, block.info.split(/\s/, 1)[0] ?? '');
    case 'html-block':
      return block.html;
    case 'quote':
      return `<blockquote>\n${blocksHtml(block.children, page)}</blockquote>`;
    case 'list': {
      const items = block.items.map(({ children }) => `<li>\n${blocksHtml(children, page)}</li>\n`).join('');
      return block.ordered ? `<ol start="${block.start}">\n${items}</ol>` : `<ul>\n${items}</ul>`;
    }
    case 'math-block':
      return `<p>$$${escaped(block.formula)}$$</p>`;
    case 'tag':
      return `<p>${escaped(block.tag.source)}</p>`;
    case 'table':
      return `<table>${block.rows.map((row) => `<tr>${row.map((cell) => `<td>${inlines(cell)}</td>`).join('')}</tr>`).join('')}</table>`;
  }
}

const codeHtml = (value: string, language: string) =>
  `<pre><code${attribute('class', language && `language-${language}`)}>${escaped(value)}\n</code></pre>`;

const inlinesHtml = (inlines: Inline[]): string => inlines.map(inlineHtml).join('');

const ELEMENTS = { emphasis: 'em', strong: 'strong', strike: 'del' } as const;

function inlineHtml(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return escaped(inline.value);
    case 'code-span':
      return `<code>${escaped(inline.value)}</code>`;
    case 'emphasis':
    case 'strong':
    case 'strike':
      return `<${ELEMENTS[inline.kind]}>${inlinesHtml(inline.children)}</${ELEMENTS[inline.kind]}>`;
    case 'link': {
      const { url, title, children } = inline;
      return `<a href="${escaped(encodedUrl(url))}"${attribute('title', title)}>${inlinesHtml(children)}</a>`;
    }
    case 'image': {
      const { url, title, alt } = inline;
      return `<img src="${escaped(encodedUrl(url))}" alt="${escaped(alt)}"${attribute('title', title)}>`;
    }
    case 'break':
      return '<br>\n';
    case 'html':
      return inline.html;
    case 'math':
      return `$$${escaped(inline.formula)}$$`;
    case 'footnote':
      return `[^${escaped(inline.label)}]`;
  }
}

export type HtmlNode = DefaultTreeAdapterMap['childNode'];
export type HtmlElement = DefaultTreeAdapterMap['element'];

const BLOCKS = new Set(
  'address blockquote body div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th tr ul'.split(' '),
);
export const isBlock = (node: HtmlNode | undefined) => node === undefined || BLOCKS.has(node.nodeName);

/** The nodes of a fragment. Without the last line end, which would begin another block after an element that is left open. */
export const parseHtml = (html: string): HtmlNode[] => parseFragment(html.trimEnd()).childNodes;

/**
 * HTML in a form that differs only where its meaning does, a node a line: white space as a browser shows it, attributes sorted,
 * text of list items always in paragraphs (the reader keeps no difference between loose and tight lists), no `start` of 1.
 */
export function normalHtml(html: string): string {
  const lines: string[] = [];
  writeNodes(parseHtml(html), '', false, lines);
  return lines.join('\n');
}

/** The text of a node as a browser shows it: no white space at the ends of blocks and lines. */
function shownText(nodes: HtmlNode[], at: number): string {
  const { value } = nodes[at] as DefaultTreeAdapterMap['textNode'];
  const ends = (node: HtmlNode | undefined) => isBlock(node) || node?.nodeName === 'br';
  let shown = value.replace(/[ \t\n\f\r]+/g, ' ');
  if (ends(nodes[at - 1])) shown = shown.replace(/^ /, '');
  if (ends(nodes[at + 1])) shown = shown.replace(/ $/, '');
  return shown;
}

function writeNodes(nodes: HtmlNode[], indent: string, verbatim: boolean, lines: string[]): void {
  for (const [at, node] of nodes.entries()) {
    if (node.nodeName === '#text') {
      // The last line end of a code block is no line.
      const text = verbatim
        ? (node as DefaultTreeAdapterMap['textNode']).value.replace(/\n$/, '')
        : shownText(nodes, at);
      if (text !== '') lines.push(`${indent}${JSON.stringify(text)}`);
    } else if ('attrs' in node) writeElement(node, indent, verbatim, lines);
    else if ('data' in node) lines.push(`${indent}<!--${node.data}-->`);
  }
}

function writeElement(element: HtmlElement, indent: string, verbatim: boolean, lines: string[]): void {
  const { nodeName: name, attrs, childNodes } = element;
  const shown = attrs.filter((each) => !(name === 'ol' && each.name === 'start' && each.value === '1'));
  const attributes = shown.map((each) => ` ${each.name}=${JSON.stringify(each.value)}`).sort();
  lines.push(`${indent}<${name}${attributes.join('')}>`);
  const inner = `${indent}  `;
  if (name !== 'li') {
    writeNodes(childNodes, inner, verbatim || name === 'pre' || name === 'code', lines);
    return;
  }
  for (const run of runsOf(childNodes)) {
    const written: string[] = [];
    const isText = !isBlock(run[0]);
    writeNodes(run, isText ? `${inner}  ` : inner, false, written);
    if (isText && written.length > 0) lines.push(`${inner}<p>`);
    lines.push(...written);
  }
}

/** Each block alone, and what stands inline between blocks together. */
export function runsOf(nodes: HtmlNode[]): HtmlNode[][] {
  const runs: HtmlNode[][] = [];
  for (const [at, node] of nodes.entries()) {
    if (at > 0 && !isBlock(node) && !isBlock(nodes[at - 1])) runs.at(-1)?.push(node);
    else runs.push([node]);
  }
  return runs;
}
