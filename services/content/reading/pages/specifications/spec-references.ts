import type { Store } from '../../../../../shared/store/port.js';
import { KeyedCache } from '../../../../../shared/work/keyed-cache.js';
import { documentId, pageDocuments, type RevisionDocument } from '../../../core/revisions/model.js';
import { specsOfComputed } from '../../../core/revisions/references.js';
import type { RevisionCache } from '../../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../../core/revisions/revision-view.js';

/** The ids of what refers to a specification. */
export interface ReferringIds {
  pages: Set<string>;
  reusable: Set<string>;
}

type BySlug = ReadonlyMap<string, ReferringIds>;

const bodiesReadAtOnce = 200;
/** Limit for all revisions together: about the number of remembered ids. */
const maxRemembered = 1_000_000;

/** Remembers which pages and which reusable content of a revision refer to which OpenAPI specifications. */
export class SpecReferences {
  private readonly known = new KeyedCache<BySlug>({
    maxSize: maxRemembered,
    sizeOf: (bySlug) =>
      [...bySlug.values()].reduce((sum, { pages, reusable }) => sum + pages.size + reusable.size + 10, 10),
  });

  constructor(private readonly deps: { store: Store; revisions: RevisionCache }) {}

  /** The pages and reusable content that refer to a specification, for all readers of the revision; undefined if there are none. */
  async to(slug: string, revision: RevisionDocument): Promise<ReferringIds | undefined> {
    return (await this.known.get(revision._id, () => this.find(revision))).get(slug);
  }

  private async find({ space, _id }: RevisionDocument): Promise<BySlug> {
    const view = await this.deps.revisions.get(space, _id);
    const found = new Map<string, ReferringIds>();
    const note = (slug: string, kind: keyof ReferringIds, id: string) => {
      const known = found.get(slug) ?? { pages: new Set(), reusable: new Set() };
      found.set(slug, known);
      known[kind].add(id);
    };
    const pages = [...view.pageById.values()];
    for (const page of pages) for (const slug of specsOfComputed(page)) note(slug, 'pages', page.id);
    await this.eachLink(view, pages, (slug, id) => note(slug, 'pages', id));
    await this.eachLink(view, view.reusable, (slug, id) => note(slug, 'reusable', id));
    return found;
  }

  private async eachLink(
    { revision: { space } }: RevisionView,
    bodies: readonly Pick<PageEntry, 'id' | 'document'>[],
    note: (slug: string, id: string) => void,
  ): Promise<void> {
    const idOf = ({ document = '' }: Pick<PageEntry, 'document'>) => documentId(space, document);
    for (let start = 0; start < bodies.length; start += bodiesReadAtOnce) {
      const part = bodies.slice(start, start + bodiesReadAtOnce).filter(({ document }) => document !== undefined);
      const documents = await this.deps.store.getMany(pageDocuments, [...new Set(part.map(idOf))], {
        fields: ['links'],
      });
      const linksOf = new Map(documents.map(({ _id, links }) => [_id, links]));
      for (const body of part)
        for (const { kind, url } of linksOf.get(idOf(body)) ?? []) if (kind === 'openapi') note(url, body.id);
    }
  }
}
