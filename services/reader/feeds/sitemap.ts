import { isWebAddress } from './links.js';
import { escapeXml, xmlDeclaration, xmlElement } from './xml-text.js';

/** Entries and bytes that the protocol allows a file (https://www.sitemaps.org/protocol.html). */
export const maxSitemapEntries = 50_000;
const maxSitemapBytes = 50 * 1024 * 1024;
const maxUrlLength = 2048;
const maxAlternates = 50;

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export interface SitemapEntry {
  /** Absolute. */
  url: string;
  /** ISO 8601. */
  lastmod?: string | undefined;
  /** The same page in other languages, and in its own. */
  alternates?: readonly { hreflang: string; href: string }[] | undefined;
  /** 0 to 1. */
  priority?: number | undefined;
}

const isAddress = (url: string) => url.length < maxUrlLength && isWebAddress(url);
const isLanguage = (tag: string) => tag === 'x-default' || /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag);

/** A date as the protocol takes it, to the second; undefined for a text that is none. */
function lastModified(iso: string | undefined): string | undefined {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function pageEntry({ url, lastmod, alternates = [], priority }: SitemapEntry): string {
  const modified = lastModified(lastmod);
  const links = alternates
    .slice(0, maxAlternates)
    .filter(({ hreflang, href }) => isLanguage(hreflang) && isAddress(href))
    .map(
      ({ hreflang, href }) =>
        `<xhtml:link rel="alternate" hreflang="${escapeXml(hreflang)}" href="${escapeXml(href)}"/>`,
    );
  return [
    `<url>${xmlElement('loc', url)}`,
    ...(modified === undefined ? [] : [xmlElement('lastmod', modified)]),
    ...(priority === undefined || !(priority >= 0 && priority <= 1)
      ? []
      : [xmlElement('priority', priority.toFixed(1))]),
    ...links,
    '</url>\n',
  ].join('');
}

/** A file of entries: as many as the protocol allows; what is above that is left out. */
function sitemapFile(head: string, foot: string, entries: Iterable<string>): string {
  const parts = [xmlDeclaration, head];
  let size = Buffer.byteLength(xmlDeclaration + head + foot);
  for (const entry of entries) {
    size += Buffer.byteLength(entry);
    if (parts.length - 2 === maxSitemapEntries || size > maxSitemapBytes) break;
    parts.push(entry);
  }
  return [...parts, foot].join('');
}

function* mapValid<T extends { url: string }>(items: readonly T[], write: (item: T) => string): Iterable<string> {
  for (const item of items) if (isAddress(item.url)) yield write(item);
}

/** `sitemap.xml` of a site: where the sitemaps of its parts are. */
export function sitemapIndex(urls: readonly string[]): string {
  const entries = urls.map((url) => ({ url }));
  const write = ({ url }: { url: string }) => `<sitemap>${xmlElement('loc', url)}</sitemap>\n`;
  return sitemapFile(`<sitemapindex xmlns="${namespace}">\n`, '</sitemapindex>\n', mapValid(entries, write));
}

/** A sitemap of pages. */
export function sitemapPages(entries: readonly SitemapEntry[]): string {
  const head = `<urlset xmlns="${namespace}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`;
  return sitemapFile(head, '</urlset>\n', mapValid(entries, pageEntry));
}
