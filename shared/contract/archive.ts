import type { Collection, Cursor, Document, Filter, HasStore } from '../store/port.js';
import { question } from './verb.js';

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

/** A file of archives that lists the documents of a collection. */
export interface ArchiveList {
  file: string;
  read(store: HasStore['store'], organization: string, after: Cursor | undefined): Promise<Lines>;
}

interface Lines {
  lines: object[];
  after?: Cursor;
}

/** Lines of a part. */
const maxLines = 500;

/** Declares a file: a line for each document, by default for those with the `organization`, in the order of their ids. */
export const archiveList = <D extends Document & { organization?: string }>(
  file: string,
  collection: Collection<D>,
  describe: (document: D) => object,
  filterOf = (organization: string) => ({ organization }) as Filter<D>,
): ArchiveList => ({
  file,
  async read(store, organization, after) {
    const { items, next } = await store.page(collection, {
      filter: filterOf(organization),
      sort: {},
      limit: maxLines,
      after,
    });
    return { lines: items.map(describe), ...(next ? { after: next } : {}) };
  },
});

/** Answers the question of `archiveQuestion` from the lists of a service. */
export async function readArchivePart(
  { store }: HasStore,
  lists: readonly ArchiveList[],
  { organization, at = { list: 0 } }: ArchiveRequest,
): Promise<ArchivePart> {
  const { file, read } = lists[at.list] as ArchiveList;
  const { lines, after } = await read(store, organization, at.after);
  const next = after ? { list: at.list, after } : { list: at.list + 1 };
  return { file, lines, ...(next.list < lists.length ? { next } : {}) };
}
