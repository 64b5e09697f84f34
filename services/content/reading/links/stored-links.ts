import type { Store } from '../../../../shared/store/port.js';
import { nextTurn } from '../../../../shared/work/slices.js';
import { documentId, type PageDocument, pageDocuments } from '../../core/revisions/model.js';
import type { StoredLink } from '../../format/document/stored-page.js';

/** The links of a stored body, and the anchors in it that links may name. */
export interface BodyLinks {
  links: readonly StoredLink[];
  /** In the order in which the `at` of links counts them. */
  anchors: readonly string[];
  /** Bytes of memory, about. */
  bytes: number;
}

/** Documents that are read at once: the more, the faster that is. Whole texts may have to be read for it. */
const maxAtOnce = 200;
const wantedMs = 5;

const empty: BodyLinks = { links: [], anchors: [], bytes: 0 };

/** The links and anchors of the bodies of one space, by their document ids; read once, in small steps. */
export class StoredLinks {
  private readonly known: Map<string, BodyLinks>;
  /** The total of all bodies. */
  bytes = 0;

  private readonly store: Store;
  private readonly space: string;

  /** `known`: bodies that were read before. */
  constructor({
    store,
    space,
    known = [],
  }: { store: Store; space: string; known?: [document: string, body: BodyLinks][] }) {
    this.store = store;
    this.space = space;
    this.known = new Map(known);
    for (const { bytes } of this.known.values()) this.bytes += bytes;
  }

  of(document: string | undefined): BodyLinks {
    return (document === undefined ? undefined : this.known.get(document)) ?? empty;
  }

  entries(): Iterable<[string, BodyLinks]> {
    return this.known;
  }

  /** Reads those of the bodies that are not known yet. `check` may throw between the steps. */
  async read(documents: Iterable<string>, check: () => void = () => {}): Promise<void> {
    const missing = [...new Set(documents)].filter((document) => !this.known.has(document));
    let size = 4;
    for (let start = 0; start < missing.length; ) {
      const part = missing.slice(start, start + size);
      const began = performance.now();
      await this.readPart(part);
      check();
      start += part.length;
      size = performance.now() - began < wantedMs ? Math.min(size * 2, maxAtOnce) : Math.max(size >> 1, 1);
      await nextTurn();
    }
  }

  private async readPart(part: string[]): Promise<void> {
    const idOf = new Map(part.map((document) => [documentId(this.space, document), document]));
    const fields = ['links', 'anchors'] satisfies (keyof PageDocument)[];
    const found = await this.store.getMany(pageDocuments, [...idOf.keys()], { fields });
    const old = found.filter(({ anchors }) => anchors === undefined).map(({ _id }) => _id);
    const sections = old.length > 0 ? await this.store.getMany(pageDocuments, old, { fields: ['sections'] }) : [];
    const ofSections = new Map(sections.map((each) => [each._id, each.sections.flatMap(({ anchor }) => anchor ?? [])]));
    for (const { _id, links, anchors = ofSections.get(_id) ?? [] } of found) {
      const body = { links, anchors, bytes: bytesOf(links, anchors) };
      this.known.set(idOf.get(_id) ?? '', body);
      this.bytes += body.bytes;
    }
  }
}

function bytesOf(links: readonly StoredLink[], anchors: readonly string[]): number {
  let bytes = 200;
  for (const { url, at = [] } of links) bytes += 120 + 2 * url.length + 8 * at.length;
  for (const anchor of anchors) bytes += 32 + 2 * anchor.length;
  return bytes;
}
