import { LRUCache } from 'lru-cache';
import type { ContentCaller } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import { failureOf } from '../../../shared/errors.js';
import type { ContentDependencies } from '../dependencies.js';
import { documentId, pageDocuments } from '../revisions/model.js';
import { specsOf } from '../revisions/references.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';
import { openReading, type PlacePath } from './reading.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'revisions' | 'views' | 'references'>;

/** By the slug of a specification, the ids of what refers to it: pages, and reusable content. */
type Referring = ReadonlyMap<string, { pages: Set<string>; reusable: Set<string> }>;

const bodiesReadAtOnce = 200;
/** Revisions whose references are remembered. */
const mostRevisions = 1000;

/** Which OpenAPI specifications visitors of sites may read: those that pages refer to which they see. */
export class VisitorSpecs {
  private readonly referring = new LRUCache<string, Referring, RevisionView>({
    max: mostRevisions,
    ignoreFetchAbort: true,
    fetchMethod: (_, __, { context }) => this.referringIn(context),
  });

  constructor(private readonly deps: Dependencies) {}

  /** Whether a visitor sees a page, of any space that its token gives access to, that refers to the specification. */
  async areShown(visitor: ContentCaller, slug: string, context: Context): Promise<boolean> {
    for (const path of placesOf(visitor)) if (await this.isShownIn(path, slug, context)) return true;
    return false;
  }

  private async isShownIn(path: PlacePath, slug: string, context: Context): Promise<boolean> {
    const reading = await openReading(this.deps, { path }, context).catch(nothing);
    if (!reading?.visitor) return false;
    const { view, visitor, organization } = reading;
    const whole = await this.deps.revisions.get(view.revision.space, view.revision._id);
    const found = (await this.referring.forceFetch(view.revision._id, { context: whole })).get(slug);
    if (!found) return false;
    if ([...found.pages].some((id) => view.pageById.has(id))) return true;
    if (found.reusable.size === 0) return false;
    const { reusable } = await this.deps.references.viewFor(view, { visitor, organization });
    return reusable.some(({ id }) => found.reusable.has(id));
  }

  private async referringIn(view: RevisionView): Promise<Referring> {
    const found = new Map<string, { pages: Set<string>; reusable: Set<string> }>();
    const note = (slug: string, kind: 'pages' | 'reusable', id: string) => {
      const known = found.get(slug) ?? { pages: new Set(), reusable: new Set() };
      found.set(slug, known);
      known[kind].add(id);
    };
    const pages = [...view.pageById.values()];
    for (const page of pages) for (const slug of specsOf(page)) note(slug, 'pages', page.id);
    await this.eachLink(view, pages, (slug, id) => note(slug, 'pages', id));
    await this.eachLink(view, view.reusable, (slug, id) => note(slug, 'reusable', id));
    return found;
  }

  private async eachLink(
    { revision: { space } }: RevisionView,
    bodies: readonly Pick<PageEntry, 'id' | 'document'>[],
    note: (slug: string, id: string) => void,
  ): Promise<void> {
    for (let start = 0; start < bodies.length; start += bodiesReadAtOnce) {
      const part = bodies.slice(start, start + bodiesReadAtOnce).filter(({ document }) => document !== undefined);
      const idOf = ({ document = '' }: Pick<PageEntry, 'document'>) => documentId(space, document);
      const ids = [...new Set(part.map(idOf))];
      const documents = await this.deps.store.getMany(pageDocuments, ids, { fields: ['links'] });
      const linksOf = new Map(documents.map(({ _id, links }) => [_id, links]));
      for (const body of part)
        for (const { kind, url } of linksOf.get(idOf(body)) ?? []) if (kind === 'openapi') note(url, body.id);
    }
  }
}

/** What a visitor reads: the spaces of its token, the one that it opened first, and what it previews. */
function placesOf({ space, spaces, changeRequest, revision }: ContentCaller): PlacePath[] {
  const current = [...new Set([space, ...spaces])].map((spaceId) => ({ spaceId }));
  return [
    ...(changeRequest ? [{ spaceId: changeRequest.space, changeRequestId: changeRequest.id }] : []),
    ...(revision ? [{ spaceId: revision.space, revisionId: revision.id }] : []),
    ...current,
  ];
}

/** A space or a preview may be gone since the token was made. */
function nothing(error: unknown): undefined {
  if (failureOf(error).type !== 'NOT_FOUND') throw error;
}
