import type { Caller, ContentCaller } from '../../../shared/contract/caller.js';
import type { HasContentTokens } from '../../../shared/contract/content-token.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import { visitorAuthenticationUrl } from '../../../shared/contract/integration-endpoints.js';
import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError, notFound } from '../../../shared/errors/errors.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { findPage } from '../../content/contract.js';
import type { publishedOperations } from '../contract/visiting.js';
import type { PublishingDocument } from '../publishing/model.js';
import { isActiveKey, looksLikeKey } from '../publishing/share-keys.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import type { SiteDocument } from '../site/model.js';
import { type HasConfig, publisherOf } from '../site/urls.js';
import { type PlacedSiteSpace, sectionsOf, siteSpacesIn } from '../structure/structure.js';
import { canonicalURLs } from './addresses.js';
import { formerTarget, type Target } from './former-targets.js';
import { type Asked, type Hosted, parseURL, siteAt } from './hosts.js';
import { type Located, locate, readable } from './locate.js';
import { type OtherContent, otherContentAt } from './other-content.js';
import { previewAt } from './preview.js';
import type { PublishedContent } from './resources.js';
import type { HasVisibleSites, Seen } from './visible-site-cache.js';
import { contextIdOf, publishingFor, type VisitorInput, visitorOf } from './visitors.js';

interface Resolving {
  call: Call;
  caller: Caller;
  body: BodyOf<typeof publishedOperations.resolvePublishedContentByUrl>;
}

const nothingThere = () => notFound('Published content');

/**
 * Finds what a URL means to a visitor. Throws 404 for a URL that leads nowhere or is hidden from this visitor, 401 for an invalid
 * JWT.
 */
export async function resolvePublished(
  deps: ResolvesURLs & HasContentTokens,
  resolving: Resolving,
): Promise<PublishedContent> {
  const resolved = await resolveURL(deps, resolving);
  if ('redirect' in resolved) return resolved;
  return { ...resolved.shown, apiToken: await deps.contentTokens.sign(resolved.visitor) };
}

export type ResolvesURLs = HasStore &
  HasConfig &
  HasSecrets &
  HasDomainOwners &
  HasVisibleSites &
  HasCallAs & { previewTokens: SignedTokens };

type Shown = Exclude<PublishedContent, { redirect: string }>;

/** The meaning of a URL to a visitor: somewhere else, or content with the caller that reads it. */
export type ResolvedURL =
  | Extract<PublishedContent, { redirect: string }>
  | { shown: Omit<Shown, 'apiToken'>; visitor: ContentCaller; site: SiteDocument };

/** As `resolvePublished`, without a token. */
export async function resolveURL(
  deps: ResolvesURLs,
  { call, caller, body: { url, redirectOnError, visitor: input = {} } }: Resolving,
): Promise<ResolvedURL> {
  const asked = parseURL(url);
  const preview = await previewAt(deps, { caller, asked, input });
  if (preview) {
    const { site, used, visitor } = preview;
    const publisher = publisherOf(deps, { call, organization: site.organization });
    const hosted = { site, publisher, used, further: false, naming: false };
    return contentAt(deps, { call, asked, hosted, used, visitor });
  }
  const hosted = await siteAt(deps, { call, asked });
  if (!hosted) throw nothingThere();
  const { site } = hosted;
  const [entry, known] = await Promise.all([
    entryOf(deps, { hosted, asked }),
    publishingFor(deps.store, { site, ...input }),
  ]);
  const visitor = await admit(deps, { site, known, input });
  if (!visitor) {
    const rest = asked.segments.slice(entry.used);
    const signIn = signInOf(deps, { site, known });
    const redirect = redirectTo(signIn, { rest, jwtToken: input.jwtToken, redirectOnError });
    return { target: 'external', site: site._id, redirect };
  }
  const { used, ...by } = entry;
  return contentAt(deps, { call, asked, hosted, used, visitor: { ...visitor, ...by } });
}

/** How a visitor came into a site. */
interface Entry {
  shareKey?: string;
  /** The number of segments that name the site and the share key. */
  used: number;
}

/** The way into a site: its path may start with the key of a share link. Throws 404 when the site is not open to visitors. */
async function entryOf(
  { store }: HasStore,
  { hosted: { site, used }, asked: { segments } }: { hosted: Hosted; asked: Asked },
): Promise<Entry> {
  const key = segments[used];
  if (!site.published) throw nothingThere();
  if (key !== undefined && looksLikeKey(key) && (await isActiveKey(store, { site: site._id, key })))
    return { shareKey: key, used: used + 1 };
  if (site.visibility === 'share-link') throw nothingThere();
  return { used };
}

/** Part of an admitted visitor's token: facts about the visitor and its way in. */
type Admission = Pick<ContentCaller, 'claims' | 'shareKey' | 'signedBy' | 'until' | 'preview'>;

/** Identifies a visitor; null for one that has to sign in first. */
async function admit(
  { secrets }: HasSecrets,
  { site, known, input }: { site: SiteDocument; known: PublishingDocument | null; input: VisitorInput },
): Promise<Admission | null> {
  const { state, ...visitor } = await visitorOf(secrets, { site, known, ...input });
  const isWelcome = state === 'known' || (state === 'anonymous' && site.visibility !== 'visitor-auth');
  return isWelcome ? visitor : null;
}

interface Refused extends Pick<VisitorInput, 'jwtToken'> {
  /** The segments of the page. */
  rest: string[];
  redirectOnError: boolean;
}

/** Where visitors of a site sign in: at its integration, or at the fallback URL. */
export function signInOf(
  { config }: HasConfig,
  { site, known }: { site: SiteDocument; known: PublishingDocument | null },
): string | undefined {
  return known?.backend === 'integration' ? visitorAuthenticationUrl(config, site._id) : known?.fallbackURL;
}

/** The URL to sign in at, for visitors without a JWT, and on request for those with an invalid one. Throws 401 for all others. */
function redirectTo(signIn: string | undefined, { rest, jwtToken, redirectOnError }: Refused): string {
  if (signIn && (redirectOnError || !jwtToken)) {
    const url = new URL(signIn);
    url.searchParams.set('location', `/${rest.map(readable).join('/')}`);
    return url.href;
  }
  throw apiError(
    'UNAUTHENTICATED',
    jwtToken ? 'The visitor token is not valid' : 'Visitors of this site need a token',
    'visitor_unauthenticated',
  );
}

interface Visit {
  call: Call;
  asked: Asked;
  hosted: Hosted;
  /** The number of segments that name the site and the way in. */
  used: number;
  visitor: Admission;
}

interface Resolution extends Omit<Visit, 'call'> {
  seen: Seen;
  located: Located;
  other: OtherContent;
  canonicalUrl: string;
}

async function contentAt(
  deps: HasConfig & HasVisibleSites & { previewTokens: SignedTokens },
  { call, ...visit }: Visit,
): Promise<ResolvedURL> {
  const { asked, hosted, used, visitor } = visit;
  const seen = await deps.visibleSites.seenBy(hosted.site, visitor.claims);
  const located = locate(seen, asked.segments.slice(used));
  if (!located) throw nothingThere();
  const other = await otherContentAt({ call, located, visitor });
  const { placed, rest } = located;
  const { site, publisher } = hosted;
  const addresses = await canonicalURLs(deps, { site, publisher, structure: seen.whole, visitor });
  const addressOf = (target: Target) => withPortAsAsked(addresses(target), asked);
  const canonicalUrl = addressOf({ placed, rest });
  if (!visitor.preview) {
    if (hosted.naming || located.naming) return { target: 'content', redirect: canonicalUrl };
    const former = formerTarget(seen, located);
    if (former) {
      const path = rest.map(readable).join('/');
      const found = await call(findPage, { space: placed.siteSpace.space, path, claims: visitor.claims });
      if (!found?.page && !found?.redirect) return { target: 'content', redirect: addressOf(former) };
    }
  }
  return contentOf({ ...visit, seen, located, other, canonicalUrl });
}

/** A renderer asks without the port of the base URL, refuses addresses with one, and makes its links from what it is answered. */
function withPortAsAsked(address: string, { host, withPort }: Asked): string {
  const url = new URL(address);
  if (withPort || url.hostname !== host) return address;
  url.port = '';
  return url.href;
}

function contentOf({
  asked,
  hosted,
  used: entered,
  visitor,
  seen,
  located,
  other,
  canonicalUrl,
}: Resolution): ResolvedURL {
  const { site } = hosted;
  const { placed, rest, used } = located;
  const { changeRequest, revision } = other;
  const { siteSpace, section } = placed;
  const prefix = (segments: number) => asked.segments.slice(0, segments).map((segment) => `${segment}/`);
  const contextId = contextIdOf(visitor.claims);
  const shown = {
    organization: site.organization,
    site: site._id,
    ...(section ? { siteSection: section.id } : {}),
    siteSpace: siteSpace.id,
    space: siteSpace.space,
  };
  const spaces = readableSpaces(seen, placed);
  const content = omitUndefined({
    ...shown,
    shareKey: visitor.shareKey || undefined,
    changeRequest: changeRequest?.space === siteSpace.space ? changeRequest.id : undefined,
    revision: revision ? revision.id : undefined,
    pathname: rest.map(readable).join('/'),
    basePath: `/${prefix(entered + used).join('')}`,
    siteBasePath: `/${prefix(entered).join('')}`,
    complete: located.complete && !hosted.further,
    contextId: contextId || undefined,
    canonicalUrl,
  });
  return { shown: content, visitor: { kind: 'content', ...shown, spaces, ...visitor, ...other }, site };
}

/** A content token is sent with every request, so that of a large site it names only the spaces nearest to the requested one. */
const maxSpaces = 100;

function readableSpaces({ structure, spaces }: Seen, { siteSpace, section }: PlacedSiteSpace): string[] {
  const shown = sectionsOf(structure).find(({ id }) => id === section?.id) ?? null;
  const near = siteSpacesIn(structure, shown)
    .items.slice(0, maxSpaces)
    .map(({ space }) => space);
  return [...new Set([siteSpace.space, ...near, ...spaces.slice(0, maxSpaces)])].slice(0, maxSpaces);
}
