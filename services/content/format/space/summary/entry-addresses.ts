import { posix } from 'node:path';
import { unescapeText } from '../../markdown/html.js';
import { scanInlineTarget } from '../../markdown/link-syntax.js';
import { folderOf } from '../paths.js';
import type { ListedPage } from './listed-pages.js';
import { NO_FILE, SCHEME } from './summary.js';

/** The way in which a table of contents writes the paths of files. */
export interface AddressStyle {
  root: string;
  summary: string;
  /** Paths begin with `/`, the root; otherwise they are relative to the table of contents. */
  absolute: boolean;
  /** Paths with spaces and parentheses stand in angle brackets; otherwise those are percent-encoded. */
  angled: boolean;
}

/** The address in an entry that leads to the file or target of the page, as it stands before the link title. */
export function writeEntryAddress({ file, target }: ListedPage, style: AddressStyle): string {
  if (target && 'href' in target) return writeHref(target.href, style);
  const path = file ?? target?.file;
  if (path === undefined) return '';
  const relative = posix.relative(`/${folderOf(style.summary)}`, `/${path}`);
  const shown = style.absolute ? path.slice(style.root === '' ? 0 : style.root.length + 1) : relative;
  const isURL = !style.absolute && SCHEME.test(shown);
  return encodeFilePath((style.absolute ? '/' : isURL ? './' : '') + shown, style, target?.anchor);
}

const percentEncodeAscii = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
const percentEncodeChar = (char: string) => (char < '\x80' ? percentEncodeAscii(char) : encodeURIComponent(char));

function encodeFilePath(path: string, { angled }: AddressStyle, anchor = ''): string {
  const encodePart = (text: string) => {
    const always = text.replace(/[\p{Cc}%#?<>"\\`]/gu, percentEncodeChar);
    return unescapeText(always) === always ? always : always.replaceAll('&', percentEncodeChar);
  };
  const address = encodePart(path) + (anchor && `#${encodePart(anchor)}`);
  if (!/[ ()]/.test(address)) return address;
  return angled ? `<${address}>` : address.replace(/[ ()]/g, percentEncodeChar);
}

function writeHref(href: string, style: AddressStyle): string {
  if (!NO_FILE.test(href)) return writeUrl(href);
  const [path = '', anchor] = href.startsWith('/spaces/') ? href.split('#', 2) : [href];
  return encodeFilePath(path, style, anchor);
}

function writeUrl(url: string): string {
  const escaped = url.replace(/[\\&<>()]/g, '\\$&');
  const readings = [url, escaped].filter((text) => scanInlineTarget(`(${text})`, 0)?.target.url === url);
  return readings[0] ?? `<${escaped}>`;
}

/** The link title of an entry with the space before it; empty without one. */
export function writeLinkTitle({ linkTitle }: ListedPage): string {
  if (linkTitle === undefined) return '';
  const readings = [/["\\]/g, /[!-/:-@[-`{-~]/g].map((signs) => `"${linkTitle.replace(signs, '\\$&')}"`);
  const [first = '', escaped = ''] = readings;
  return ` ${scanInlineTarget(`(x ${first})`, 0)?.target.title === linkTitle ? first : escaped}`;
}
