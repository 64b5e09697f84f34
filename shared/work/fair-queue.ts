/** The turn that an item takes: its owner's, and within that the client's. */
export interface Lane {
  owner: string;
  client?: string | undefined;
}

/** Holds what waits: owners take turns, the clients of an owner take turns within its own, and each client's items keep their order. */
export class FairQueue<T> {
  /** Owners and their clients in the order of their turns, the next first. */
  private readonly byOwner = new Map<string, Map<string, T[]>>();

  get isEmpty(): boolean {
    return this.byOwner.size === 0;
  }

  /** Owners whose items wait, the next first. */
  get owners(): string[] {
    return [...this.byOwner.keys()];
  }

  /** The clients of an owner whose items wait, the next first. */
  clientsOf(owner: string): string[] {
    return [...(this.byOwner.get(owner)?.keys() ?? [])];
  }

  /** Counts the waiting items of an owner, or of one of its clients. */
  sizeOf(owner: string, client?: string): number {
    const clients = this.byOwner.get(owner);
    if (client !== undefined) return clients?.get(client)?.length ?? 0;
    let size = 0;
    for (const items of clients?.values() ?? []) size += items.length;
    return size;
  }

  add({ owner, client = '' }: Lane, item: T): void {
    const clients = this.byOwner.get(owner) ?? new Map<string, T[]>();
    const items = clients.get(client) ?? [];
    items.push(item);
    this.byOwner.set(owner, clients.set(client, items));
  }

  /** Takes the next item of the owner whose turn it is, of the owners that `may` have one, and of their clients that may. */
  take(may: (owner: string) => boolean, mayClient = (_client: string, _owner: string) => true): T | undefined {
    for (const [owner, clients] of this.byOwner) {
      if (!may(owner)) continue;
      for (const [client, items] of clients) {
        if (!mayClient(client, owner)) continue;
        const item = items.shift();
        clients.delete(client);
        if (items.length > 0) clients.set(client, items);
        this.byOwner.delete(owner);
        if (clients.size > 0) this.byOwner.set(owner, clients);
        return item;
      }
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
