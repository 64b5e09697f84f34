import { LRUCache } from 'lru-cache';
import { pathSegment } from '../../../shared/text/path-segment.js';
import type { PublishedSite } from '../../sites/contract.js';
import { type SiteSpace, sectionsIn } from '../../sites/resources.js';
import { freshMs, type Visit } from './visit.js';

/** Spaces of sites that somebody visited within the last second. */
const maxStarts = 5000;
/** Parts of a path that are looked at for the start of a space. */
const maxDepth = 8;

interface Start {
  visit: Visit;
  /** In milliseconds of `performance.now`. */
  until: number;
  /** First parts of paths that may lead to another part of the site, in lower case. */
  names: ReadonlySet<string>;
}

/**
 * Visits of the last second, by where their space begins. A path below that leads to the same space, unless its first part is a name of the site:
 * readers of many pages need one question a second for all of them.
 */
export class NearVisits {
  private readonly starts = new LRUCache<string, Start>({ max: maxStarts });

  note(who: string, { origin, hostname }: URL, visit: Visit, now = performance.now()): void {
    const { shown, site } = visit;
    if (!shown.complete || shown.changeRequest || shown.revision || !isAlone(hostname, visit)) return;
    this.starts.set(`${who} ${origin}${shown.basePath}`, { visit, until: now + freshMs, names: namesOf(site) });
  }

  /** The visit that a URL is, with the milliseconds for which that is known; undefined where sites must be asked. */
  find(who: string, { origin, pathname }: URL, now = performance.now()): { visit: Visit; ms: number } | undefined {
    const ends = slashesIn(pathname).slice(0, maxDepth).reverse();
    for (const end of ends) {
      const start = this.starts.get(`${who} ${origin}${pathname.slice(0, end + 1)}`);
      if (!start) continue;
      const visit = start.until > now ? below(start, pathname.slice(end + 1)) : undefined;
      return visit && { visit, ms: start.until - now };
    }
    return undefined;
  }
}

/** Whether all paths below are of this site: at the host of an organization, and behind a proxy, they may be of others. */
function isAlone(host: string, { shown: { basePath }, site: { site } }: Visit): boolean {
  if (site.proxy?.origin.split('/')[0] === host) return false;
  return basePath !== '/' || site.hostname === host;
}

/** Segments that may be the key of a share link. */
const keyLike = /^[\w-]{16}$/;

/** The positions of the slashes in a path. */
export const slashesIn = (path: string): number[] => [...path.matchAll(/\//g)].map(({ index }) => index);

/** The visit of a page of the space; undefined for a path that only sites can read. */
function below({ visit, names }: Start, rest: string): Visit | undefined {
  const segments = rest.split('/').map(decoded);
  const [first] = segments;
  if (!first || first === '~' || keyLike.test(first) || names.has(first.toLowerCase())) return undefined;
  if (segments.some((segment) => !segment || /[\p{Cc}/\\]/u.test(segment))) return undefined;
  const { shown } = visit;
  const canonicalUrl = canonicalStart(shown) + segments.map((segment) => pathSegment(segment ?? '')).join('/');
  return { ...visit, shown: { ...shown, pathname: segments.join('/'), canonicalUrl } };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The canonical address of a space: that of a page without the path of the page. */
export function canonicalStart({ canonicalUrl, pathname }: Pick<Visit['shown'], 'canonicalUrl' | 'pathname'>): string {
  const { origin, pathname: path } = new URL(canonicalUrl);
  const depth = pathname.split('/').filter((segment) => segment !== '').length;
  const segments = path.split('/').filter((segment) => segment !== '');
  const start = segments.slice(0, segments.length - depth);
  return `${origin}/${start.map((segment) => `${segment}/`).join('')}`;
}

/** The names that paths of a site may have before the path of a page. */
function namesOf({ structure }: PublishedSite): Set<string> {
  const namesOfSpaces = (siteSpaces: SiteSpace[]) => siteSpaces.map(({ path }) => path);
  const all =
    structure.type === 'siteSpaces'
      ? namesOfSpaces(structure.structure)
      : structure.structure.flatMap(sectionsIn).flatMap(({ path, siteSpaces }) => [path, ...namesOfSpaces(siteSpaces)]);
  return new Set(all.map((name) => name.toLowerCase()));
}
