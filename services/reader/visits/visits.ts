import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { failureOf } from '../../../shared/errors/errors.js';
import { sha256 } from '../../../shared/values/ids.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import { type PublishedSite, visitSite } from '../../sites/contract.js';
import { NearVisits, slashesIn } from './near-visits.js';
import { freshMs, type VisitOutcome } from './visit.js';
import type { VisitorInput } from './visitor-input.js';

/** Bytes, about. */
const maxSites = 16 * 1024 * 1024;
const maxVisits = 4 * 1024 * 1024;

/** Asks sites where URLs lead; keeps sites by their keys, and each answer for less than a second. */
export class Visits {
  private readonly sites = new KeyedCache<PublishedSite>({
    maxSize: maxSites,
    sizeOf: (site) => 2 * JSON.stringify(site).length,
  });
  /** The key of the site that a place showed last. */
  private readonly lastKeys = new KeyedCache<string>({ maxSize: 20_000, sizeOf: () => 1 });
  private readonly outcomes = new KeyedCache<VisitOutcome>({ maxSize: maxVisits, sizeOf: () => 3000, ttlMs: freshMs });

  private readonly near = new NearVisits();

  constructor(private readonly callAs: (caller: Caller) => Call) {}

  /** Where a URL (without query) leads. `address` names the URL and the visitor. Throws 503 and the like. */
  outcomeOf(address: string, url: string, { given }: VisitorInput): Promise<VisitOutcome> {
    return this.outcomes.get(address, (keepFor) => this.ask(url, given, keepFor));
  }

  /** Whether the answer is kept, so that nothing is asked for it. */
  knows(address: string): boolean {
    return this.outcomes.peek(address) !== undefined;
  }

  private async ask(
    address: string,
    visitor: VisitorInput['given'],
    keepFor: (ms: number) => void,
  ): Promise<VisitOutcome> {
    const url = new URL(address);
    const who = JSON.stringify(visitor);
    const near = this.near.find(who, url);
    if (near) {
      // What it was made of is not known for longer.
      keepFor(Math.max(1, near.ms));
      return { visit: near.visit };
    }
    const known = this.lastKeyOf(who, url);
    try {
      const kept = known === undefined ? undefined : this.sites.getIfKept(known);
      const found = await this.callAs({ kind: 'anonymous' })(visitSite, {
        url: address,
        visitor,
        known: kept ? known : undefined,
      });
      if ('redirect' in found) return found;
      const site = found.site ?? kept;
      if (!site) throw new Error('sites answered without a site');
      if (found.site) this.sites.set(found.key, site);
      this.lastKeys.set(placeOf(who, url.host, found.shown.siteBasePath), found.key);
      const visit = { ...found, site };
      this.near.note(who, url, visit);
      return { visit };
    } catch (error) {
      const { status, message } = failureOf(error);
      if (status === 404 || status === 401 || status === 400) return { refused: status, message };
      throw error;
    }
  }

  /** The key of the site that this visitor saw last at the start of a path. */
  private lastKeyOf(who: string, { host, pathname }: URL): string | undefined {
    const ends = slashesIn(pathname).slice(0, maxDepth).reverse();
    for (const end of ends) {
      const key = this.lastKeys.getIfKept(placeOf(who, host, pathname.slice(0, end + 1)));
      if (key !== undefined) return key;
    }
    return undefined;
  }
}

/** Parts of a path that may stand before a site. */
const maxDepth = 8;

const placeOf = (who: string, host: string, siteBasePath: string): string => sha256(`${host}${siteBasePath} ${who}`);
