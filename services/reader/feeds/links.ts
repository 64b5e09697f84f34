import { escapeAddress } from '../../../shared/text/escaped-address.js';
import type { ListedGroup } from '../../../shared/values/listed-pages.js';

/** A page in a list of links, in the order of the table of contents. */
export interface ListedPage {
  title: string;
  /** Absolute. */
  url: string;
  description?: string | undefined;
  /** 0 for pages at the top, 1 for those below them. */
  depth: number;
  /** The groups that begin with this page, from the outermost. */
  groups?: readonly ListedGroup[];
}

const maxTitleLength = 200;
const maxDescriptionLength = 400;
/** Deeper pages stand beside those of this depth. */
const maxListDepth = 8;

/** A text on one line, at most so long: lists have one entry a line. */
export function oneLine(text: string, maxLength: number): string {
  // The rest of a text of megabytes is not looked at.
  const line = text
    .slice(0, 2 * maxLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length > maxLength
    ? `${line
        .slice(0, maxLength - 1)
        .trimEnd()
        .toWellFormed()}…`
    : line;
}

/** The title of a page as the text of a Markdown link. Other marks stay: programs that read these lists show them as they are. */
const linkText = (title: string) => oneLine(title, maxTitleLength).replace(/[\\[\]]/g, '\\$&') || 'Untitled';

const indentOf = (depth: number) => '  '.repeat(Math.max(0, Math.min(depth, maxListDepth)) || 0);

/** The line of a page in a Markdown list, indented by its depth: a link, and what it is about. Groups that begin with it are lines before it. */
export function pageLines({ title, url, description = '', depth, groups = [] }: ListedPage): string {
  const about = oneLine(description, maxDescriptionLength);
  const line = `${indentOf(depth)}- [${linkText(title)}](${escapeAddress(url)})${about === '' ? '' : `: ${about}`}`;
  return [...groups.map((group) => `${indentOf(group.depth)}- ${linkText(group.title)}`), line].join('\n');
}

/** The beginning of a list: its title, and what it is about as a quote. */
export function listHead(title: string, description = ''): string {
  const about = oneLine(description, maxDescriptionLength);
  return `# ${oneLine(title, maxTitleLength) || 'Untitled'}\n${about === '' ? '' : `\n> ${about}\n`}`;
}

/** The address of a page as Markdown: `…/install` is `…/install.md`, the front page of a site `…/index.md`. */
export function markdownUrl(url: string): string {
  const [, address = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  return `${address.endsWith('/') ? `${address}index` : address}.md${rest}`;
}

/** An absolute address as HTTP headers take it: ASCII, without signs that would end it. undefined for what is no web address. */
export function headerUrl(url: string): string | undefined {
  return isWebAddress(url) ? escapeAddress(new URL(url).href) : undefined;
}

export const isWebAddress = (url: string): boolean => /^https?:/i.test(url) && URL.canParse(url);
