import { apiError } from '../../../../shared/errors/errors.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { ReusableEntry } from '../../core/revisions/model.js';
import { specsOfComputed } from '../../core/revisions/references.js';
import type { PageEntry } from '../../core/revisions/revision-view.js';
import type { StoredLinks } from './stored-links.js';
import {
  type AppPlace,
  type LinkingBody,
  type LinkScope,
  type LinkTarget,
  pageOfApp,
  type Target,
  targetOf,
  targetOfLinkPage,
  type WrittenLink,
} from './targets.js';

/** A page or reusable content with links. */
export interface LinkSource extends LinkingBody {
  /** The anchors that `at` of its uses counts from 1. */
  anchors: readonly string[];
}

/** A place that uses a target: a section of a body. Equal places of one target are one use. */
export interface LinkUse {
  from: LinkSource;
  at: number;
}

/** A target with the places that use it, in reading order. */
export interface UsedTarget extends LinkTarget {
  uses: LinkUse[];
}

/** The links of a page or of a whole content. */
export interface Links {
  /** By their keys, in the order of first use. */
  targets: ReadonlyMap<string, UsedTarget>;
  /** Targets in the content that exist, but without the anchor that the link names. */
  lacking: ReadonlySet<Target>;
}

/** The section of a use; undefined before the first heading. */
export const anchorOfUse = ({ from, at }: LinkUse): string | undefined => from.anchors[at - 1];

/** A body that may have links. */
export type LinkingEntry = { page: PageEntry } | { reusable: ReusableEntry };

/** How much may be collected: uses of targets, and bytes of memory with the links of the bodies. */
export interface Room {
  uses: number;
  bytes: number;
}

/** Bytes of a target and of a use, about, without the links of the bodies. */
const bytesOf = { target: 320, use: 40 };

const tooMany = (what: string) =>
  apiError('UNPROCESSABLE', `Too many links to list them: there may be ${what}`, 'too_complex');

/** Throws 422 for links that take more memory than there is room for. */
export function checkBytes(bytes: number, max: number): void {
  if (bytes > max) throw tooMany(`as many as take ${Math.round(max / 1024 / 1024)} MiB of memory`);
}

/** The name of a page or file in `backlinks`. */
export const backlinkKey = (kind: 'page' | 'file', id: string) => `${kind} ${id}`;

interface Found {
  use: LinkUse;
  found: LinkTarget;
  /** The keys of what this place is known to use. */
  seen: Set<string>;
}

/** Collects what bodies link to, each target once, in the order of first use. */
export class LinkCollector {
  readonly targets = new Map<string, UsedTarget>();
  /** The uses of each page and file, by `backlinkKey`. Links within a page are left out. */
  readonly backlinks = new Map<string, LinkUse[]>();
  /** About how many bytes of memory all of it takes. */
  bytes: number;
  private uses = 0;

  constructor(
    private readonly scope: LinkScope,
    private readonly stored: StoredLinks,
    private readonly room: Room,
  ) {
    this.bytes = stored.bytes;
  }

  /** Collects the links of bodies, which come in reading order. Throws 422 for more than there is room for. */
  async collect(bodies: Iterable<LinkingEntry>): Promise<void> {
    await eachInSlices(this.usesIn(bodies), (found) => this.add(found));
  }

  *eachTarget(): Generator<Target> {
    for (const { target } of this.targets.values()) yield target;
  }

  private *usesIn(bodies: Iterable<LinkingEntry>): Generator<Found> {
    for (const body of bodies) {
      const from = this.sourceOf(body);
      const own = 'page' in body ? ownTargets(this.scope, from, body.page) : [];
      const { links } = this.stored.of('page' in body ? body.page.document : body.reusable.document);
      const resolved = new Map<WrittenLink, LinkTarget | undefined>();
      for (const [at, written] of bySection(links)) {
        const place = { use: { from, at }, seen: new Set<string>() };
        if (at === 0) for (const found of own) yield { ...place, found };
        for (const link of written) {
          if (!resolved.has(link)) resolved.set(link, targetOf(this.scope, from, link));
          const found = resolved.get(link);
          if (found) yield { ...place, found };
        }
      }
    }
  }

  private sourceOf(body: LinkingEntry): LinkSource {
    const { id, document, git, aliases } = 'page' in body ? body.page : body.reusable;
    const { anchors } = this.stored.of(document);
    const kind = 'page' in body ? 'page' : 'reusable-content';
    return { id, kind, anchors, ...(git ? { git } : {}), ...(aliases ? { aliases } : {}) };
  }

  private add({ use, found, seen }: Found): void {
    if (!seen.has(found.key)) this.addUse(use, found);
    seen.add(found.key);
    const key = this.backlinkOf(found, use.from);
    if (key === undefined || seen.has(key)) return;
    seen.add(key);
    const known = this.backlinks.get(key);
    if (known) known.push(use);
    else this.backlinks.set(key, [use]);
  }

  private addUse(use: LinkUse, found: LinkTarget): void {
    const known = this.targets.get(found.key);
    if (known) known.uses.push(use);
    else this.targets.set(found.key, { ...found, uses: [use] });
    this.uses += 1;
    this.bytes += bytesOf.use + (known ? 0 : bytesOf.target + 2 * found.key.length);
    if (this.uses > this.room.uses) throw tooMany(`${this.room.uses.toLocaleString('en')} uses of targets`);
    checkBytes(this.bytes, this.room.bytes);
  }

  /** The name of the page or file that a target belongs to. */
  private backlinkOf({ target }: LinkTarget, from: LinkSource): string | undefined {
    if (target.kind === 'file') return backlinkKey('file', target.file);
    const page =
      target.kind === 'page' ? target.page : target.kind === 'app' ? this.ownPageOf(target.place) : undefined;
    return page === undefined || (from.kind === 'page' && from.id === page) ? undefined : backlinkKey('page', page);
  }

  private ownPageOf(place: AppPlace): string | undefined {
    const { view } = this.scope;
    return place.kind === 'space' && place.space === view.revision.space ? pageOfApp(view, place)?.id : undefined;
  }
}

/** The targets of a page outside its body: its cover, the target of a link, and the specification that its pages are made from. */
function ownTargets(scope: LinkScope, from: LinkSource, page: PageEntry): LinkTarget[] {
  const images = [page.cover?.url, page.cover?.urlDark].flatMap((url) => (url ? [{ url, kind: 'image' }] : []));
  const written = [...images, ...specLinksOf(page)].flatMap((link) => targetOf(scope, from, link) ?? []);
  const link = targetOfLinkPage(scope, page);
  return link ? [...written, link] : written;
}

const specLinksOf = (page: PageEntry): WrittenLink[] => specsOfComputed(page).map((url) => ({ url, kind: 'openapi' }));

/** Links by the sections that use them, from the top of the body on. */
function bySection<T extends { at?: number[] }>(links: readonly T[]): [at: number, links: T[]][] {
  const sections = new Map<number, T[]>([[0, []]]);
  for (const link of links)
    for (const at of link.at ?? [0]) {
      const known = sections.get(at);
      if (known) known.push(link);
      else sections.set(at, [link]);
    }
  return [...sections].sort(([a], [b]) => a - b);
}
