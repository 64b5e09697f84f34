import { findLinkPlaces, type SourceLink } from '../document/links/link-places.js';
import { editFrontMatter, type FrontMatterEdits } from '../space/front-matter/front-matter-edits.js';
import { frontMatterEntries } from '../space/front-matter/front-matter-entries.js';
import { locateParts, normalizeText } from '../space/source-parts.js';

/** The changes of a writer to the source of a page. */
export interface WrittenSource {
  /** The new source; absent where only front matter changes. */
  source?: string | undefined;
  /** The source that the page has; the new one keeps its front matter where it has none of its own. */
  before?: string | undefined;
  /** The new source is whole: without front matter, the page has none. */
  exact?: boolean | undefined;
  /** Prefixes of absolute addresses of content on this server. */
  own?: readonly string[] | undefined;
  /** Front matter to be set or removed; that of a new source wins. */
  edits: FrontMatterEdits;
}

export interface WrittenText {
  source: string;
  /** The places of its links. */
  places: SourceLink[];
  /** Whether the source that the writer gave names its title in front matter. */
  titled: boolean;
  /** Whether its front matter is the writer's own, and not that of the page. */
  isOwn: boolean;
}

/** The new source of a page, with the places of the links in it. */
export function writeSource({
  source,
  before = '',
  exact = false,
  edits,
  own: addresses,
}: WrittenSource): WrittenText | { refused: string } {
  const own = source !== undefined && locateParts(source).yaml !== undefined;
  const whole = source === undefined ? before : own || exact ? source : frontMatterText(before) + source;
  const given = own ? new Set((frontMatterEntries(whole) ?? []).map(({ key }) => key)) : new Set<string>();
  const wanted = Object.fromEntries(Object.entries(edits).filter(([key]) => !given.has(key)));
  const made = Object.keys(wanted).length > 0 ? editFrontMatter(whole, wanted) : whole;
  if (made === undefined)
    return { refused: 'its front matter cannot be edited; send a document with front matter of its own' };
  return {
    source: made,
    places: linkPlacesIn(made, addresses),
    titled: given.has('title'),
    isOwn: own && frontMatterText(source) !== frontMatterText(before),
  };
}

const frontMatterText = (source: string): string => {
  const { yaml, body } = locateParts(source);
  return yaml ? source.slice(0, body) : '';
};

/** The places of links, counted in the source as it is written. */
export function linkPlacesIn(source: string, own: readonly string[] | undefined): SourceLink[] {
  const { body } = locateParts(source);
  const text = source.slice(body);
  const places = findLinkPlaces(normalizeText(text), { own });
  if (body === 0 && !text.includes('\r\n')) return places;
  const at = newPositionMapper(text, body);
  return places.map((place) => ({
    ...place,
    from: at(place.from),
    to: at(place.to),
    without: { ...place.without, from: at(place.without.from), to: at(place.without.to) },
  }));
}

/** Leads from positions in the normalized text to those in the source; line ends of two characters became one. */
export function newPositionMapper(text: string, start: number): (position: number) => number {
  const dropped = [...text.matchAll(/\r\n/g)].map(({ index }, before) => index - before);
  return (position) => {
    let [low, high] = [0, dropped.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((dropped[middle] as number) < position) low = middle + 1;
      else high = middle;
    }
    return start + position + low;
  };
}
