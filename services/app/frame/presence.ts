import { LRUCache } from 'lru-cache';
import type { Call } from '../../../shared/contract/service.js';
import type { FoundSession } from '../../identity/contract.js';
import { identityContract } from '../../identity/contract.js';

/** Milliseconds until a member is noted once more: lists of members say days. */
const againMs = 5 * 60_000;

/** Notes for the lists of members when each was here last. */
export class Presence {
  /** The organizations that people were in lately, by person. */
  private readonly noted = new LRUCache<string, true>({ max: 10_000, ttl: againMs });

  /** Nobody waits for it. A guest of a space, who is no member, is refused, which harms nothing. */
  note({ user }: FoundSession, organization: string, call: Call): void {
    const key = `${user.id} ${organization}`;
    if (this.noted.has(key)) return;
    this.noted.set(key, true);
    call(identityContract.updateOrganizationMemberLastSeenAt, { path: { organizationId: organization } }).catch(
      () => {},
    );
  }
}
