/** Values that works of the same kind, one after the other, have in common: it holds what the last two of them used. */
export class LastUsed<V> {
  private now = new Map<string, V>();
  private before = new Map<string, V>();

  /** Has to be called before each work. */
  turn(): void {
    this.before = this.now;
    this.now = new Map();
  }

  get(key: string): V | undefined {
    const value = this.now.get(key) ?? this.before.get(key);
    if (value !== undefined) this.now.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.now.set(key, value);
  }

  /** The values of the keys, as far as there are some; those that are not held are made together. */
  async all(
    keys: Iterable<string>,
    make: (missing: string[]) => Promise<Iterable<readonly [string, V]>>,
  ): Promise<Map<string, V>> {
    const found = new Map<string, V>();
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      const known = this.get(key);
      if (known === undefined) missing.push(key);
      else found.set(key, known);
    }
    for (const [key, value] of missing.length > 0 ? await make(missing) : []) {
      this.set(key, value);
      found.set(key, value);
    }
    return found;
  }
}
