import { posix } from 'node:path';
import { unescapeText } from '../../markdown/html.js';
import { scanTarget } from '../../markdown/link-syntax.js';
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
export function entryAddress({ file, target }: ListedPage, style: AddressStyle): string {
  if (target && 'href' in target) return hrefText(target.href, style);
  const path = file ?? target?.file;
  if (path === undefined) return '';
  const relative = posix.relative(`/${folderOf(style.summary)}`, `/${path}`);
  const shown = style.absolute ? path.slice(style.root === '' ? 0 : style.root.length + 1) : relative;
  const isURL = !style.absolute && SCHEME.test(shown);
  return pathText((style.absolute ? '/' : isURL ? './' : '') + shown, style, target?.anchor);
}

const ascii = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
const hex = (char: string) => (char < '\x80' ? ascii(char) : encodeURIComponent(char));

function pathText(path: string, { angled }: AddressStyle, anchor = ''): string {
  const encoded = (text: string) => {
    const always = text.replace(/[\p{Cc}%#?<>"\\`]/gu, hex);
    return unescapeText(always) === always ? always : always.replaceAll('&', hex);
  };
  const address = encoded(path) + (anchor && `#${encoded(anchor)}`);
  if (!/[ ()]/.test(address)) return address;
  return angled ? `<${address}>` : address.replace(/[ ()]/g, hex);
}

function hrefText(href: string, style: AddressStyle): string {
  if (!NO_FILE.test(href)) return urlText(href);
  const [path = '', anchor] = href.startsWith('/spaces/') ? href.split('#', 2) : [href];
  return pathText(path, style, anchor);
}

function urlText(url: string): string {
  const escaped = url.replace(/[\\&<>()]/g, '\\$&');
  const readings = [url, escaped].filter((text) => scanTarget(`(${text})`, 0)?.target.url === url);
  return readings[0] ?? `<${escaped}>`;
}

/** The link title of an entry with the space before it; empty without one. */
export function linkTitleText({ linkTitle }: ListedPage): string {
  if (linkTitle === undefined) return '';
  const readings = [/["\\]/g, /[!-/:-@[-`{-~]/g].map((signs) => `"${linkTitle.replace(signs, '\\$&')}"`);
  const [first = '', escaped = ''] = readings;
  return ` ${scanTarget(`(x ${first})`, 0)?.target.title === linkTitle ? first : escaped}`;
}
