import type { Caller } from '../../shared/contract/caller.js';
import type { Context, Handlers } from '../../shared/contract/service.js';
import { forbidden, notFound } from '../../shared/errors.js';
import { slicePage, versionOfPage } from '../../shared/paging.js';
import { type Audience, audienceOf, audienceOfCaller } from './conditions.js';
import type { pageOperations } from './contract/pages.js';
import type { revisionOperations } from './contract/revisions.js';
import type { contentContract } from './contract.js';
import { embedOf } from './embeds.js';
import { documentId, pageDocuments, spaces } from './model.js';
import {
  type BodyFormat,
  type BodyOptions,
  type ContentOptions,
  type Embodied,
  type PageBodies,
  type Presentation,
  presentFile,
  presentPage,
  presentReusable,
  presentRevision,
  readDocument,
  readPage,
} from './pages.js';
import { eachPageOf, firstPageOf, type PageEntry, pageAtPath, type RevisionView, redirectAt } from './revisions.js';
import { searchSpace } from './search.js';
import type { VisitorViews } from './visitor-views.js';

/** What reading content works with. */
export interface ReadingRules extends PageBodies {
  views: VisitorViews;
  presentation: Presentation;
  baseUrl: string;
}

type Read = keyof typeof pageOperations | keyof typeof revisionOperations;

interface Place {
  spaceId: string;
  /** Absent: the current content. */
  revisionId?: string;
}

/** What a caller reads from, and as whom. */
interface Reading {
  view: RevisionView;
  audience: Audience | undefined;
}

async function readAt({ views }: ReadingRules, { spaceId, revisionId }: Place, caller: Caller): Promise<Reading> {
  const audience = audienceOfCaller(caller);
  const view = await (revisionId === undefined
    ? views.current(spaceId, audience)
    : views.get(spaceId, revisionId, audience));
  return { view, audience };
}

const versionOf = ({ view, audience }: Reading) =>
  audience ? `${view.revision._id}-${audience.key}` : view.revision._id;

/** What changes never, for users: what a visitor sees changes with the visitor, under the same address. */
const tellImmutable = (reading: Reading, { version }: Context) => {
  if (!reading.audience) version(versionOf(reading));
};

/** Where content comes from is no visitor's business. */
const shownTo = ({ audience }: Reading, options: ContentOptions): ContentOptions => ({
  metadata: options.metadata && !audience,
});

const claimsFor = ({ audience }: Reading, evaluated: string): BodyOptions['claims'] =>
  audience?.claims ?? (evaluated === 'false' ? undefined : {});

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw notFound(what);
  return value;
};

const reusableIn = ({ view }: Reading, id: string) =>
  found(
    view.reusable.find((entry) => entry.id === id),
    'Reusable content',
  );

async function listFilesAt(
  rules: ReadingRules,
  place: Place,
  query: Parameters<Handlers<typeof contentContract>['listFiles']>[0]['query'],
  { caller, version }: Context,
) {
  const reading = await readAt(rules, place, caller);
  version(versionOf(reading));
  const options = shownTo(reading, query);
  const { files, revision } = reading.view;
  return slicePage(files, revision._id, query, (file) => presentFile(rules.presentation, file, options));
}

/** Whose body a document is, and where; for users also one that is no longer read anywhere. */
async function embodiedBy(rules: ReadingRules, { view, audience }: Reading, id: string) {
  const { space, parents } = view.revision;
  for (const at of [view.revision._id, ...parents]) {
    const held = at === view.revision._id ? view : await rules.views.get(space, at, audience);
    const body = bodyIn(held, id);
    if (body) return { view: held, body };
  }
  const stored = audience ? null : await rules.store.get(pageDocuments, documentId(space, id), { fields: ['space'] });
  if (!stored) throw notFound('Document');
  return { view, body: { document: id } };
}

function bodyIn(view: RevisionView, id: string): Embodied | undefined {
  for (const page of eachPageOf(view.pages)) if (page.document === id) return page;
  return view.reusable.find(({ document }) => document === id);
}

/** The operations that read content, for users and for visitors of sites. */
export function readingHandlers(rules: ReadingRules): Pick<Handlers<typeof contentContract>, Read> {
  const { presentation } = rules;

  const revision = async (path: Place, query: ContentOptions, { caller, version }: Context) => {
    const reading = await readAt(rules, path, caller);
    version(versionOf(reading));
    return presentRevision(presentation, reading.view, shownTo(reading, query));
  };
  const pages = async (path: Place, query: ContentOptions, { caller, version }: Context) => {
    const reading = await readAt(rules, path, caller);
    version(versionOf(reading));
    const options = shownTo(reading, query);
    return { pages: reading.view.pages.map((page) => presentPage(presentation, reading.view, page, options)) };
  };
  const page = async (
    path: Place & ({ pageId: string } | { pagePath: string }),
    query: ContentOptions & { format?: BodyFormat | undefined; evaluated: string },
    { caller, version }: Context,
  ) => {
    const reading = await readAt(rules, path, caller);
    const { view } = reading;
    if (query.format === 'source' && reading.audience)
      throw forbidden('format: the source of a page is not for visitors of a site; ask for markdown or document');
    const entry =
      'pageId' in path
        ? view.pageById.get(path.pageId)
        : (pageAtPath(view, path.pagePath) ?? redirectAt(view, path.pagePath)?.page);
    const known = found(entry, 'Page');
    version(versionOf(reading));
    const { format, evaluated } = query;
    const options = { ...shownTo(reading, query), format, claims: claimsFor(reading, evaluated) };
    return readPage(presentation, rules, view, known, options);
  };
  const file = async (path: Place & { fileId: string }, query: ContentOptions, { caller, version }: Context) => {
    const reading = await readAt(rules, path, caller);
    const entry = found(reading.view.fileById.get(path.fileId), 'File');
    version(versionOf(reading));
    return presentFile(presentation, entry, shownTo(reading, query));
  };

  return {
    getCurrentRevision: ({ path, query }, context) => revision(path, query, context),
    getRevisionById: ({ path, query }, context) => revision(path, query, context),
    listPages: ({ path, query }, context) => pages(path, query, context),
    listPagesInRevisionById: ({ path, query }, context) => pages(path, query, context),
    getPageById: ({ path, query }, context) => page(path, query, context),
    getPageByPath: ({ path, query }, context) => page(path, query, context),
    getPageInRevisionById: ({ path, query }, context) => page(path, query, context),
    getPageInRevisionByPath: ({ path, query }, context) => page(path, query, context),
    async getPageDocumentInRevisionById({ path, query }, context) {
      const reading = await readAt(rules, path, context.caller);
      const entry = reading.view.pageById.get(path.pageId);
      const body = found(entry?.type === 'document' ? entry : undefined, 'Page');
      tellImmutable(reading, context);
      return readDocument(rules, reading.view, body, { claims: claimsFor(reading, query.evaluated) });
    },
    /** A walk stays on the revision it began with. */
    listFiles({ path, query }, context) {
      const started = versionOfPage(query.page);
      const place = started === undefined ? path : { ...path, revisionId: started };
      return listFilesAt(rules, place, query, context);
    },
    listFilesInRevisionById: ({ path, query }, context) => listFilesAt(rules, path, query, context),
    getFileById: ({ path, query }, context) => file(path, query, context),
    getFileInRevisionById: ({ path, query }, context) => file(path, query, context),
    async getReusableContentById({ path, query }, { caller, version }) {
      const reading = await readAt(rules, path, caller);
      const entry = reusableIn(reading, path.reusableContentId);
      version(versionOf(reading));
      return presentReusable(entry, shownTo(reading, query));
    },
    async getReusableContentInRevisionById({ path, query }, context) {
      const reading = await readAt(rules, path, context.caller);
      const entry = reusableIn(reading, path.reusableContentId);
      tellImmutable(reading, context);
      return presentReusable(entry, shownTo(reading, query));
    },
    async getReusableContentDocumentInRevisionById({ path, query }, context) {
      const reading = await readAt(rules, path, context.caller);
      const entry = reusableIn(reading, path.reusableContentId);
      tellImmutable(reading, context);
      return readDocument(rules, reading.view, entry, { claims: claimsFor(reading, query.evaluated) });
    },
    async getDocumentById({ path }, { caller, version }) {
      const reading = await readAt(rules, path, caller);
      const { view, body } = await embodiedBy(rules, reading, path.documentId);
      version(versionOf(reading));
      return readDocument(rules, view, body, { claims: claimsFor(reading, 'false') });
    },
    getEmbedByUrlInSpace: async ({ query }) => embedOf(query.url),
    searchSpaceContent: ({ path, query }, { caller }) =>
      searchSpace(rules, path.spaceId, query.query, query, audienceOfCaller(caller)),
  };
}

export interface PageQuestion {
  space: string;
  revision?: string | undefined;
  path: string;
  claims?: Record<string, unknown> | undefined;
}

const addressOf = ({ id, path }: PageEntry) => ({ id, path });

const leadingTo = ({ page, anchor }: { page: PageEntry; anchor?: string }) => ({
  ...addressOf(page),
  ...(anchor ? { anchor } : {}),
});

/** Where an address within a space leads; null when there is no such space or revision. */
export async function findPageIn({ store, views }: ReadingRules, { space, revision, path, claims }: PageQuestion) {
  const found = await store.get(spaces, space, { fields: ['revision', 'deletedAt'] });
  if (!found || found.deletedAt) return null;
  const view = await views.any(space, revision ?? found.revision, claims && audienceOf(claims));
  if (!view) return null;
  const at = pageAtPath(view, path);
  const page = at?.type === 'group' ? firstPageOf(at.pages) : at;
  const first = firstPageOf(view.pages);
  const redirect = page ? undefined : redirectAt(view, path);
  return {
    revision: view.revision._id,
    ...(page ? { page: addressOf(page) } : {}),
    ...(redirect ? { redirect: leadingTo(redirect) } : {}),
    ...(first ? { first: addressOf(first) } : {}),
  };
}
