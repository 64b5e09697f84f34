/** Whose turn an item takes: its owner's, and within that the client's. */
export interface Lane {
  owner: string;
  client?: string | undefined;
}

/** Holds what waits: owners take turns, the clients of an owner take turns within its own, and each client's items keep their order. */
export class FairQueue<T> {
  /** Those whose turn comes next are first. */
  private readonly byOwner = new Map<string, Map<string, T[]>>();

  get isEmpty(): boolean {
    return this.byOwner.size === 0;
  }

  /** Whose items wait, the next first. */
  get owners(): string[] {
    return [...this.byOwner.keys()];
  }

  sizeOf(owner: string): number {
    let size = 0;
    for (const items of this.byOwner.get(owner)?.values() ?? []) size += items.length;
    return size;
  }

  add({ owner, client = '' }: Lane, item: T): void {
    const clients = this.byOwner.get(owner) ?? new Map<string, T[]>();
    const items = clients.get(client) ?? [];
    items.push(item);
    this.byOwner.set(owner, clients.set(client, items));
  }

  /** Takes the next item of the owner whose turn it is, of the owners that `may` have one. */
  take(may: (owner: string) => boolean): T | undefined {
    for (const [owner, clients] of this.byOwner) {
      const [next] = clients;
      if (!next || !may(owner)) continue;
      const [client, items] = next;
      const item = items.shift();
      clients.delete(client);
      if (items.length > 0) clients.set(client, items);
      this.byOwner.delete(owner);
      if (clients.size > 0) this.byOwner.set(owner, clients);
      return item;
    }
    return undefined;
  }

  /** Takes an item out of turn; false when it does not wait. */
  remove({ owner, client = '' }: Lane, item: T): boolean {
    const clients = this.byOwner.get(owner);
    const items = clients?.get(client) ?? [];
    const at = items.indexOf(item);
    if (!clients || at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) clients.delete(client);
    if (clients.size === 0) this.byOwner.delete(owner);
    return true;
  }

  /** Takes back the newest item of the owner's busiest client, if that has more than one more than this client. */
  makeRoom({ owner, client = '' }: Lane): T | undefined {
    const clients = this.byOwner.get(owner);
    const [busiest] = [...(clients?.values() ?? [])].sort((a, b) => b.length - a.length);
    return busiest && busiest.length > (clients?.get(client)?.length ?? 0) + 1 ? busiest.pop() : undefined;
  }
}
