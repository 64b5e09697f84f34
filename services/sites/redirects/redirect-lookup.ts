import type { Caller } from '../../../shared/contract/caller.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import type { QueryOf } from '../../../shared/contract/operation.js';
import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../shared/store/port.js';
import { type FoundPage, findPage } from '../../content/contract.js';
import type { redirectOperations } from '../contract/redirects.js';
import { checkShareKey } from '../publishing/share-keys.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { siteOf } from '../site/model.js';
import { type HasConfig, publisherOf } from '../site/urls.js';
import { canonicalURLs } from '../visiting/addresses.js';
import { formerStarts, formerTarget, type Target } from '../visiting/former-targets.js';
import { type Located, locate, readable, segmentsOf } from '../visiting/locate.js';
import { revisionOf, segmentsOfContent } from '../visiting/other-content.js';
import type { HasVisibleSites, Seen } from '../visiting/visible-site-cache.js';
import { presentRedirect, type RedirectDocument, redirects } from './model.js';
import { keysOfPath, redirectFor } from './redirect-keys.js';
import { targetOf } from './redirect-targets.js';
import type { RedirectDestination, SiteRedirect } from './resources.js';

interface Lookup {
  call: Call;
  caller: Caller;
  /** The id of the site. */
  id: string;
  query: QueryOf<typeof redirectOperations.getSiteRedirectBySource>;
}

/**
 * Finds where a path of a site leads that names no page: by a redirect of the site, by one of the content, or by former paths.
 * Throws 404 when it leads nowhere.
 */
export async function findRedirect(
  deps: HasStore & HasConfig & HasDomainOwners & HasVisibleSites & HasCallAs & { previewTokens: SignedTokens },
  { call, caller, id, query: { source, shareKey } }: Lookup,
): Promise<{ redirect: SiteRedirect; target: string }> {
  const site = await siteOf(deps.store, id);
  if (shareKey !== undefined) await checkShareKey(deps.store, { site: id, key: shareKey });
  const visitor = caller.kind === 'content' ? caller : undefined;
  const seen = await deps.visibleSites.seenBy(site, visitor?.claims ?? {});
  const shown: Seen = visitor ? seen : { ...seen, structure: seen.whole, hidden: new Set() };
  const find: FindPage = async ({ placed, rest }) => {
    const { space } = placed.siteSpace;
    const asked = { space, path: pathOf({ rest }) };
    if (!visitor) return call(findPage, asked);
    const revision = await revisionOf({ call, visitor }, space);
    return call(findPage, { ...asked, revision, claims: visitor.claims });
  };
  const found = await redirectFrom(deps, { caller, site: id, shown, source, find });
  if (!found) throw notFound('Site redirect');
  const addressOf = await canonicalURLs(deps, {
    site,
    publisher: publisherOf(deps, { call, organization: site.organization }),
    structure: seen.whole,
    visitor: { ...visitor, shareKey: shareKey ?? visitor?.shareKey },
  });
  const { placed, rest } = found;
  const within = visitor ? segmentsOfContent(visitor, placed.siteSpace.space) : [];
  return {
    redirect: presentRedirect({ createdAt: site.createdAt, ...found.redirect }),
    target: addressOf({ placed, rest: [...within, ...rest] }) + fragmentOf(found),
  };
}

type FindPage = (target: Target) => Promise<{ page?: FoundPage; redirect?: FoundPage & { anchor?: string } } | null>;

interface Origin {
  caller: Caller;
  /** The id of the site. */
  site: string;
  shown: Seen;
  source: string;
  find: FindPage;
}

async function redirectFrom(deps: HasStore & HasCallAs, origin: Origin): Promise<Found | null> {
  const { shown, source, find } = origin;
  const located = locate(shown, segmentsOf(source));
  const at = located && (await find(located));
  if (located && at?.page) return located.naming ? automatic(source, located, at.page) : null;
  const stored = await storedRedirect(deps, origin);
  if (stored || !located) return stored;
  if (at?.redirect) return ofContent(source, located, at.redirect);
  return former(located, origin);
}

const pathOf = ({ rest }: Pick<Target, 'rest'>) => rest.map(readable).join('/');

type Found = Target & {
  /** `createdAt` is that of the site where nobody created it. */
  redirect: Omit<RedirectDocument, 'site' | 'key' | 'createdAt'> & { createdAt?: string };
  anchor?: string | undefined;
};

const fragmentOf = ({ anchor }: Found) => (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`);

/** A redirect without a document: the part of the site moved, or needs no name. */
function automatic(source: string, { placed, rest }: Target, page: FoundPage | undefined): Found {
  const siteSpaceId = placed.siteSpace.id;
  const destination: RedirectDestination =
    page && rest.length > 0 ? { kind: 'site-page', siteSpaceId, pageId: page.id } : { kind: 'site-space', siteSpaceId };
  return { placed, rest, redirect: { _id: siteSpaceId, source, destination } };
}

/** A redirect defined by the content of a space. */
function ofContent(source: string, { placed }: Target, { anchor, ...page }: FoundPage & { anchor?: string }): Found {
  const rest = segmentsOf(page.path).map(encodeURIComponent);
  return { ...automatic(source, { placed, rest }, page), anchor };
}

/** The redirect of the site from this path: with this source, or else with the longest wildcard. */
async function storedRedirect(
  deps: HasStore & HasCallAs,
  { caller, site, shown, source }: Origin,
): Promise<Found | null> {
  const keys = keysOfPath(source);
  const filter = { site, key: { $in: [...keys.keys()] } };
  const { items } = await deps.store.page(redirects, { filter, sort: {}, limit: keys.size });
  const redirect = redirectFor([...keys.keys()], items);
  if (!redirect) return null;
  const { key, destination, captureWildcard } = redirect;
  const target = await targetOf(deps, { caller, structure: shown.structure, destination });
  const captured = captureWildcard ? keys.get(key)?.() : undefined;
  return target && { ...target, rest: [...target.rest, ...(captured ?? [])], redirect };
}

/** The part or the page that the path led to before. */
async function former(located: Located, { shown, source, find }: Origin): Promise<Found | null> {
  const renamed = formerTarget(shown, located);
  if (renamed) return automatic(source, renamed, (await find(renamed))?.page);
  for (const start of formerStarts(shown, located)) {
    const page = (await find(start))?.page;
    if (page) return automatic(source, start, page);
  }
  return null;
}
