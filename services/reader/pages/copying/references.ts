import { posix } from 'node:path';
import { escapeHtml } from '../../../../shared/text/escaped-html.js';

/** Addresses stay that are to be absolute: those of the page itself, and of the same page in other languages. */
const references = /<link rel="(?:canonical|alternate)"[^>]*>| (href|src|srcset|poster)="([^"]*)"|url\("([^")]*)"\)/g;

/** Meanings of an address in a copy: a path in it; an address that stays; null for one that leads nowhere there. */
export type Reference = { path: string } | { address: string } | null;

interface Rewritten {
  /** Where the text is on the site. */
  url: URL;
  /** Where it is in the copy. */
  path: string;
  /** Takes an address of http or https, without its fragment. */
  find: (address: URL) => Reference;
}

/** A page or a stylesheet with addresses as they are in the copy, relative to it. Our renderer escapes quotes in texts, so that nothing else looks like an attribute. */
export function withReferences(text: string, rewritten: Rewritten): string {
  return text.replace(references, (whole, name?: string, value?: string, inSheet?: string) => {
    if (inSheet !== undefined) return `url("${referenceTo(inSheet, rewritten) ?? inSheet}")`;
    if (name === undefined || value === undefined) return whole;
    const found = referenceTo(value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'), rewritten);
    return found === null ? '' : ` ${name}="${escapeHtml(found)}"`;
  });
}

function referenceTo(value: string, { url, path, find }: Rewritten): string | null {
  if (value.startsWith('#') || !URL.canParse(value, url)) return value;
  const address = new URL(value, url);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return value;
  const { hash } = address;
  address.hash = '';
  const found = find(address);
  if (found === null) return null;
  if ('address' in found) return found.address === address.href ? absolute(value, url) : found.address + hash;
  return encodeURI(posix.relative(posix.dirname(path), found.path)).replace(/[?#]/g, encodeURIComponent) + hash;
}

/** An address of another host as its author wrote it. */
const absolute = (value: string, url: URL): string => (URL.canParse(value) ? value : new URL(value, url).href);

/** Signs that no file system takes, or that lead out of the archive. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
const unsafe = /[\u0000-\u001f<>:"/\\|?*]|^\.+$/g;

/** The decoded path of a URL as one in an archive. */
export const archivePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decoded(segment).replace(unsafe, '-'))
    .join('/');

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
