import { LRUCache } from 'lru-cache';
import type { Visitor } from '../../../../../shared/expression/visitor.js';
import type { Store } from '../../../../../shared/store/port.js';
import { KeyedCache } from '../../../../../shared/work/keyed-cache.js';
import { nextTurn } from '../../../../../shared/work/slices.js';
import { isTaskFailure } from '../../../../../shared/workers/workers.js';
import { documentId, pageDocuments, type ReusableEntry, type RevisionDocument } from '../../../core/revisions/model.js';
import { resolveLinkPage, resolveRef } from '../../../core/revisions/references.js';
import type { RevisionCache } from '../../../core/revisions/revision-cache.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../../core/revisions/revision-view.js';
import { idsOfRef } from '../../../format/document/document-model.js';
import type { ContentRef } from '../../../format/resources.js';
import { expressionInputs } from '../../../format/workers/expression-inputs.js';
import type { PageWork } from '../../../format/workers/page-work.js';

interface Dependencies {
  store: Store;
  work: PageWork;
  revisions: RevisionCache;
}

/** The references that a body may have; a body that is not plain has only some of them for some readers. */
interface References {
  /** By `<kind> <url>`, as the body writes it. */
  refs: ReadonlyMap<string, ContentRef>;
  /** The ids of the files and the reusable content. */
  ids: string[];
  plain: boolean;
}

/** The references of bodies to files and reusable content, by the id of the page or of the reusable content. */
type RevisionReferences = Record<'pages' | 'reusable', ReadonlyMap<string, References>>;

type Body = Pick<PageEntry, 'id' | 'git' | 'aliases' | 'document' | 'variables'>;

const bodiesReadAtOnce = 200;
/** Bodies of one reader that are evaluated at once. */
const evaluatedAtOnce = 4;
/** Bytes, about. */
const maxReferences = 64 * 1024 * 1024;
/** Characters. */
const maxRemembered = 20_000_000;
/** Views of one page tree with different files. */
const maxViews = 16;

/** Keeps, for each revision and visitor, which files and reusable content the pages that the visitor sees refer to. */
export class VisitorReferences {
  private readonly references = new KeyedCache<RevisionReferences>({
    maxSize: maxReferences,
    sizeOf: ({ pages, reusable }) =>
      [...pages.values(), ...reusable.values()].reduce((sum, { ids }) => sum + 200 * (1 + ids.length), 500),
  });
  /** A sign for each file and each reusable content of the revision, 1 where it is referred to, by revision and visitor. */
  private readonly held = new KeyedCache<string>({
    maxSize: maxRemembered,
    sizeOf: ({ length }) => length + 200,
  });
  private readonly views = new WeakMap<RevisionView, LRUCache<string, RevisionView>>();

  constructor(private readonly deps: Dependencies) {}

  /** The view with only those files and reusable contents that its pages, as the visitor sees them, refer to. */
  async viewFor(
    view: RevisionView,
    { visitor, organization }: { visitor: Visitor; organization: string },
  ): Promise<RevisionView> {
    const held = await this.held.get(`${view.revision._id} ${visitor.key}`, () =>
      this.heldBy(view, visitor, organization),
    );
    const views = this.views.get(view) ?? new LRUCache<string, RevisionView>({ max: maxViews });
    this.views.set(view, views);
    const known = views.get(held) ?? withHeld(view, held);
    views.set(held, known);
    return known;
  }

  private async heldBy(view: RevisionView, visitor: Visitor, organization: string): Promise<string> {
    const references = await this.references.get(view.revision._id, () => referencesOf(this.deps, view.revision));
    return new Walk(this.deps, { view, visitor, organization, references }).run();
  }
}

function withHeld(view: RevisionView, held: string): RevisionView {
  const files = view.files.filter((_, at) => held[at] === '1');
  const reusable = view.reusable.filter((_, at) => held[view.files.length + at] === '1');
  return { ...view, files, reusable, fileById: new Map(files.map((file) => [file.id, file])) };
}

/** The references of a whole revision, for all its visitors. */
async function referencesOf(deps: Dependencies, { space, _id }: RevisionDocument): Promise<RevisionReferences> {
  const view = await deps.revisions.get(space, _id);
  return {
    pages: await referencesFrom(deps, view, [...view.pageById.values()]),
    reusable: await referencesFrom(deps, view, view.reusable),
  };
}

async function referencesFrom(
  { store }: Dependencies,
  view: RevisionView,
  all: Body[],
): Promise<ReadonlyMap<string, References>> {
  const { space } = view.revision;
  const bodies = all.filter(({ document }) => document !== undefined);
  const found = new Map<string, References>();
  for (let start = 0; start < bodies.length; start += bodiesReadAtOnce) {
    const part = bodies.slice(start, start + bodiesReadAtOnce);
    const ids = [...new Set(part.map(({ document = '' }) => documentId(space, document)))];
    const documents = await store.getMany(pageDocuments, ids, { fields: ['links', 'meta'] });
    const byId = new Map(documents.map((document) => [document._id, document]));
    for (const body of part) {
      const { links = [], meta } = byId.get(documentId(space, body.document ?? '')) ?? {};
      const refs = new Map<string, ContentRef>();
      for (const { url, kind } of links) {
        const ref = resolveRef(view, body, url, kind);
        if (ref && idsOfRef(ref).length > 0) refs.set(`${kind} ${url}`, ref);
      }
      if (refs.size === 0) continue;
      found.set(body.id, { refs, ids: [...refs.values()].flatMap(idsOfRef), plain: meta?.plain === true });
    }
    await nextTurn();
  }
  return found;
}

interface Referring {
  body: Body;
  references: References;
}

interface Walked {
  view: RevisionView;
  visitor: Visitor;
  organization: string;
  references: RevisionReferences;
}

/** Follows the references of the pages that a visitor sees. A body is evaluated only if what it may refer to is not known yet. */
class Walk {
  private readonly held = new Set<string>();
  private readonly reusable: ReadonlyMap<string, ReusableEntry>;
  private readonly pending: Referring[] = [];

  constructor(
    private readonly deps: Dependencies,
    private readonly walked: Walked,
  ) {
    this.reusable = new Map(walked.view.reusable.map((entry) => [entry.id, entry]));
  }

  async run(): Promise<string> {
    const { view, references } = this.walked;
    for (const page of eachPageOf(view.pages)) {
      this.add(ownRefs(view, page).flatMap(idsOfRef));
      this.add(this.plainIdsOf(page, references.pages.get(page.id)));
    }
    for (let part = this.take(); part.length > 0; part = this.take())
      for (const ids of await Promise.all(part.map((each) => this.idsShownBy(each)))) this.add(ids);
    const sign = ({ id }: { id: string }) => (this.held.has(id) ? '1' : '0');
    return [...view.files, ...view.reusable].map(sign).join('');
  }

  private add(ids: string[]): void {
    const open = [...ids];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (this.held.has(id)) continue;
      this.held.add(id);
      const entry = this.reusable.get(id);
      if (entry) open.push(...this.plainIdsOf(entry, this.walked.references.reusable.get(id)));
    }
  }

  /** The ids that a plain body refers to; any other body is queued for evaluation, since its ids depend on the reader. */
  private plainIdsOf(body: Body, references: References | undefined): string[] {
    if (references?.plain) return references.ids;
    if (references) this.pending.push({ body, references });
    return [];
  }

  /** Bodies that may refer to something more. */
  private take(): Referring[] {
    const part: Referring[] = [];
    while (part.length < evaluatedAtOnce) {
      const next = this.pending.shift();
      if (!next) break;
      if (next.references.ids.some((id) => !this.held.has(id))) part.push(next);
    }
    return part;
  }

  /** The ids in the visitor's form of a body; none if it needs too much memory, so that nobody can read it. */
  private async idsShownBy({ body, references: { refs } }: Referring): Promise<string[]> {
    const { view, visitor, organization } = this.walked;
    const { space, variables: common } = view.revision;
    const { document = '', variables } = body;
    const stored = await this.deps.store.get(pageDocuments, documentId(space, document), { fields: ['source'] });
    const inputs = expressionInputs(visitor.claims, common, variables);
    try {
      return await this.deps.work.idsIn({ source: stored?.source ?? '', refs, inputs }, organization);
    } catch (error) {
      if (isTaskFailure(error) && error.failure === 'memory') return [];
      throw error;
    }
  }
}

/** The references of a page outside its body: its cover, and the target of a link. */
function ownRefs(view: RevisionView, page: PageEntry): ContentRef[] {
  const { cover, target } = page;
  const images = [cover?.url, cover?.urlDark].flatMap((url) =>
    url ? (resolveRef(view, page, url, 'image') ?? []) : [],
  );
  if (!target) return images;
  return [...images, target.kind === 'url' ? resolveLinkPage(view, String(target.url)) : target];
}

export type HasReferences = { references: VisitorReferences };
