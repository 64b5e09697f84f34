import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathSegment } from '../../shared/text/path-segment.js';
import type { LinkPlace, PlacedMarkdown } from './format/link-places.js';
import type { FileEntry, ReusableEntry } from './model.js';
import { refOf } from './references.js';
import type { ContentRef } from './resources.js';
import type { PageEntry, RevisionView } from './revisions.js';

export interface MarkdownReading {
  view: RevisionView;
  /** The page that is read: what is included in it leads on from there. */
  page: PageEntry;
  /** The address under which anybody gets a file. */
  addressOfFile(file: FileEntry): string;
  /** The body of reusable content, without a title. */
  include(entry: ReusableEntry): Promise<PlacedMarkdown>;
}

type Source = Pick<PageEntry, 'git' | 'aliases'>;

/** What a page may include, all in all; the rest stays as it is written. */
const deepest = 10;
const mostIncludes = 1000;
const mostIncluded = 1024 * 1024;
/** Then others get their turn. */
const placesAtOnce = 1000;

/**
 * Markdown that stands alone: links lead from page to page by their paths, files have absolute addresses, reusable content
 * is in its place. What leads nowhere is no link any more.
 */
export async function standingAlone(reading: MarkdownReading, markdown: PlacedMarkdown): Promise<string> {
  const left = { includes: mostIncludes, characters: mostIncluded };
  const known = new Map<string, Promise<PlacedMarkdown>>();
  const reusable = new Map(reading.view.reusable.map((entry) => [entry.id, entry]));

  const write = async (source: Source, { text, places }: PlacedMarkdown, open: string[]): Promise<string> => {
    const parts: string[] = [];
    let from = 0;
    const put = (to: number, end: number, instead: string) => {
      parts.push(text.slice(from, to), instead);
      from = end;
    };
    for (const [at, place] of places.entries()) {
      if (at % placesAtOnce === placesAtOnce - 1) await setImmediate();
      const ref = refOf(reading.view, source, place.url, place.kind);
      if (place.kind === 'include') {
        const included = await includedBy(ref, open);
        const shown = included === undefined ? undefined : inPlace(text, place, included, left.characters);
        if (shown === undefined) continue;
        left.characters -= shown.length;
        put(place.from, place.to, shown);
        continue;
      }
      const address = ref && addressOf(reading, ref);
      if (address !== undefined) put(place.from, place.to, address);
      else if (ref) put(place.without.from, place.without.to, place.without.text);
    }
    parts.push(text.slice(from));
    return parts.join('');
  };

  /** Undefined for what is not there, includes itself, or is too much. */
  const includedBy = async (ref: ContentRef | undefined, open: string[]): Promise<string | undefined> => {
    const entry = reusable.get(String(ref?.reusableContent));
    if (!entry || open.includes(entry.id) || open.length >= deepest || left.includes <= 0) return undefined;
    left.includes -= 1;
    const body = known.get(entry.id) ?? reading.include(entry);
    known.set(entry.id, body);
    return write(entry, await body, [...open, entry.id]);
  };

  return write(reading.page, markdown, []);
}

const containers = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/;

/** Blocks in place of a tag: a paragraph of their own each, in the quotes and list items that the tag stands in. */
function inPlace(text: string, { from, to }: LinkPlace, included: string, most: number): string | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const before = text.slice(start, from);
  const around = containers.exec(before)?.[0] ?? '';
  const prefix = around.replace(/[^\s>]/g, ' ');
  const lines = included.trim().split('\n');
  const lineEnd = text.indexOf('\n', to);
  const rest = text.slice(to, lineEnd < 0 ? text.length : lineEnd);
  if (included.length + (lines.length + 4) * (prefix.length + 1) > most) return undefined;
  const apart = `\n${prefix.trimEnd()}\n${prefix}`;
  const body = lines.map((line, at) => (at === 0 ? line : `${prefix}${line}`.trimEnd())).join('\n');
  return `${around.length === before.length ? '' : apart}${body}${rest.trim() === '' ? '' : apart}`;
}

/** Where a reference leads as seen from the page; undefined where it leads nowhere. */
function addressOf({ view, page, addressOfFile }: MarkdownReading, ref: ContentRef): string | undefined {
  if (ref.kind === 'url') return escaped(String(ref.url));
  if (ref.kind === 'file') {
    const file = view.fileById.get(String(ref.file));
    return file && escaped(addressOfFile(file));
  }
  const anchor = ref.kind === 'anchor' ? `#${escaped(encodeURI(decoded(String(ref.anchor))))}` : '';
  if (ref.kind === 'anchor' && ref.page === undefined) return anchor;
  const target = view.pageById.get(String(ref.page));
  if (!target) return undefined;
  return escaped(pathFrom(posix.dirname(page.path), target.path).split('/').map(pathSegment).join('/')) + anchor;
}

/** The page of the folder itself is seen from the folder above: an empty address would be the page that it stands on. */
const pathFrom = (folder: string, path: string): string => posix.relative(folder, path) || `../${posix.basename(path)}`;

/** An anchor as it is written may be encoded already. */
function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}

/** Nothing in it can end an address in markdown or HTML. */
const escaped = (address: string): string =>
  address.replace(/[\s"'()<>\\`]/g, (sign) =>
    sign < '\x7f' ? `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}` : encodeURIComponent(sign),
  );
