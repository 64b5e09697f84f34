import { LRUCache } from 'lru-cache';
import type { Call } from '../../../shared/contract/service.js';
import type { Config } from '../../../shared/settings/config.js';
import { findDomainOwners } from '../../identity/contract.js';

const validMs = 900;
/** Bytes of all that is remembered, about. */
const maxKeptBytes = 8 * 1024 * 1024;

/** Remembers for 0.9 seconds for which organizations domains count. */
export class DomainOwners {
  private readonly known = new LRUCache<string, readonly string[]>({
    maxSize: maxKeptBytes,
    sizeCalculation: (owners, domain) => 250 + 2 * domain.length + 80 * owners.length,
    ttl: validMs,
  });

  constructor(private readonly config: Pick<Config, 'PUBLISH_DOMAIN'>) {}

  /** The organizations for which a domain counts, those that go before others first. */
  async of(call: Call, domain: string): Promise<readonly string[]> {
    return (await this.ofAll(call, [domain])).get(domain) ?? [];
  }

  /** As `of`, for many domains with one question. Those below the domain for sites count for nobody: organizations share it. */
  async ofAll(call: Call, domains: string[]): Promise<Map<string, readonly string[]>> {
    const foreign = domains.filter((domain) => !this.isShared(domain));
    const owners = new Map(foreign.map((domain) => [domain, this.known.get(domain)]));
    const unknown = [...owners].flatMap(([domain, known]) => (known ? [] : [domain]));
    if (unknown.length > 0)
      for (const [domain, found] of Object.entries(await call(findDomainOwners, { domains: unknown }))) {
        this.known.set(domain, found);
        owners.set(domain, found);
      }
    return new Map([...owners].map(([domain, found = []]) => [domain, found]));
  }

  forget(domain: string): void {
    this.known.delete(domain);
  }

  /** Whether a domain is that for sites, or below it. */
  isShared(domain: string): boolean {
    const { PUBLISH_DOMAIN } = this.config;
    return PUBLISH_DOMAIN !== undefined && `.${domain}`.endsWith(`.${PUBLISH_DOMAIN}`);
  }
}

export type HasDomainOwners = { domainOwners: DomainOwners };
