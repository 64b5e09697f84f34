import { unescapeText } from '../markdown/html.js';
import { isLinkable } from './link-targets.js';
import type { MarkdownReading } from './read-markdown.js';

/** The beginnings of HTML, and of addresses that GFM links to and a text may not. */
const ACTIVE = /<[A-Za-z/!?]|ftp:\/\/|xmpp:/gi;
const AUTOLINK = /<(?:https?:\/\/|mailto:)[^\s<>]*>|<[\w.+-]{1,64}@[\w.-]{1,255}>/gi;
/**
 * White space that not all parsers take for the same, addresses that may reach into code, and definitions of which not all see the
 * end on their line.
 */
const DOUBTFUL =
  /[^\S \n\r]|(?:https?:\/\/|www\.|@)[^\s`]*`|\]:(?![ \t]*[^\s<'"(]+[ \t]*(?:$|\r?\n[ \t]*[^\s'"(]|\r?\n[ \t]*\r?\n))/i;
/** Where the address of a link or a definition may begin. */
const ADDRESS = /\][(:]\s*<?([^\s<>)]{1,200})/g;

/**
 * Whether a text runs no script in any program that renders Markdown, also one that reads it a bit otherwise: it has no HTML
 * outside of code, and no address that a text may not link to.
 */
export function isSafe(source: string, { codes, doubtful, refusedLinks }: MarkdownReading): boolean {
  if (refusedLinks) return false;
  const active = countActive(source);
  if (active > 0 && (doubtful || DOUBTFUL.test(source) || active > countActive(codes.join('\n')))) return false;
  if (!source.includes('[')) return true;
  for (const [, address = ''] of source.matchAll(ADDRESS)) if (!isLinkable(unescapeText(address))) return false;
  return true;
}

const countActive = (text: string) => text.replace(AUTOLINK, '').match(ACTIVE)?.length ?? 0;
