import { LRUCache } from 'lru-cache';
import { sha256 } from '../../shared/ids.js';
import type { SearchEntry } from '../../shared/store/port.js';
import { openWorkers } from '../../shared/work/workers.js';
import type { Inputs } from './conditions.js';
import type { PlacedMarkdown } from './format/link-places.js';
import type { Section } from './model.js';
import type { IndexedPage, ReadPage } from './page-worker.js';
import type { PageBody } from './resources.js';

/** Parsing, converting and tokenizing pages, off the event loop. */
export interface PageWork {
  read(sources: string[]): Promise<ReadPage[]>;
  entries(pages: IndexedPage[]): Promise<SearchEntry[]>;
  document(body: DocumentBody): Promise<PageBody>;
  /** Without a `title` the body alone. */
  markdown(source: string, title: string | undefined, inputs?: Inputs): Promise<PlacedMarkdown>;
  /** What a reader with these inputs sees of a page, cut at its headings. */
  sections(source: string, title: string, inputs: Inputs): Promise<Section[]>;
  close(): Promise<void>;
}

export interface DocumentBody {
  source: string;
  /** What the page's links point at, by `<kind> <url>`. */
  refs: ReadonlyMap<string, unknown>;
  /** Of the page. */
  title: string | undefined;
  /** What tags are called. */
  tags?: ReadonlyMap<string, string> | undefined;
  /** Of the reader that it is evaluated for; without, it stays as it is written. */
  inputs?: Inputs | undefined;
}

/** Keeps the latest answers; those who ask for one at once wait for the same. */
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

export function openPageWork(): PageWork {
  const workers = openWorkers(new URL('./page-worker.js', import.meta.url));
  const documents = remembering<PageBody>(500);
  const sections = remembering<Section[]>(2000);
  return {
    read: (sources) => workers.run('readPages', sources),
    entries: (pages) => workers.run('searchEntries', pages),
    document: (body) =>
      documents([body.source, [...body.refs], body.title, [...(body.tags ?? [])], body.inputs], () =>
        workers.run('document', body),
      ),
    markdown: (source, title, inputs) => workers.run('markdown', { source, title, inputs }),
    sections: (source, title, inputs) =>
      sections([source, title, inputs], () => workers.run('sections', { source, title, inputs })),
    close: () => workers.close(),
  };
}
