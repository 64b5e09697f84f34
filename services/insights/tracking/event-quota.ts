import { LRUCache } from 'lru-cache';
import { conflict } from '../../../shared/errors/errors.js';

export interface EventQuotaOptions {
  /** Events that an organization may store; 0: no limit. */
  max: number;
  /** Counts the events that are stored of an organization. */
  count: (organization: string) => Promise<number>;
}

interface Known {
  /** Events at the last count. */
  stored: number;
  /** Events that this process took since that count. */
  added: number;
  countedAt: number;
  counting?: Promise<void> | undefined;
}

const maxOrganizations = 10_000;
/** Milliseconds between counts for a full organization: it has room again when events expire or sites are deleted. */
const recountMs = 60_000;
/** Share of the quota that may be added before the stored events are counted again. */
const partUncounted = 1 / 1000;

/**
 * Bounds the events of an organization, however they are sent. No request waits for a count, so that an organization may exceed its quota
 * by a thousandth in each process.
 */
export class StoredEventsQuota {
  private readonly organizations = new LRUCache<string, Known>({ max: maxOrganizations });

  constructor(private readonly options: EventQuotaOptions) {}

  /** Throws a CONFLICT for an organization that stores as many events as it may. */
  refuseIfFull(organization: string): void {
    const { max } = this.options;
    const known = this.organizations.get(organization);
    if (max === 0 || !known || known.stored + known.added < max) return;
    if (Date.now() - known.countedAt >= recountMs) void this.countStored(organization, known);
    const text = `The organization stores ${max.toLocaleString('en')} events, as many as it may; ask the operator of this server for more`;
    throw conflict(text, 'quota_exceeded');
  }

  /** Notes events that were stored. Ends with the count that they cause, if any. */
  async noteStored(organization: string, events: number): Promise<void> {
    const { max } = this.options;
    if (max === 0) return;
    const known = this.organizations.get(organization) ?? { stored: 0, added: 0, countedAt: 0 };
    this.organizations.set(organization, known);
    known.added += events;
    if (known.added >= max * partUncounted) await this.countStored(organization, known);
  }

  private countStored(organization: string, known: Known): Promise<void> {
    const { added } = known;
    known.counting ??= this.options
      .count(organization)
      .then((stored) => Object.assign(known, { stored, added: known.added - added, countedAt: Date.now() }))
      // The database is away; what comes next is counted with the rest.
      .catch(() => {})
      .then(() => {
        known.counting = undefined;
      });
    return known.counting;
  }
}
