import type { HasLinks } from '../../../../shared/blobs/links.js';
import { type HandlersAt, joinHandlers } from '../../../../shared/contract/at-places.js';
import type { Encoded } from '../../../../shared/contract/encoded.js';
import type { QueryOf } from '../../../../shared/contract/operation.js';
import { type Context, type HandlersOf, unchangedAnswer } from '../../../../shared/contract/service.js';
import { forbidden, notFound } from '../../../../shared/errors/errors.js';
import { slicePage, versionOfPage } from '../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { documentId, pageDocuments } from '../../core/revisions/model.js';
import type { Page } from '../../core/revisions/resources.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import {
  eachPageOf,
  findRedirect,
  type PageEntry,
  pageAtPath,
  type RevisionView,
} from '../../core/revisions/revision-view.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { type pageOperations, reads } from '../contract/pages.js';
import type { HasContents } from './encoded-contents.js';
import { type BodyOptions, type BodySource, readDocument, readPage } from './page-bodies.js';
import { type ContentOptions, presentFile, presentMetaLinks, presentReusable } from './pages.js';
import { openReading, type PlacePath, type Reading } from './reading.js';
import type { HasReferences } from './visitors/visitor-references.js';
import type { HasViews } from './visitors/visitor-view-cache.js';

type ContentQuery = QueryOf<(typeof pageOperations)['getCurrentRevision']>;
type PageQuery = QueryOf<(typeof pageOperations)['getPageById']>;

type Dependencies = HasStore &
  HasLinks &
  HasTrees &
  HasRevisions &
  HasViews &
  HasReferences &
  HasContents &
  HasWork & { baseUrl: string };

/** Visitors are not shown where content comes from, nor what it is computed with. */
const optionsFor = ({ visitor }: Reading, { metadata, computed }: ContentQuery): ContentOptions => ({
  metadata: metadata && !visitor,
  variables: !visitor,
  computed,
});

const claimsFor = ({ visitor }: Reading, evaluated: string): BodyOptions['claims'] =>
  visitor?.claims ?? (evaluated === 'false' ? undefined : {});

const orNotFound = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw notFound(what);
  return value;
};

/** Limits a visitor to the files and the reusable content of pages that it sees; other callers read all of them. */
const viewFor = (
  { references }: Pick<Dependencies, 'references'>,
  { view, visitor, organization }: Reading,
): Promise<RevisionView> | RevisionView => (visitor ? references.viewFor(view, { visitor, organization }) : view);

/** The operations that read content, for users and for visitors of sites. */
export function readingHandlers(deps: Dependencies): HandlersOf<typeof pageOperations> {
  return {
    ...inEachPlace(deps, readHandlers(deps)),
    async getDocumentById({ path }, context) {
      const reading = await openReading(deps, { path }, context);
      const held = { ...reading, view: await viewFor(deps, reading) };
      const { view, body } = await bodyOfDocument(deps, held, path.documentId);
      reading.noteVersion();
      return readDocument(deps, { ...reading, view, body, claims: claimsFor(reading, 'false') });
    },
  };
}

function readHandlers(deps: Dependencies): ReadHandlers {
  const { contents } = deps;

  const readPageAs = (
    page: PageEntry | undefined,
    { format, evaluated, ...query }: PageQuery,
    reading: Reading,
  ): Promise<Encoded<Page>> => {
    if (format === 'source' && reading.visitor)
      throw forbidden('format: the source of a page is not for visitors of a site; ask for markdown or document');
    const options = { ...optionsFor(reading, query), format, claims: claimsFor(reading, evaluated) };
    return readPage(deps, { reading, page: orNotFound(page, 'Page'), options });
  };

  const reusableOf = async (reading: Reading, id: string) => {
    const { reusable } = await viewFor(deps, reading);
    const entry = orNotFound(
      reusable.find((each) => each.id === id),
      'Reusable content',
    );
    reading.noteVersion();
    return entry;
  };

  return {
    async getCurrentRevision({ query }, reading) {
      if (reading.isUnchanged()) return unchangedAnswer;
      const [held, merged] = await Promise.all([viewFor(deps, reading), reading.mergedFrom()]);
      return contents.revision(held, { ...optionsFor(reading, query), ...merged });
    },
    async listPages({ query }, reading) {
      if (reading.isUnchanged()) return unchangedAnswer;
      return contents.pages(reading.view, optionsFor(reading, query));
    },
    getPageById: async ({ path, query }, reading) => readPageAs(reading.view.pageById.get(path.pageId), query, reading),
    async getPageByPath({ path: { pagePath }, query }, reading) {
      const { view } = reading;
      return readPageAs(pageAtPath(view, pagePath) ?? findRedirect(view, pagePath)?.page, query, reading);
    },
    async getPageDocumentById({ path, query }, reading) {
      const page = reading.view.pageById.get(path.pageId);
      const body = orNotFound(page?.type === 'document' ? page : undefined, 'Page');
      reading.noteVersion();
      return readDocument(deps, { ...reading, body, claims: claimsFor(reading, query.evaluated) });
    },
    async listSpacePageMetaLinks({ path }, reading) {
      const page = orNotFound(reading.view.pageById.get(path.pageId), 'Page');
      reading.noteVersion();
      return presentMetaLinks(reading.view, page);
    },
    async listFiles({ query }, reading) {
      reading.noteVersion();
      const options = optionsFor(reading, query);
      const { files, revision } = await viewFor(deps, reading);
      return slicePage(files, revision._id, query, (file) => presentFile(deps, file, options));
    },
    async getFileById({ path, query }, reading) {
      const file = orNotFound((await viewFor(deps, reading)).fileById.get(path.fileId), 'File');
      reading.noteVersion();
      return presentFile(deps, file, optionsFor(reading, query));
    },
    async getReusableContentById({ path, query }, reading) {
      return presentReusable(await reusableOf(reading, path.reusableContentId), optionsFor(reading, query));
    },
    async getReusableContentDocumentById({ path, query }, reading) {
      const body = await reusableOf(reading, path.reusableContentId);
      return readDocument(deps, { ...reading, body, claims: claimsFor(reading, query.evaluated) });
    },
  };
}

/** The body of a document in the revision; for users, also in the one before it, and a document that neither holds any more. */
async function bodyOfDocument({ store, revisions }: Dependencies, { view, visitor }: Reading, id: string) {
  const { space, parents } = view.revision;
  for (const revision of [view.revision._id, ...(visitor ? [] : parents)]) {
    const held = revision === view.revision._id ? view : await revisions.get(space, revision);
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

/** A handler for each thing that is read in each place, by its operationId for the current content. */
type ReadHandlers = HandlersAt<typeof reads, Reading>;

type Name = keyof ReadHandlers;
type Place = Parameters<ReadHandlers[Name]>[2];

interface ReadRequest {
  path: PlacePath;
  query: { page?: string };
}

/** The handlers of the operations that read in each place. */
function inEachPlace(
  deps: Parameters<typeof openReading>[0],
  handlers: ReadHandlers,
): HandlersOf<typeof reads.operations> {
  const opening = Object.entries(handlers).map(([name, handler]) => {
    const { ids } = reads.declarations[name as Name];
    const handle = async (request: ReadRequest, context: Context, place: Place) => {
      const { path, query } = request;
      const immutable = reads.operations[ids[place]].cache === 'immutable';
      const started = versionOfPage(query.page);
      return handler(request as never, await openReading(deps, { path, started, immutable }, context), place);
    };
    return [name, handle];
  });
  return joinHandlers(reads, Object.fromEntries(opening));
}
