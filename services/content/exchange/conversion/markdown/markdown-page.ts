import { parsePage } from '../../../format/document/page.js';
import { frontMatterEntries } from '../../../format/space/front-matter/front-matter-entries.js';
import { folderOf, joinPath } from '../../../format/space/paths.js';
import { locateParts, normalizeText } from '../../../format/space/source-parts.js';
import { bounds, megabytesText } from '../bounds.js';
import type { Flavour } from '../model.js';
import { refusal } from '../refused.js';
import { adaptLines } from './adapted-lines.js';
import { adaptFormulas } from './formulas.js';
import { convertWikiLinks } from './wiki-links.js';

export interface MarkdownPage {
  /** The title that the page states. */
  title: string | undefined;
  markdown: string;
}

export interface MarkdownSource {
  text: string;
  /** In the source. */
  path: string;
  flavour: Flavour;
  /** The text of another file, for those that include it. */
  readText: (path: string) => string | undefined;
}

/** Reads a Markdown file of any dialect as a page of ours. */
export function readMarkdownPage({ text, path, flavour, readText }: MarkdownSource): MarkdownPage {
  const source = normalizeText(text);
  const { body } = locateParts(source);
  const isWiki = flavour === 'wiki';
  const included = flavour === 'mdbook' ? resolveIncludes(source.slice(body), { path, readText }) : source.slice(body);
  const linked = isWiki ? convertWikiLinks(included) : included;
  const mdx = /\.mdx$/i.test(path) || flavour === 'docusaurus';
  const written = linked.split('\n');
  // Our own dialect has other marks for formulas.
  const lines = adaptLines(flavour === 'gitbook' ? written : adaptFormulas(written, { isBook: flavour === 'mdbook' }), {
    mdx,
    notion: flavour === 'notion',
  });
  const adapted = keepIfReadable(source.slice(0, body)) + lines.join('\n');
  return { title: parsePage(adapted, () => undefined).title, markdown: adapted };
}

/** Front matter that cannot be read would be shown as text; that of other dialects is kept where it can. */
function keepIfReadable(text: string): string {
  return text === '' || frontMatterEntries(text) ? text : '';
}

interface Including {
  path: string;
  readText: (path: string) => string | undefined;
}

const directive = /\{\{\s*#(include|rustdoc_include|playground|title)\s+([^}\s]{1,300})[^}]*\}\}/g;
const maxIncludes = 200;

/** Replaces the directives of mdBook that include other files; one whose file is not there, or is larger than a page, is left out. Throws 422 for too much. */
function resolveIncludes(text: string, { path, readText }: Including): string {
  let left = maxIncludes;
  let room: number = bounds.page;
  return text.replace(directive, (_, name: string, target: string) => {
    if (name === 'title' || --left < 0) return '';
    const [file = '', ...part] = target.split(':');
    const place = joinPath(folderOf(path), file);
    const included = place === undefined ? undefined : readText(place);
    if (included === undefined) return '';
    const shown = includedPart(included, part);
    room -= shown.length;
    if (room < 0) throw refusal(`url: the page includes more than ${megabytesText(bounds.page)}`);
    return name === 'playground' ? `\`\`\`rust\n${shown}\n\`\`\`` : shown;
  });
}

/** `[from, to]` lines, or the name of an anchor. */
function includedPart(text: string, [first = '', last]: string[]): string {
  const lines = text.split(/\r?\n/);
  const isMark = (line: string) => /\bANCHOR(?:_END)?:\s*[\w-]+/.test(line);
  if (first !== '' && !/^\d+$/.test(first)) {
    const lineOfMark = (kind: string) =>
      lines.findIndex((line) => new RegExp(`\\b${kind}:\\s*${escapePattern(first)}\\b`).test(line));
    const [from, to] = [lineOfMark('ANCHOR'), lineOfMark('ANCHOR_END')];
    if (from < 0) return '';
    return lines
      .slice(from + 1, to < 0 ? undefined : to)
      .filter((line) => !isMark(line))
      .join('\n');
  }
  const from = first === '' ? 1 : Number(first);
  const to = last === undefined ? (first === '' ? lines.length : from) : last === '' ? lines.length : Number(last);
  return lines
    .slice(Math.max(0, from - 1), to)
    .filter((line) => !isMark(line))
    .join('\n')
    .trimEnd();
}

const escapePattern = (text: string) => text.replace(/[^\w-]/g, (sign) => `\\${sign}`);
