import { rateLimited } from '../../../shared/errors/errors.js';

/** Counts what strangers have each integration do at the same time in this process. */
export class Crowd {
  private readonly inside = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Throws 429 while `most` calls of an integration are under way. */
  async run<T>(integration: string, work: () => Promise<T>): Promise<T> {
    const others = this.inside.get(integration) ?? 0;
    if (others >= this.max)
      throw rateLimited(`The integration is at its limit of ${this.max} concurrent requests`, 1000);
    this.inside.set(integration, others + 1);
    try {
      return await work();
    } finally {
      const left = (this.inside.get(integration) ?? 1) - 1;
      if (left > 0) this.inside.set(integration, left);
      else this.inside.delete(integration);
    }
  }
}
