import { rateLimited } from '../errors/errors.js';
import { type Collection, collection, type Store } from '../store/port.js';
import { timeIn } from '../values/ids.js';
import type { Caller } from './caller.js';
import type { StoredKind } from './usage.js';

/** The bytes that were kept in one day for a caller, or for an organization. */
interface KeyedUsage {
  _id: string;
  bytes: number;
  expiresAt: string;
}

export interface KeyedBounds {
  /** Bytes of a day. */
  caller: number;
  organization: number;
}

/** The caller whose requests are kept, and the organization that they are about. */
export interface Keeper {
  /** Names the caller. */
  owner: string;
  /** Strangers have a part of their own: they leave the members' part alone. */
  kind: Caller['kind'];
  /** Empty where the request is about none. */
  organization: string;
}

const dayMs = 24 * 3600_000;
/** Bytes of a kept request without its answer, about. */
const rowBytes = 500;

export const keyedBounds: KeyedBounds = { caller: 200_000_000, organization: 1_000_000_000 };

const megabytesText = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;

/** Bounds what one service keeps of requests with an `Idempotency-Key`: what is kept for a day can only fill what a day may. */
export class KeyedUsages {
  readonly usages: Collection<KeyedUsage>;

  constructor(
    private readonly store: Store,
    service: string,
    private readonly bounds = keyedBounds,
  ) {
    this.usages = collection<KeyedUsage>(`${service}_keyed_usages`, [{ on: { expiresAt: 1 } }]);
  }

  /** Throws 429 where a caller or its organization may keep no more today. */
  async checkRoom(keeper: Keeper): Promise<void> {
    const own = this.partsToCount(keeper);
    const found = await this.store.getMany(
      this.usages,
      own.map(({ name }) => todayId(name)),
    );
    const full = own.find(({ name, max }) => found.some(({ _id, bytes }) => _id === todayId(name) && bytes >= max));
    if (!full) return;
    const text = `Idempotency-Key: ${megabytesText(full.max)} of answers are kept for this ${full.of} today, as many as may be; send the request without a key`;
    throw rateLimited(text, dayMs - (Date.now() % dayMs), 'idempotency_keys_exhausted');
  }

  /** Counts a request that is kept, with `length` characters of its answer. */
  async countKept(keeper: Keeper, length: number): Promise<void> {
    const update = {
      $inc: { bytes: rowBytes + length },
      $setOnInsert: { expiresAt: timeIn(2 * dayMs) },
    };
    await Promise.all(
      this.partsToCount(keeper).map(({ name }) => this.store.upsert(this.usages, { _id: todayId(name) }, update)),
    );
  }

  /** Reports the bytes kept today for an organization: the parts of its members and of its visitors together. */
  async keptUsage(organization: string): Promise<StoredKind> {
    const names = parts.map((part) => todayId(partName(organization, part)));
    const found = await this.store.getMany(this.usages, names);
    const used = found.reduce((sum, { bytes }) => sum + bytes, 0);
    return { kind: 'answers', unit: 'bytes', used, limit: parts.length * this.bounds.organization };
  }

  private partsToCount({ owner, kind, organization }: Keeper) {
    const caller = { name: owner, of: 'caller', max: this.bounds.caller };
    if (organization === '') return [caller];
    const name = partName(organization, kind === 'anonymous' || kind === 'content' ? 'visitors' : 'members');
    return [caller, { name, of: 'organization', max: this.bounds.organization }];
  }
}

const parts = ['members', 'visitors'] as const;
const partName = (organization: string, part: (typeof parts)[number]) => `${part} of ${organization}`;
const todayId = (name: string) => `${name} ${Math.floor(Date.now() / dayMs)}`;
