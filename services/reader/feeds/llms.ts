import { escapeAddress } from '../../../shared/text/escaped-address.js';
import { type ListedPage, listHead, oneLine, pageLines } from './links.js';

/** Pages that one list names. Readers of these lists are models: more than this fills the memory of any. */
const maxListedPages = 20_000;
const maxTitleLength = 200;

export interface ListedSection {
  title: string;
  pages: readonly ListedPage[];
}

export interface ListedSite {
  site: { title: string; description?: string | undefined };
  sections: readonly ListedSection[];
}

/** `llms.txt` of a site: its pages as Markdown links, as https://llmstxt.org describes. */
export function llmsTxt({ site, sections }: ListedSite): string {
  const parts = [listHead(site.title, site.description)];
  let room = maxListedPages;
  let left = 0;
  for (const { title, pages } of sections) {
    const shown = pages.slice(0, room);
    room -= shown.length;
    left += pages.length - shown.length;
    if (shown.length === 0) continue;
    parts.push(`## ${oneLine(title, maxTitleLength) || 'Pages'}\n\n${shown.map(pageLines).join('\n')}\n`);
  }
  if (left > 0) parts.push(`${left} more pages are not listed.\n`);
  return parts.join('\n');
}

export interface FullPage {
  title: string;
  /** Absolute. */
  url: string;
  markdown: string;
}

export interface PartRequest {
  /** The position of the first page of `pages` among all pages. */
  from: number;
  maxBytes: number;
  /** The address of the part that begins at a position. */
  partUrl: (from: number) => string;
}

/** Pages that one part holds, however short they are. */
const maxPartPages = 1000;

const frontMatter = /^---\r?\n[\s\S]{0,10000}?\r?\n---[ \t]*(?:\r?\n|$)/;
const firstHeading = /^# [^\n]*/;

/** A page below its title, with the address that it comes from. A text that begins with a title keeps it. */
function fullPage({ title, url, markdown }: FullPage): string {
  const text = markdown.replace(frontMatter, '').trim();
  const [heading = ''] = firstHeading.exec(text) ?? [];
  const body = text.slice(heading.length).trimStart();
  const shown = heading || `# ${oneLine(title, maxTitleLength) || 'Untitled'}`;
  return `${shown}\n\nSource: ${escapeAddress(url)}\n${body === '' ? '' : `\n${body}\n`}`;
}

/** The beginning of a text, in so many bytes of UTF-8. */
function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, Math.max(0, maxBytes));
  // A stream waits for the rest of a character that is cut, and so leaves it out.
  return new TextDecoder().decode(bytes, { stream: true });
}

/** A page that fits into a part, cut where it is longer, with the address of all of it. */
function boundedPage(page: FullPage, maxBytes: number): string {
  const text = fullPage(page);
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return text;
  const note = `\n\n… The rest of this page is at ${escapeAddress(page.url)}\n`;
  return cutText(text, maxBytes - Buffer.byteLength(note)) + note;
}

/**
 * One part of `llms-full.txt`: whole pages, one after the other, in about `maxBytes` bytes. `pages` begins with the page at `from`, so that a part
 * costs what it holds and not what stands before it. `next` is the position that the next part begins at; absent in the last one, whose text
 * says nothing of it either.
 */
export async function llmsFull(
  pages: AsyncIterable<FullPage>,
  { from, maxBytes, partUrl }: PartRequest,
): Promise<{ text: string; next?: number }> {
  const parts: string[] = [];
  let size = 0;
  for await (const page of pages) {
    const text = boundedPage(page, maxBytes);
    const bytes = Buffer.byteLength(text) + 1;
    if (parts.length === maxPartPages || (parts.length > 0 && size + bytes > maxBytes)) {
      const next = from + parts.length;
      return { text: `${parts.join('\n')}\n---\n\nNext part: ${escapeAddress(partUrl(next))}\n`, next };
    }
    parts.push(text);
    size += bytes;
  }
  return { text: parts.join('\n') };
}
