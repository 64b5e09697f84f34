import { failureOf } from '../../../shared/errors/errors.js';
import { sitesContract } from '../../sites/contract.js';
import type { SiteRedirect } from '../../sites/resources.js';
import type { ReaderAnswer } from '../contract.js';
import { addressesOf } from '../site/addresses.js';
import { redirect } from '../site/answers.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';

/** Where a path without a page leads by redirects of the site or its content, and by former paths; undefined for nowhere. */
export async function redirectAt(
  { callAs }: ReaderDependencies,
  asked: SiteRequest,
): Promise<ReaderAnswer | undefined> {
  const { visit, known, url } = asked;
  const { shown, visitor } = visit;
  const source = decodedPath(known.pathname.slice(shown.siteBasePath.length - 1));
  const call = callAs(visitor);
  const found = await call(sitesContract.getSiteRedirectBySource, {
    path: { organizationId: shown.organization, siteId: shown.site },
    query: { source },
  }).catch((error) => {
    // No path of a page could be like this.
    if (failureOf(error).status === 404 || failureOf(error).status === 400) return undefined;
    throw error;
  });
  if (!found) return undefined;
  const location = withQuery(addressesOf(visit, asked).local(found.target), url.search);
  return redirect(isForEver(found.redirect) ? 308 : 307, location);
}

/** Where something stood before, it led to by its own path: nobody has to say that it moved. */
function isForEver({ id, destination, permanent }: SiteRedirect): boolean {
  return permanent || ('siteSpaceId' in destination && destination.siteSpaceId === id);
}

function withQuery(location: string, search: string): string {
  const [path = '', ...anchor] = location.split('#');
  return [path.includes('?') ? path : path + search, ...anchor].join('#');
}

function decodedPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
