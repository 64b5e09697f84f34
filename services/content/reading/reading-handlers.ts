import type { QueryOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, notFound } from '../../../shared/errors.js';
import type { Visitor } from '../../../shared/expression/visitor.js';
import { slicePage, versionOfPage } from '../../../shared/paging.js';
import type { pageOperations } from '../contract/pages.js';
import type { revisionOperations } from '../contract/revisions.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { documentId, pageDocuments } from '../revisions/model.js';
import { eachPageOf, pageAtPath, type RevisionView, redirectAt } from '../revisions/revision-view.js';
import { embedOf } from './embeds.js';
import { type BodyOptions, type BodySource, readDocument, readPage } from './page-bodies.js';
import { type ContentOptions, presentFile, presentReusable } from './pages.js';
import { visitorOfCaller } from './visitor.js';

type ReadingOperations = typeof pageOperations & typeof revisionOperations;
type ContentQuery = QueryOf<ReadingOperations['getCurrentRevision']>;
type PageQuery = QueryOf<ReadingOperations['getPageById']>;
type FilesQuery = QueryOf<ReadingOperations['listFiles']>;

type Dependencies = Pick<
  ContentDependencies,
  'store' | 'views' | 'references' | 'contents' | 'work' | 'baseUrl' | 'links'
>;

interface RevisionPath {
  spaceId: string;
  /** Absent: the current content. */
  revisionId?: string;
}

/** What a caller reads from, and the visitor it reads as; undefined for users, who read content as it is written. */
interface Reading {
  organization: string;
  view: RevisionView;
  visitor: Visitor | undefined;
}

const versionOf = ({ view, visitor }: Reading) => (visitor ? `${view.revision._id}-${visitor.key}` : view.revision._id);

/** Immutable for users only: the same address shows each visitor something else. */
const nameImmutableVersion = (reading: Reading, { version }: Context) => {
  if (!reading.visitor) version(versionOf(reading));
};

/** Visitors are not shown where content comes from, nor what it is computed with. */
const optionsFor = ({ visitor }: Reading, { metadata }: ContentQuery): ContentOptions => ({
  metadata: metadata && !visitor,
  variables: !visitor,
});

const claimsFor = ({ visitor }: Reading, evaluated: string): BodyOptions['claims'] =>
  visitor?.claims ?? (evaluated === 'false' ? undefined : {});

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw notFound(what);
  return value;
};

const reusableIn = ({ view }: Pick<Reading, 'view'>, id: string) =>
  found(
    view.reusable.find((entry) => entry.id === id),
    'Reusable content',
  );

/** The operations that read content, for users and for visitors of sites. */
export function readingHandlers(deps: Dependencies): HandlersOf<typeof contentContract, ReadingOperations> {
  const { views, references, contents } = deps;

  const readingOf = async ({ spaceId, revisionId }: RevisionPath, context: Context): Promise<Reading> => {
    const { caller, access } = context;
    const visitor = visitorOfCaller(caller);
    const view = await (revisionId === undefined
      ? views.current(spaceId, visitor)
      : views.get(spaceId, revisionId, visitor));
    return { organization: access.organization, view, visitor };
  };

  /** What the caller may read besides pages: a visitor only the files and the reusable content of pages that it sees. */
  const heldBy = ({ view, visitor, organization }: Reading): Promise<RevisionView> | RevisionView =>
    visitor ? references.viewFor(view, { visitor, organization }) : view;

  const reusableOf = async (reading: Reading, id: string) => reusableIn({ view: await heldBy(reading) }, id);

  // These read the current content, or the revision that the path names.
  const getRevision = async ({ path, query }: { path: RevisionPath; query: ContentQuery }, context: Context) => {
    const reading = await readingOf(path, context);
    context.version(versionOf(reading));
    return contents.revision(await heldBy(reading), optionsFor(reading, query));
  };
  const listPages = async ({ path, query }: { path: RevisionPath; query: ContentQuery }, context: Context) => {
    const reading = await readingOf(path, context);
    context.version(versionOf(reading));
    return contents.pages(reading.view, optionsFor(reading, query));
  };
  const getPage = async (
    { path, query }: { path: RevisionPath & ({ pageId: string } | { pagePath: string }); query: PageQuery },
    context: Context,
  ) => {
    const reading = await readingOf(path, context);
    const { view } = reading;
    const { format, evaluated } = query;
    if (format === 'source' && reading.visitor)
      throw forbidden('format: the source of a page is not for visitors of a site; ask for markdown or document');
    const entry =
      'pageId' in path
        ? view.pageById.get(path.pageId)
        : (pageAtPath(view, path.pagePath) ?? redirectAt(view, path.pagePath)?.page);
    const page = found(entry, 'Page');
    context.version(versionOf(reading));
    const { organization } = reading;
    const options = { ...optionsFor(reading, query), format, claims: claimsFor(reading, evaluated), organization };
    return readPage(deps, { view, page, options });
  };
  const getFile = async (
    { path, query }: { path: RevisionPath & { fileId: string }; query: ContentQuery },
    context: Context,
  ) => {
    const reading = await readingOf(path, context);
    const file = found((await heldBy(reading)).fileById.get(path.fileId), 'File');
    context.version(versionOf(reading));
    return presentFile(deps, file, optionsFor(reading, query));
  };
  const listFiles = async ({ path, query }: { path: RevisionPath; query: FilesQuery }, context: Context) => {
    const reading = await readingOf(path, context);
    context.version(versionOf(reading));
    const options = optionsFor(reading, query);
    const { files, revision } = await heldBy(reading);
    return slicePage(files, revision._id, query, (file) => presentFile(deps, file, options));
  };

  return {
    getCurrentRevision: getRevision,
    getRevisionById: getRevision,
    listPages,
    listPagesInRevisionById: listPages,
    getPageById: getPage,
    getPageByPath: getPage,
    getPageInRevisionById: getPage,
    getPageInRevisionByPath: getPage,
    getFileById: getFile,
    getFileInRevisionById: getFile,
    listFilesInRevisionById: listFiles,
    /** The pages of one list come from the revision that its first page came from. */
    listFiles({ path, query }, context) {
      const started = versionOfPage(query.page);
      return listFiles({ path: started === undefined ? path : { ...path, revisionId: started }, query }, context);
    },
    async getPageDocumentInRevisionById({ path, query }, context) {
      const reading = await readingOf(path, context);
      const entry = reading.view.pageById.get(path.pageId);
      const body = found(entry?.type === 'document' ? entry : undefined, 'Page');
      nameImmutableVersion(reading, context);
      return readDocument(deps, { ...reading, body, claims: claimsFor(reading, query.evaluated) });
    },
    async getReusableContentById({ path, query }, context) {
      const reading = await readingOf(path, context);
      const entry = await reusableOf(reading, path.reusableContentId);
      context.version(versionOf(reading));
      return presentReusable(entry, optionsFor(reading, query));
    },
    async getReusableContentInRevisionById({ path, query }, context) {
      const reading = await readingOf(path, context);
      const entry = await reusableOf(reading, path.reusableContentId);
      nameImmutableVersion(reading, context);
      return presentReusable(entry, optionsFor(reading, query));
    },
    async getReusableContentDocumentInRevisionById({ path, query }, context) {
      const reading = await readingOf(path, context);
      const body = await reusableOf(reading, path.reusableContentId);
      nameImmutableVersion(reading, context);
      return readDocument(deps, { ...reading, body, claims: claimsFor(reading, query.evaluated) });
    },
    async getDocumentById({ path }, context) {
      const reading = await readingOf(path, context);
      const { view, body } = await bodyOfDocument(deps, { ...reading, view: await heldBy(reading) }, path.documentId);
      context.version(versionOf(reading));
      return readDocument(deps, { ...reading, view, body, claims: claimsFor(reading, 'false') });
    },
    getEmbedByUrlInSpace: async ({ query }) => embedOf(query.url),
  };
}

/** The body of a document in the revision; for users, also in the one before it, and a document that neither holds any more. */
async function bodyOfDocument({ store, views }: Dependencies, { view, visitor }: Reading, id: string) {
  const { space, parents } = view.revision;
  for (const revision of [view.revision._id, ...(visitor ? [] : parents)]) {
    const held = revision === view.revision._id ? view : await views.get(space, revision);
    const body = bodyIn(held, id);
    if (body) return { view: held, body };
  }
  const stored = visitor ? null : await store.get(pageDocuments, documentId(space, id), { fields: ['space'] });
  if (!stored) throw notFound('Document');
  return { view, body: { document: id } };
}

function bodyIn(view: RevisionView, id: string): BodySource | undefined {
  for (const page of eachPageOf(view.pages)) if (page.document === id) return page;
  return view.reusable.find(({ document }) => document === id);
}
