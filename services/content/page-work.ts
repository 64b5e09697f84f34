import { LRUCache } from 'lru-cache';
import { sha256 } from '../../shared/ids.js';
import type { SearchEntry } from '../../shared/store/port.js';
import { openWorkers } from '../../shared/workers.js';
import type { IndexedPage, ReadPage } from './page-worker.js';

/** Parsing, converting and tokenizing pages, off the event loop. */
export interface PageWork {
  read(sources: string[]): Promise<ReadPage[]>;
  entries(pages: IndexedPage[]): Promise<SearchEntry[]>;
  /** `refs`: what the page's links point at, by `<kind> <url>`. */
  document(source: string, refs: ReadonlyMap<string, unknown>): Promise<unknown>;
  markdown(source: string, title: string): Promise<string>;
  close(): Promise<void>;
}

export function openPageWork(): PageWork {
  const workers = openWorkers(new URL('./page-worker.js', import.meta.url));
  const documents = new LRUCache<string, Promise<unknown>>({ max: 500 });
  return {
    read: (sources) => workers.run('readPages', sources),
    entries: (pages) => workers.run('searchEntries', pages),
    document(source, refs) {
      const key = sha256(JSON.stringify([source, [...refs]]));
      const known = documents.get(key);
      if (known) return known;
      const made = workers.run('document', { source, refs });
      documents.set(key, made);
      made.catch(() => documents.delete(key));
      return made;
    },
    markdown: (source, title) => workers.run('markdown', { source, title }),
    close: () => workers.close(),
  };
}
