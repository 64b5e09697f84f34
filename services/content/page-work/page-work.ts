import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../shared/ids.js';
import type { SearchEntry } from '../../../shared/store/port.js';
import { openWorkers } from '../../../shared/work/workers.js';
import type { PlacedMarkdown } from '../format/document/link-places.js';
import type { Section } from '../revisions/model.js';
import type { PageBody } from '../revisions/resources.js';
import type { Inputs } from './expression-inputs.js';
import type { IndexedPage, ReadPage } from './page-worker.js';

/** Parses, converts and tokenizes pages in worker threads, off the event loop. */
export interface PageWork {
  read(sources: string[]): Promise<ReadPage[]>;
  entries(pages: IndexedPage[]): Promise<SearchEntry[]>;
  document(body: DocumentBody): Promise<PageBody>;
  /** The page as markdown; without a `title`, its body only. */
  markdown(source: string, title: string | undefined, inputs?: Inputs): Promise<PlacedMarkdown>;
  /** The sections of a page, evaluated for a reader with these inputs. */
  sections(source: string, title: string, inputs: Inputs): Promise<Section[]>;
  close(): Promise<void>;
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
