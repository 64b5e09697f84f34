import type { z } from 'zod';
import type { Collection, Cursor, Document, Filter, HasStore, PageResult, Write } from '../store/port.js';
import { write } from '../store/port.js';
import { type Implementation, implementVerb } from './service.js';
import { question, verb } from './verb.js';

/** Where the parts of a service go on. */
interface ArchivePlace {
  list: number;
  after?: Cursor;
}

interface ArchiveRequest {
  organization: string;
  /** `next` of the part before; absent for the first. */
  at?: ArchivePlace;
}

/** A part of what a service has of an organization: the next lines of a file of its archive. */
export interface ArchivePart {
  file: string;
  lines: object[];
  /** Files that the lines describe; they follow theirs. */
  files?: BlobOfFile[];
  next?: ArchivePlace;
}

/** A file of an archive that is no list, and the blob that holds it. */
export interface BlobOfFile {
  path: string;
  blob: string;
  /** Bytes at the start of the blob that are no part of the file. */
  skip?: number;
}

/** Asks a service for what it has of an organization, without secrets, part by part. The lines of a file come together. */
export const archiveQuestion = (service: string) => question<ArchiveRequest, ArchivePart>(service, 'archive');

/** Lines of a file of an archive, for the service that had them. */
export interface ArchiveTaking {
  organization: string;
  /** The hash of the archive. */
  archive: string;
  file: string;
  /** As `ArchiveList.line` accepts them. */
  lines: object[];
  /** The blobs of the files that the lines describe, by their paths. They expire within a day, unless the service keeps them. */
  files: Record<string, string>;
}

/**
 * Has a service store lines of an archive: those that it has already stay as they are, so that it may be repeated. Answers what is left out, and why.
 */
export const archiveTaking = (service: string) => verb<ArchiveTaking, string[]>(service, 'takeArchive');

/** Asks a service which of the lines are stored for another organization, by their ids. */
export const archiveConflicts = (service: string) =>
  question<Pick<ArchiveTaking, 'organization' | 'file' | 'lines'>, string[]>(service, 'archiveConflicts');

/** A file of archives that lists the documents of a collection. */
export interface ArchiveList<Deps = unknown> {
  file: string;
  /** Accepts a line. */
  line: z.ZodType;
  /** Lines of other files that a line names. */
  names(line: never): ArchiveName[];
  /** Values that no other line of the file has in the same field. */
  unique(line: never): UniqueValue[];
  /** Files that a line describes. */
  files(line: never): DescribedFile[];
  read(deps: HasStore & Deps, organization: string, after: Cursor | undefined): Promise<Lines>;
  /** Answers what is left out, and why. */
  take(deps: HasStore & Deps, taking: ArchiveTaking): Promise<string[]>;
  /** The id of the document that a line describes. */
  idOf(line: object, organization: string): string;
  /** The id by which other lines name a line. */
  nameOf(line: object, organization: string): string;
  /** The ids of lines that another organization has, and other values of them that are taken here. */
  findForeign(deps: HasStore & Deps, organization: string, lines: object[]): Promise<string[]>;
}

/** The name of something by its id, in a field of a line. */
export interface ArchiveName {
  field: string;
  file: string;
  id: string;
}

/** A value that no other line of a file has in this field. */
export interface UniqueValue {
  field: string;
  value: string;
}

/** A file of an archive that a field of a line describes. */
export interface DescribedFile {
  field: string;
  path: string;
  maxBytes: number;
  /** Says what is wrong with it. */
  problemOf(content: Buffer): string | undefined;
}

interface Lines {
  lines: object[];
  files?: BlobOfFile[];
  after?: Cursor;
}

/** Lines of a part. */
export const maxArchiveLines = 500;

/** Reads the documents of an organization that a file describes, from a cursor on. */
export type ReadPage<D, Deps = unknown> = (
  deps: HasStore & Deps,
  organization: string,
  after: Cursor | undefined,
) => Promise<PageResult<D>>;

interface ArchiveListOptions<D extends Document, L, Deps> {
  file: string;
  collection: Collection<D>;
  /** By default the documents with the `organization`. */
  filterOf?: (organization: string) => Filter<D>;
  /** By default the documents of `filterOf`, in the order of their ids. */
  readPage?: ReadPage<D, Deps>;
  /** The field that says whose a document is; `organization` by default. */
  owner?: keyof D & string;
  /** Makes the line of a document; none of one that archives leave out. */
  describe: (document: D, deps: HasStore & Deps) => object | undefined | Promise<object | undefined>;
  line: z.ZodType<L>;
  names?: (line: L) => ArchiveName[];
  unique?: (line: L) => UniqueValue[];
  files?: (line: L) => DescribedFile[];
  /** The blobs of the files that the line of a document describes. */
  blobs?: (document: D, line: object) => BlobOfFile[];
  /** The id by which other lines name a line; that of the document by default. */
  nameOf?: (line: L) => string;
  /** Finds values of lines, besides ids, that others have here. */
  findTaken?: (deps: HasStore & Deps, organization: string, lines: L[]) => Promise<string[]>;
  /** Makes the document again that was described. */
  restore: (line: L, taking: ArchiveTaking) => D;
  /** Adds to new documents what a line does not say. */
  complete?: (deps: HasStore & Deps, added: D[], taking: ArchiveTaking) => Promise<D[]>;
  /** The writes that go with new documents. */
  besides?: (deps: HasStore & Deps, added: D[]) => Write[] | Promise<Write[]>;
}

/** Declares a file: a line for each document. */
export function archiveList<D extends Document & { organization?: string }, L, Deps = unknown>({
  file,
  collection,
  filterOf = (organization) => ({ organization }) as Filter<D>,
  readPage = ({ store }, organization, after) =>
    store.page(collection, { filter: filterOf(organization), sort: {}, limit: maxArchiveLines, after }),
  owner = 'organization',
  describe,
  line,
  names = () => [],
  unique = () => [],
  files = () => [],
  blobs = () => [],
  nameOf,
  findTaken = async () => [],
  restore,
  complete = async (_, added) => added,
  besides = () => [],
}: ArchiveListOptions<D, L, Deps>): ArchiveList<Deps> {
  const documentOf = (each: object, organization: string) =>
    restore(each as L, { organization, archive: '', file, lines: [], files: {} });
  return {
    file,
    line,
    names,
    unique,
    files,
    async read(deps, organization, after) {
      const { items, next } = await readPage(deps, organization, after);
      const lines = await Promise.all(items.map((each) => describe(each, deps)));
      return {
        lines: lines.filter((each) => each !== undefined),
        files: items.flatMap((each, at) => {
          const described = lines[at];
          return described ? blobs(each, described) : [];
        }),
        ...(next ? { after: next } : {}),
      };
    },
    async take(deps, taking) {
      const documents = (taking.lines as L[]).map((each) => restore(each, taking));
      const ids = documents.map(({ _id }) => _id);
      const known = new Set((await deps.store.getMany(collection, ids, { fields: [] })).map(({ _id }) => _id));
      const missing = documents.filter(({ _id }) => !known.has(_id));
      if (missing.length === 0) return [];
      const added = await complete(deps, missing, taking);
      await deps.store.batch([write.insertMany(collection, added), ...(await besides(deps, added))]);
      return [];
    },
    idOf: (each, organization) => documentOf(each, organization)._id,
    nameOf: (each, organization) => (nameOf ? nameOf(each as L) : documentOf(each, organization)._id),
    async findForeign(deps, organization, lines) {
      const owners = new Map(lines.map((each) => documentOf(each, organization)).map((own) => [own._id, own[owner]]));
      const found = await deps.store.getMany(collection, [...owners.keys()], { fields: [owner] });
      const foreign = found.filter((each) => each[owner] !== owners.get(each._id)).map(({ _id }) => _id);
      return [...foreign, ...(await findTaken(deps, organization, lines as L[]))];
    },
  };
}

const listOf = <Deps>(lists: readonly ArchiveList<Deps>[], file: string): ArchiveList<Deps> => {
  const list = lists.find((each) => each.file === file);
  if (!list) throw new Error(`${file} is of another service`);
  return list;
};

async function readPart<Deps>(
  deps: HasStore & Deps,
  lists: readonly Pick<ArchiveList<Deps>, 'file' | 'read'>[],
  { organization, at = { list: 0 } }: ArchiveRequest,
): Promise<ArchivePart> {
  const { file, read } = lists[at.list] as ArchiveList<Deps>;
  const { after, ...part } = await read(deps, organization, at.after);
  const next = after ? { list: at.list, after } : { list: at.list + 1 };
  return { file, ...part, ...(next.list < lists.length ? { next } : {}) };
}

/** Implements `archiveTaking` and `archiveConflicts` by the lists of a service. */
export const takingVerbs = <Deps>(
  service: string,
  deps: HasStore & Deps,
  lists: readonly ArchiveList<Deps>[],
): Implementation[] => [
  implementVerb(archiveTaking(service), (taking) => listOf(lists, taking.file).take(deps, taking)),
  implementVerb(archiveConflicts(service), ({ organization, file, lines }) =>
    listOf(lists, file).findForeign(deps, organization, lines),
  ),
];

/** Implements all that archives ask of a service, by its lists. */
export const archiveVerbs = <Deps>(
  service: string,
  deps: HasStore & Deps,
  lists: readonly ArchiveList<Deps>[],
): Implementation[] => [
  implementVerb(archiveQuestion(service), (wanted) => readPart(deps, lists, wanted)),
  ...takingVerbs(service, deps, lists),
];
