import { LRUCache } from 'lru-cache';
import { apiError } from '../../../shared/errors.js';
import { sha256 } from '../../../shared/ids.js';
import type { SearchEntry } from '../../../shared/store/port.js';
import { isTaskFailure, openWorkers, perProcessor, type TaskFailure } from '../../../shared/work/workers.js';
import type { PlacedMarkdown } from '../format/document/link-places.js';
import type { Section } from '../revisions/model.js';
import type { PageBody } from '../revisions/resources.js';
import type { Inputs } from './expression-inputs.js';
import type { IndexedPage, ReadPage } from './page-worker.js';

/**
 * Parses, converts and tokenizes pages in processes of their own. All work is for an `organization`; organizations take turns.
 * Throws `TaskFailure` for a page that takes too much time (503) or memory (422).
 */
export interface PageWork {
  /** For imports. Throws 422 with the path of the page that takes too much. */
  read(pages: ImportedPage[], organization: string): Promise<ReadPage[]>;
  /** For imports. Throws 422 with the title of the page that takes too much. */
  entries(pages: IndexedPage[], organization: string): Promise<SearchEntry[]>;
  document(body: DocumentBody, organization: string): Promise<PageBody>;
  /** The page as markdown; without a `title`, its body only. */
  markdown(page: MarkdownBody, organization: string): Promise<PlacedMarkdown>;
  /** The sections of a page, evaluated for a reader with these inputs. */
  sections(page: SectionsBody, organization: string): Promise<Section[]>;
  close(): Promise<void>;
}

export interface ImportedPage {
  path: string;
  source: string;
}

export interface MarkdownBody {
  source: string;
  title?: string | undefined;
  inputs?: Inputs | undefined;
}

export interface SectionsBody {
  source: string;
  title: string;
  inputs: Inputs;
}

export interface DocumentBody {
  source: string;
  /** The targets of the page's links, by `<kind> <url>`. */
  refs: ReadonlyMap<string, unknown>;
  /** The title of the page. */
  title: string | undefined;
  /** The labels of tags. */
  tags?: ReadonlyMap<string, string> | undefined;
  /** What the body is evaluated with; without them, it stays as written. */
  inputs?: Inputs | undefined;
}

/** Keeps the latest results; concurrent calls for the same one share the work. */
function remembering<T extends object>(max: number) {
  const known = new LRUCache<string, Promise<T>>({ max });
  return (parts: unknown[], make: () => Promise<T>): Promise<T> => {
    const key = sha256(JSON.stringify(parts));
    const kept = known.get(key);
    if (kept) return kept;
    const made = make();
    known.set(key, made);
    made.catch(() => known.delete(key));
    return made;
  };
}

interface Together<I, R> {
  run(items: I[]): Promise<R[]>;
  nameOf(item: I): string;
}

/** Works on pages together; where that takes too much, on each alone, so that the failure names the page it is about. */
async function together<I, R>(items: I[], { run, nameOf }: Together<I, R>): Promise<R[]> {
  try {
    return await run(items);
  } catch (error) {
    if (!isTaskFailure(error) || (error.failure !== 'deadline' && error.failure !== 'memory')) throw error;
    const [first, ...others] = items;
    if (first === undefined || others.length === 0) throw tooMuchFor(first === undefined ? '' : nameOf(first), error);
  }
  const results: R[] = [];
  for (const item of items) results.push(...(await together([item], { run, nameOf })));
  return results;
}

/** Another attempt of an import would end the same way. */
function tooMuchFor(page: string, { failure }: TaskFailure): Error {
  const what = failure === 'memory' ? 'memory' : 'time';
  const error = apiError(
    'UNPROCESSABLE',
    `${page}: needs more ${what} to process than is allowed; make the page smaller`,
  );
  return Object.assign(error, { permanent: true, expected: true });
}

const module = new URL('./page-worker.js', import.meta.url);

/** Reading goes before importing, and one organization never takes all of it. */
function openPools() {
  const most = perProcessor(1, { least: 1, most: 3 }) + 1;
  const reading = openWorkers({ module, most, mostOfOwner: most - 1, deadlineMs: 5000, memoryMb: 384, waiting: 200 });
  const importing = openWorkers({
    module,
    most: perProcessor(0.5, { least: 1, most: 4 }),
    deadlineMs: 10_000,
    memoryMb: 512,
    waiting: 100,
    inBackground: true,
  });
  return { reading, importing };
}

export function openPageWork(): PageWork {
  const { reading, importing } = openPools();
  const documents = remembering<PageBody>(500);
  const sections = remembering<Section[]>(2000);
  return {
    read: (pages, owner) =>
      together(pages, {
        run: (part) =>
          importing.run(
            'readPages',
            part.map(({ source }) => source),
            { owner },
          ),
        nameOf: ({ path }) => path,
      }),
    entries: (pages, owner) =>
      together(pages, {
        run: (part) => importing.run('searchEntries', part, { owner }),
        nameOf: ({ title }) => title,
      }),
    document: (body, owner) =>
      documents([body.source, [...body.refs], body.title, [...(body.tags ?? [])], body.inputs], () =>
        reading.run('document', body, { owner }),
      ),
    markdown: (page, owner) => reading.run('markdown', page, { owner }),
    sections: (page, owner) =>
      sections([page.source, page.title, page.inputs], () => reading.run('sections', page, { owner })),
    async close() {
      await Promise.all([reading.close(), importing.close()]);
    },
  };
}
