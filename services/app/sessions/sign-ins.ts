import type { Call } from '../../../shared/contract/service.js';
import { sha256 } from '../../../shared/values/ids.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import { type FoundSession, findSession } from '../../identity/contract.js';

/** A session that ends takes effect within a second, even when the bus is down. */
const cacheMs = 900;
const maxKept = 10_000;

const newCache = () => new KeyedCache<FoundSession>({ maxSize: maxKept, sizeOf: () => 1, ttlMs: cacheMs });

/** Knows who is signed in in a browser. */
export class SignIns {
  private known = newCache();

  constructor(private readonly callAsSystem: () => Call) {}

  /** The session of a secret; undefined where it has ended. A read may be a second late; `fresh` asks anew, for a change. */
  async sessionOf(secret: string, { fresh }: { fresh: boolean }): Promise<FoundSession | undefined> {
    if (!/^bns_[\w-]{20,100}$/.test(secret)) return undefined;
    const hash = sha256(secret);
    const find = async () => (await this.callAsSystem()(findSession, { hash })) ?? undefined;
    return fresh ? find() : this.known.get(hash, find);
  }

  forget(): void {
    this.known = newCache();
  }
}
