import type { z } from 'zod';
import type { Collection, Cursor, Document, Filter, HasStore, Write } from '../store/port.js';
import { write } from '../store/port.js';
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
  next?: ArchivePlace;
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
}

/** Has a service store lines of an archive: those that it has already stay as they are, so that it may be repeated. */
export const archiveTaking = (service: string) => verb<ArchiveTaking, void>(service, 'takeArchive');

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
  read(store: HasStore['store'], organization: string, after: Cursor | undefined): Promise<Lines>;
  take(deps: HasStore & Deps, taking: ArchiveTaking): Promise<void>;
  /** The id of the document that a line describes. */
  idOf(line: object, organization: string): string;
  /** The ids of lines that another organization has. */
  findForeign(store: HasStore['store'], organization: string, lines: object[]): Promise<string[]>;
}

/** The name of something by its id, in a field of a line. */
export interface ArchiveName {
  field: string;
  file: string;
  id: string;
}

interface Lines {
  lines: object[];
  after?: Cursor;
}

/** Lines of a part. */
export const maxArchiveLines = 500;

interface ArchiveListOptions<D extends Document, L, Deps> {
  file: string;
  collection: Collection<D>;
  /** By default the documents with the `organization`. */
  filterOf?: (organization: string) => Filter<D>;
  describe: (document: D) => object;
  line: z.ZodType<L>;
  names?: (line: L) => ArchiveName[];
  /** Makes the document again that was described. */
  restore: (line: L, taking: ArchiveTaking) => D;
  /** Adds to new documents what a line does not say. */
  complete?: (deps: HasStore & Deps, added: D[]) => Promise<D[]>;
  /** The writes that go with new documents. */
  besides?: (deps: HasStore & Deps, added: D[]) => Write[] | Promise<Write[]>;
}

/** Declares a file: a line for each document, in the order of their ids. */
export function archiveList<D extends Document & { organization?: string }, L, Deps = unknown>({
  file,
  collection,
  filterOf = (organization) => ({ organization }) as Filter<D>,
  describe,
  line,
  names = () => [],
  restore,
  complete = async (_, added) => added,
  besides = () => [],
}: ArchiveListOptions<D, L, Deps>): ArchiveList<Deps> {
  const idOf = (each: object, organization: string) =>
    restore(each as L, { organization, archive: '', file, lines: [] })._id;
  return {
    file,
    line,
    names,
    async read(store, organization, after) {
      const { items, next } = await store.page(collection, {
        filter: filterOf(organization),
        sort: {},
        limit: maxArchiveLines,
        after,
      });
      return { lines: items.map(describe), ...(next ? { after: next } : {}) };
    },
    async take(deps, taking) {
      const documents = (taking.lines as L[]).map((each) => restore(each, taking));
      const ids = documents.map(({ _id }) => _id);
      const known = new Set((await deps.store.getMany(collection, ids, { fields: [] })).map(({ _id }) => _id));
      const missing = documents.filter(({ _id }) => !known.has(_id));
      if (missing.length === 0) return;
      const added = await complete(deps, missing);
      await deps.store.batch([write.insertMany(collection, added), ...(await besides(deps, added))]);
    },
    idOf,
    async findForeign(store, organization, lines) {
      const ids = lines.map((each) => idOf(each, organization));
      const found = await store.getMany(collection, ids, { fields: ['organization'] });
      return found.flatMap(({ _id, organization: owner = organization }) => (owner === organization ? [] : [_id]));
    },
  };
}

const listOf = <Deps>(lists: readonly ArchiveList<Deps>[], file: string): ArchiveList<Deps> => {
  const list = lists.find((each) => each.file === file);
  if (!list) throw new Error(`${file} is of another service`);
  return list;
};

/** Answers the question of `archiveQuestion` from the lists of a service. */
export async function readArchivePart(
  { store }: HasStore,
  lists: readonly Pick<ArchiveList, 'file' | 'read'>[],
  { organization, at = { list: 0 } }: ArchiveRequest,
): Promise<ArchivePart> {
  const { file, read } = lists[at.list] as ArchiveList;
  const { lines, after } = await read(store, organization, at.after);
  const next = after ? { list: at.list, after } : { list: at.list + 1 };
  return { file, lines, ...(next.list < lists.length ? { next } : {}) };
}

/** Does what `archiveTaking` asks for, with the lists of a service. */
export const takeArchivePart = <Deps>(
  deps: HasStore & Deps,
  lists: readonly ArchiveList<Deps>[],
  taking: ArchiveTaking,
): Promise<void> => listOf(lists, taking.file).take(deps, taking);

/** Answers the question of `archiveConflicts` from the lists of a service. */
export const findArchiveConflicts = (
  { store }: HasStore,
  lists: readonly ArchiveList<never>[],
  { organization, file, lines }: Pick<ArchiveTaking, 'organization' | 'file' | 'lines'>,
): Promise<string[]> => listOf(lists, file).findForeign(store, organization, lines);
