import { LRUCache } from 'lru-cache';
import type { Call } from '../../../shared/contract/service.js';
import { addressesOfSite, type SiteAddresses } from '../../sites/contract.js';

/** How long (ms) events of a deleted or unpublished site may still be accepted. */
export const siteCacheMs = 2000;

const maxSites = 10_000;

/** Where the pages of sites are shown, kept for a moment: a site may get many events a second. */
export class TrackedSites {
  private readonly cache = new LRUCache<string, Promise<SiteAddresses | null>>({ max: maxSites, ttl: siteCacheMs });

  findAddresses(
    call: Call,
    { organization, site }: { organization: string; site: string },
  ): Promise<SiteAddresses | null> {
    const key = `${organization} ${site}`;
    const known = this.cache.get(key);
    if (known) return known;
    const asked = call(addressesOfSite, { organization, site });
    this.cache.set(key, asked);
    asked.catch(() => this.cache.delete(key));
    return asked;
  }
}
