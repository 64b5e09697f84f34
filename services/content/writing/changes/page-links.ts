import type { Store } from '../../../../shared/store/port.js';
import { escapeAddress } from '../../../../shared/text/escaped-address.js';
import { type Replacement, withReplacements } from '../../../../shared/text/replacements.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { documentId, type PageDocument, pageDocuments } from '../../core/revisions/model.js';
import type { PageEntry } from '../../core/revisions/revision-view.js';
import { findAnchor } from '../../format/document/context/anchors.js';
import type { SourceLink } from '../../format/document/links/link-places.js';
import { percentDecode } from '../../format/space/paths.js';
import {
  type BatchLinkScope,
  type LinkMeaning,
  mayLeadElsewhere,
  meaningOf,
  type NewLink,
  shownPaths,
} from './link-targets.js';

type Aliases = NonNullable<PageDocument['aliases']>;

/** A page that was written, with the places of its links. */
export interface LinkedPage {
  id: string;
  source: string;
  places: SourceLink[];
  /** The links that it had before. */
  known: PageDocument['links'];
  /** Links that it had before, or that lead nowhere, stay as they are written. */
  exact: boolean;
  /** Other names of its anchors. */
  aliases?: Aliases | undefined;
}

type Meaning = Exclude<LinkMeaning, undefined>;

const keyOf = ({ url, kind }: { url: string; kind: string }) => `${kind} ${url}`;

/** The sources of pages with their links written by what they mean, by the ids of the pages; pages that stay as they are left out. */
export async function linkedSources(
  { store, space }: { store: Store; space: string },
  scope: BatchLinkScope,
  pages: LinkedPage[],
): Promise<Map<string, string>> {
  const elsewhere = await scope.others.targets(space, newLinksIn(pages));
  const meanings = new Map<string, Map<string, Meaning>>();
  for (const page of pages) meanings.set(page.id, await meaningsIn(scope, page, elsewhere));
  const anchors = await anchorsFor({ store, space }, scope, { pages, targets: [...meanings.values()] });
  const sources = new Map<string, string>();
  for (const { id, places, source } of pages) {
    const meant = meanings.get(id) as Map<string, Meaning>;
    const rewritings = places.flatMap((place) => {
      const target = meant.get(keyOf(place));
      const named = target && withAnchor(target, anchors);
      return named === undefined || isAsWritten(named, place.url) ? [] : [rewriting(place, named)];
    });
    if (rewritings.length > 0) sources.set(id, withReplacements(source, rewritings));
  }
  return sources;
}

/** The links that pages did not have before and that may lead to another space. */
function* newLinksIn(pages: LinkedPage[]): Generator<string> {
  for (const { places, known } of pages) {
    const before = new Set(known.map(keyOf));
    for (const place of places) if (mayLeadElsewhere(place) && !before.has(keyOf(place))) yield place.url;
  }
}

/** Resolves the links of a page; those that stay as they are written are left out. */
async function meaningsIn(
  scope: BatchLinkScope,
  { id, places, known, exact }: LinkedPage,
  elsewhere: NewLink['elsewhere'],
): Promise<Map<string, Meaning>> {
  const page = scope.view.pageById.get(id) as PageEntry;
  const links = new Map(places.map((place) => [keyOf(place), place]));
  const before = new Set(known.map(keyOf));
  const shown = await shownPaths(scope.before, id, known);
  const meanings = new Map<string, Meaning>();
  await eachInSlices(links, ([key, { url, kind }]) => {
    const isKnown = before.has(key);
    if (exact && isKnown) return;
    const target = meaningOf(scope, { page, url, kind, known: isKnown, shown, elsewhere });
    if (target !== undefined && !(exact && target === 'nothing')) meanings.set(key, target);
  });
  return meanings;
}

type Anchors = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The anchors by their other names, of all pages that links with anchors lead to. */
async function anchorsFor(
  { store, space }: { store: Store; space: string },
  { view }: BatchLinkScope,
  { pages, targets }: { pages: LinkedPage[]; targets: Map<string, Meaning>[] },
): Promise<Anchors> {
  const linked = new Set<string>();
  for (const meanings of targets)
    for (const target of meanings.values())
      if (typeof target === 'object' && 'page' in target && target.anchor) linked.add(target.page);
  const written = new Map(pages.map(({ id, aliases = [] }) => [id, aliases]));
  const documentOf = (page: string) => documentId(space, view.pageById.get(page)?.document ?? '');
  const ids = [...new Set([...linked].filter((page) => !written.has(page)).map(documentOf))];
  const found = await store.getMany(pageDocuments, ids, { fields: ['aliases'] });
  const stored = new Map(found.map(({ _id, aliases }) => [_id, aliases]));
  return new Map([...linked].map((page) => [page, new Map(written.get(page) ?? stored.get(documentOf(page)) ?? [])]));
}

/** The target with its anchor by the name that it has; undefined for a link that stays as it is written. */
function withAnchor(target: Meaning, anchors: Anchors): Meaning | undefined {
  if (target === 'nothing' || !('page' in target) || !target.anchor) return target;
  const said = percentDecode(target.anchor);
  const anchor = findAnchor(anchors.get(target.page) ?? new Map(), said);
  return target.stays && anchor === said ? undefined : { ...target, anchor };
}

const isAsWritten = (target: Meaning, url: string): boolean =>
  target !== 'nothing' && url === addressOf(target, (anchor) => anchor);

/** The address by which a source names a target, whatever becomes of paths and titles. */
function addressOf(target: Exclude<Meaning, 'nothing'>, written = escapeAddress): string {
  if ('file' in target) return `/files/${target.file}`;
  const [space, place] = 'space' in target ? [`/spaces/${target.space}`, target.place] : ['', target];
  if (!place) return space;
  return `${space}/pages/${place.page}${place.anchor ? `#${written(place.anchor)}` : ''}`;
}

/** The replacement for a link; a link to nothing becomes plain text. */
const rewriting = ({ from, to, without }: SourceLink, target: Meaning): Replacement =>
  target === 'nothing' ? without : { from, to, text: addressOf(target) };
