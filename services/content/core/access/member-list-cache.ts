import { LRUCache } from 'lru-cache';
import type { Call } from '../../../../shared/contract/service.js';
import { listPrincipals, type Principal } from '../../../identity/contract.js';

const keptMs = 1000;
/** Bytes of all kept lists together, about; the last one is kept whatever it takes. */
const maxKeptBytes = 32 * 1024 * 1024;

const memberListBytes = (members: Principal[]): number =>
  members.reduce((sum, { teams }) => sum + 200 + 80 * teams.length, 200);

/** Keeps the members of whole organizations for a second, for requests that go through a list page by page. */
export class MemberListCache {
  private readonly kept = new LRUCache<string, Principal[]>({
    maxSize: maxKeptBytes,
    sizeCalculation: (members) => Math.min(maxKeptBytes, memberListBytes(members)),
    ttl: keptMs,
    ttlAutopurge: true,
  });

  /** The members in the order of their ids. `continued`: a kept list will do; without it the list is read now. */
  async listMembers(call: Call, organization: string, { continued }: { continued: boolean }): Promise<Principal[]> {
    const known = continued ? this.kept.get(organization) : undefined;
    if (known) return known;
    const members: Principal[] = [];
    let after: string | undefined;
    do {
      const page = await call(listPrincipals, { organization, ...(after === undefined ? {} : { after }) });
      members.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    this.kept.set(organization, members);
    return members;
  }
}
