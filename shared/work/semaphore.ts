/** Runs at most `max` pieces of work at a time; the others wait, in order of arrival. */
export class Semaphore {
  private readonly queue: (() => void)[] = [];
  private running = 0;

  constructor(private readonly max: number) {}

  /** The number of pieces of work that wait. */
  get waiting(): number {
    return this.queue.length;
  }

  get isFull(): boolean {
    return this.running === this.max;
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFull) await new Promise<void>((go) => this.queue.push(go));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** Runs at most `max` pieces of work with the same key at a time; work with different keys runs beside each other. */
export class KeyedSemaphore {
  private readonly byKey = new Map<string, Semaphore>();

  constructor(
    /** By default one after the other. */
    private readonly max = 1,
    /** The error for work that would have to wait; without it, it waits, in order of arrival. */
    private readonly refusal?: () => Error,
  ) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = this.byKey.get(key) ?? new Semaphore(this.max);
    if (this.refusal && own.isFull) throw this.refusal();
    this.byKey.set(key, own);
    try {
      return await own.run(work);
    } finally {
      if (own.isIdle && this.byKey.get(key) === own) this.byKey.delete(key);
    }
  }
}

export type HasTurns = { turns: KeyedSemaphore };
