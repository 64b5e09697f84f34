import { LRUCache } from 'lru-cache';

/** Bytes of all values that are kept, as their makers say. */
const maxBytes = 64 * 1024 * 1024;

/** The values of one document, by their kinds. */
interface Entry {
  values: Map<string, unknown>;
  bytes: number;
}

/** Keeps what was made of documents until a commit of this process changes them. */
export class DerivedValues {
  readonly #entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  readonly #tables = new Set<string>();
  #changed: string[] = [];
  /** Tables of which the transaction under way changed documents before anything of theirs was kept. */
  readonly #unnoted = new Set<string>();

  /** Whether values of the documents of a table may be kept. */
  concerns(table: string): boolean {
    return this.#tables.has(table);
  }

  find(table: string, id: string, kind: string): unknown {
    return this.#entries.get(key(table, id))?.values.get(kind);
  }

  keep(table: string, id: string, kind: string, { value, bytes }: { value: unknown; bytes: number }): void {
    this.#tables.add(table);
    const at = key(table, id);
    const { values, bytes: before } = this.#entries.get(at) ?? { values: new Map(), bytes: 300 + 2 * at.length };
    // Set anew, so that its size is counted.
    this.#entries.delete(at);
    this.#entries.set(at, { values: values.set(kind, value), bytes: before + bytes });
  }

  /**
   * Notes that the transaction under way changes a document: readers see the state before until its commit. `id` may be left out where
   * nothing of the table is kept.
   */
  noteChange(table: string, id?: string): void {
    if (!this.#tables.has(table)) this.#unnoted.add(table);
    else if (id !== undefined) this.#changed.push(key(table, id));
  }

  /** Drops the values of the documents that the last transaction changed; called in the turn of its commit. */
  dropChanged(): void {
    for (const at of this.#changed) this.#entries.delete(at);
    this.#changed = [];
    // A reader came between the steps of a long transaction, and was the first to keep something of a table: which is old, nobody knows.
    if ([...this.#unnoted].some((table) => this.#tables.has(table))) this.#entries.clear();
    this.#unnoted.clear();
  }
}

const key = (table: string, id: string) => `${table} ${id}`;
