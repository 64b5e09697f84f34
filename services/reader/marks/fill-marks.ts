import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { pathSegment } from '../../../shared/text/path-segment.js';
import { fillIn } from '../words/languages.js';
import type { Words } from '../words/words.js';

/** The meaning of the marks in the HTML of a body, at one place. */
export interface Filling {
  /** The address of a page of the space, by its path and anchor. */
  page: (path: string, anchor: string | undefined) => string;
  /** The address of a file, by its signed path. */
  file: (path: string) => string;
  /** Where an outside reference leads; null for nowhere. */
  outside: (position: number) => { href: string; title: string } | null;
  /** HTML at the end of a block, by its key, where the body names its blocks. */
  block?: (key: string) => string;
  /** The address of a search. */
  search: (query: string) => string;
  words: Words;
  formatDate: (iso: string) => string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: marks are made of them.
const anyMark = / href="\u0001o(\d+)\u0002"|\u0001([a-z])([^\u0002]*)\u0002/g;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
/** A mark stands in HTML, so what it names is escaped. */
const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

/** Puts into the HTML of a body what its marks stand for. All that it puts there is escaped. */
export function fillMarks(html: string, filling: Filling): string {
  const fill = (letter: string, named: string): string => {
    switch (letter) {
      case 'p': {
        const [path = '', anchor] = unescaped(named).split('#', 2);
        return escapeHtml(filling.page(path, anchor));
      }
      case 'f':
        return escapeHtml(filling.file(unescaped(named)));
      case 's':
        return escapeHtml(filling.search(unescaped(named)));
      case 't':
        return escapeHtml(filling.outside(Number(named))?.title ?? filling.words.brokenLink);
      case 'w':
        return wordOf(filling.words, named);
      case 'k':
        return filling.block?.(unescaped(named)) ?? '';
      case 'd':
        return escapeHtml(filling.formatDate(unescaped(named)));
      default:
        return '';
    }
  };
  return html.replace(anyMark, (_, position: string | undefined, letter: string, named: string) => {
    if (position === undefined) return fill(letter, named);
    const target = filling.outside(Number(position));
    return target
      ? ` href="${escapeHtml(target.href)}"`
      : ` class="broken" title="${escapeHtml(filling.words.brokenLink)}"`;
  });
}

/** A word of the interface; what it is about is escaped already. */
function wordOf(words: Words, named: string): string {
  const [key = '', ...about] = named.split('|');
  const text = Object.hasOwn(words, key) ? words[key as keyof Words] : '';
  return fillIn(escapeHtml(text), ...about);
}

/** The path of a page in an address. */
export const encodedPath = (path: string): string => path.split('/').map(pathSegment).join('/');

export const fragmentOf = (anchor: string | undefined): string =>
  anchor === undefined || anchor === '' ? '' : `#${encodeURI(anchor)}`;
