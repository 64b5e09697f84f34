import { LRUCache } from 'lru-cache';
import type { Call } from '../../shared/contract/service.js';
import { listPrincipals, type Principal } from '../identity/contract.js';

const keptMs = 1000;
const keptLists = 4;

/** The members of whole organizations, for answers about all of them; kept a second for those who go on page by page. */
export class MemberLists {
  private readonly kept = new LRUCache<string, Principal[]>({ max: keptLists, ttl: keptMs, ttlAutopurge: true });

  /** In the order of their ids; as of now where `goingOn` is false. */
  async of(call: Call, organization: string, goingOn: boolean): Promise<Principal[]> {
    const known = goingOn ? this.kept.get(organization) : undefined;
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
