import { posix } from 'node:path';
import { escapeAddress } from '../../../../shared/text/escaped-address.js';
import { pathSegment } from '../../../../shared/text/path-segment.js';
import { eachInSlices, nextTurn } from '../../../../shared/work/slices.js';
import type { FileEntry, ReusableEntry } from '../../core/revisions/model.js';
import { resolveRef } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { PlacedMarkdown, SourceLink } from '../../format/document/links/link-places.js';
import type { ContentRef } from '../../format/resources.js';
import type { ShownAddresses } from './other-spaces/shown-addresses.js';

export interface StandaloneReading {
  view: RevisionView;
  /** The page that is read: links in content included in it are relative to this page. */
  page: PageEntry;
  /** The download address of a file. */
  addressOfFile(file: FileEntry): string;
  /** The body of reusable content, without a title. */
  include(entry: ReusableEntry): Promise<PlacedMarkdown>;
  /** Where other spaces are; absent for visitors of a site, who have no addresses there. */
  elsewhere: ShownAddresses | undefined;
}

type Source = Pick<PageEntry, 'git' | 'aliases'>;

/** Bounds on what one page includes; includes beyond them stay as written. */
const maxDepth = 10;
const maxIncludes = 1000;
const maxIncluded = 1024 * 1024;
/** Places handled before the event loop gets a turn. */
const placesAtOnce = 1000;

/**
 * Markdown that can be read outside the space: links between pages are relative paths, files and other spaces have absolute addresses,
 * reusable content is inserted. A link to something that does not exist becomes plain text.
 */
export async function standaloneMarkdown(reading: StandaloneReading, markdown: PlacedMarkdown): Promise<string> {
  const left = { includes: maxIncludes, characters: maxIncluded };
  const known = new Map<string, Promise<PlacedMarkdown>>();
  const reusable = new Map(reading.view.reusable.map((entry) => [entry.id, entry]));

  const write = async (source: Source, { text, places }: PlacedMarkdown, open: string[]): Promise<string> => {
    const parts: string[] = [];
    let from = 0;
    const put = (to: number, end: number, instead: string) => {
      parts.push(text.slice(from, to), instead);
      from = end;
    };
    const refs: (ContentRef | undefined)[] = [];
    await eachInSlices(places, ({ url, kind }) => refs.push(resolveRef(reading.view, source, url, kind)));
    await reading.elsewhere?.lookUp(refs);
    for (const [at, place] of places.entries()) {
      if (at % placesAtOnce === placesAtOnce - 1) await nextTurn();
      const ref = refs[at];
      if (place.kind === 'include') {
        const included = await readIncluded(ref, open);
        const shown = included === undefined ? undefined : inPlace(text, place, included, left.characters);
        if (shown === undefined) continue;
        left.characters -= shown.length;
        put(place.from, place.to, shown);
        continue;
      }
      const address = ref && addressOf(reading, ref);
      if (typeof address === 'string') put(place.from, place.to, address);
      else if (address === null) put(place.without.from, place.without.to, place.without.text);
    }
    parts.push(text.slice(from));
    return parts.join('');
  };

  /** Undefined for content that does not exist, includes itself, or exceeds the bounds. */
  const readIncluded = async (ref: ContentRef | undefined, open: string[]): Promise<string | undefined> => {
    const entry = reusable.get(String(ref?.reusableContent));
    if (!entry || open.includes(entry.id) || open.length >= maxDepth || left.includes <= 0) return undefined;
    left.includes -= 1;
    const body = known.get(entry.id) ?? reading.include(entry);
    known.set(entry.id, body);
    return write(entry, await body, [...open, entry.id]);
  };

  return write(reading.page, markdown, []);
}

const containers = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/;

/** The included blocks as paragraphs of their own, inside the quotes and list items that hold the tag. */
function inPlace(text: string, { from, to }: SourceLink, included: string, max: number): string | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const before = text.slice(start, from);
  const around = containers.exec(before)?.[0] ?? '';
  const prefix = around.replace(/[^\s>]/g, ' ');
  const lines = included.trim().split('\n');
  const lineEnd = text.indexOf('\n', to);
  const rest = text.slice(to, lineEnd < 0 ? text.length : lineEnd);
  if (included.length + (lines.length + 4) * (prefix.length + 1) > max) return undefined;
  const apart = `\n${prefix.trimEnd()}\n${prefix}`;
  const body = lines.map((line, at) => (at === 0 ? line : `${prefix}${line}`.trimEnd())).join('\n');
  return `${around.length === before.length ? '' : apart}${body}${rest.trim() === '' ? '' : apart}`;
}

/** The address of a reference, relative to the page; null when the target does not exist, undefined where the link stays as written. */
function addressOf(reading: StandaloneReading, ref: ContentRef): string | null | undefined {
  const { view, page, addressOfFile, elsewhere } = reading;
  if (ref.kind === 'url') return escapeAddress(String(ref.url));
  if (ref.kind === 'file') {
    const file = view.fileById.get(String(ref.file));
    return file ? escapeAddress(addressOfFile(file)) : null;
  }
  if (ref.kind === 'user' || ref.kind === 'collection') return elsewhere ? undefined : null;
  const anchor = ref.kind === 'anchor' ? `#${escapeAddress(encodeURI(decodeAnchor(String(ref.anchor))))}` : '';
  if (ref.space !== undefined) {
    const address = elsewhere ? elsewhere.of(ref) : null;
    return address && escapeAddress(address) + anchor;
  }
  if (ref.kind === 'anchor' && ref.page === undefined) return anchor;
  const target = view.pageById.get(String(ref.page));
  if (!target) return null;
  return escapeAddress(pathBetween(page, target).split('/').map(pathSegment).join('/')) + anchor;
}

/** The path by which a page names another. */
export const pathBetween = ({ path }: PageEntry, target: PageEntry): string =>
  pathFrom(posix.dirname(path), target.path);

/** A folder's own page is addressed from the folder above: an empty address would mean the current page. */
const pathFrom = (folder: string, path: string): string => posix.relative(folder, path) || `../${posix.basename(path)}`;

/** An anchor may be percent-encoded already. */
function decodeAnchor(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
