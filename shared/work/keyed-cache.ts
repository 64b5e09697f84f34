import { LRUCache } from 'lru-cache';

/** Makes a value; `keepFor` limits how long this one is kept, in milliseconds. */
type Load<V> = (keepFor: (ms: number) => void) => Promise<V>;

export interface KeyedCacheOptions<V> {
  /** The sum of `sizeOf` over all values that are kept, mostly bytes. */
  maxSize: number;
  sizeOf: (value: V, key: string) => number;
  /** Milliseconds; by default, values are kept until others need their room. */
  ttlMs?: number;
}

/** Keeps the values that were used last. Callers that ask for one key at the same time share one load; what fails, or is undefined, is not kept. */
export class KeyedCache<V extends object | string> {
  private readonly values: LRUCache<string, V, Load<V>>;

  constructor({ maxSize, sizeOf, ttlMs = 0 }: KeyedCacheOptions<V>) {
    this.values = new LRUCache({
      maxSize,
      sizeCalculation: sizeOf,
      ttl: ttlMs,
      // A value that is too large to be kept is still the answer to whoever waits for it.
      ignoreFetchAbort: true,
      fetchMethod: (_, __, { context: load, options }) => load((ms) => Object.assign(options, { ttl: ms })),
    });
  }

  /** Returns the value of a key; `load` makes it where none is kept. */
  get<L extends V | undefined>(key: string, load: Load<L>): Promise<L> {
    return this.values.fetch(key, { context: load as Load<V> }) as Promise<L>;
  }

  /** Returns the value of a key where it is kept, as used now. */
  getIfKept(key: string): V | undefined {
    return this.values.get(key);
  }

  /** Returns the value of a key where it is kept, without counting that as use. */
  peek(key: string): V | undefined {
    return this.values.peek(key);
  }

  set(key: string, value: V): void {
    this.values.set(key, value);
  }

  delete(key: string): void {
    this.values.delete(key);
  }
}
