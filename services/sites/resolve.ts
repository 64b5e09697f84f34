import { apiError, notFound } from '../../shared/errors.js';
import { findPage } from '../content/contract.js';
import { addressesOf } from './addresses.js';
import { formerTarget } from './former-target.js';
import { type Asked, type Hosted, parseURL, siteAt } from './hosts.js';
import { type Located, locate, readable } from './locate.js';
import type { SiteDocument } from './model.js';
import { type PublishingDocument, publishing } from './model-publishing.js';
import { previewedClaims } from './preview.js';
import type { PublishingRules } from './publishing-rules.js';
import type { PublishedContent } from './resources.js';
import type { Looking } from './rules.js';
import { isActiveKey, looksLikeKey } from './share-keys.js';
import { type Placed, sectionsOf } from './structure.js';
import type { Claims, Seen } from './visible.js';
import { contextIdOf, type VisitorInput, visitorOf } from './visitors.js';

export interface PublishedURL {
  url: string;
  redirectOnError: boolean;
  visitor?: VisitorInput | undefined;
}

const nothingThere = () => notFound('Published content');

/** What a URL means to a visitor. 404 for what is not there or not for this visitor, 401 for a JWT that does not count. */
export async function resolvePublished(
  rules: PublishingRules,
  looking: Pick<Looking, 'call'>,
  { url, redirectOnError, visitor = {} }: PublishedURL,
): Promise<PublishedContent> {
  const asked = parseURL(url);
  const hosted = await siteAt(rules, looking, asked);
  if (!hosted) throw nothingThere();
  const { site } = hosted;
  const [entry, known] = await Promise.all([entryOf(rules, hosted, asked), rules.store.get(publishing, site._id)]);
  const rest = asked.segments.slice(entry.used);
  const claims = entry.claims ?? (await admitted(rules, site, known, visitor));
  if (!claims) return { target: 'external', redirect: fallbackOf(known, rest, visitor, redirectOnError) };
  const seen = await rules.visible.seenBy(site, claims);
  const located = locate(seen, rest);
  if (!located) throw nothingThere();
  return answerOf(rules, looking, { asked, hosted, entry, claims, seen, located });
}

/** How a visitor came into a site. */
interface Entry {
  shareKey?: string;
  /** Of a preview URL: who it stands for. */
  claims?: Claims;
  /** Segments of the path up to here, those that name the site among them. */
  used: number;
}

/** A preview token or the key of a share link may come first. */
async function entryOf(rules: PublishingRules, { site, used }: Hosted, { segments }: Asked): Promise<Entry> {
  const first = segments[used];
  const claims = first === undefined ? null : await previewedClaims(rules, site._id, first);
  if (claims) return { claims, used: used + 1 };
  if (!site.published) throw nothingThere();
  if (first !== undefined && looksLikeKey(first) && (await isActiveKey(rules.store, site._id, first)))
    return { shareKey: first, used: used + 1 };
  if (site.visibility === 'share-link') throw nothingThere();
  return { used };
}

/** What is known of a visitor that may come in; null for one that has to sign in first. */
async function admitted(
  { secrets }: PublishingRules,
  site: SiteDocument,
  known: PublishingDocument | null,
  input: VisitorInput,
): Promise<Claims | null> {
  const { state, claims } = await visitorOf(secrets, site, known, input);
  const welcome = state === 'known' || (state === 'anonymous' && site.visibility !== 'visitor-auth');
  return welcome ? claims : null;
}

/** Where to sign in: without a JWT always, with one that does not count when the caller wants it. */
function fallbackOf(
  known: PublishingDocument | null,
  rest: string[],
  { jwtToken }: VisitorInput,
  redirectOnError: boolean,
): string {
  if (known?.fallbackURL && (redirectOnError || !jwtToken)) {
    const url = new URL(known.fallbackURL);
    url.searchParams.set('location', `/${rest.map(readable).join('/')}`);
    return url.href;
  }
  throw apiError('UNAUTHENTICATED', jwtToken ? 'The visitor token is not valid' : 'Visitors of this site need a token');
}

interface Resolution {
  asked: Asked;
  hosted: Hosted;
  entry: Entry;
  claims: Claims;
  seen: Seen;
  located: Located;
}

async function answerOf(
  rules: PublishingRules,
  { call }: Pick<Looking, 'call'>,
  resolution: Resolution,
): Promise<PublishedContent> {
  const { hosted, entry, claims, seen, located } = resolution;
  const { placed, rest } = located;
  const addressOf = addressesOf(rules.config, hosted, seen.whole, entry.shareKey);
  const canonicalUrl = addressOf({ placed, rest });
  if (!entry.claims && !located.preview) {
    if (hosted.naming || located.naming) return { target: 'content', redirect: canonicalUrl };
    const former = formerTarget(seen, located);
    if (former) {
      const path = rest.map(readable).join('/');
      const found = await call(findPage, { space: placed.variant.space, path, claims });
      if (!found?.page) return { target: 'content', redirect: addressOf(former) };
    }
  }
  return contentOf(rules, resolution, canonicalUrl);
}

async function contentOf(
  { contents }: PublishingRules,
  { asked, hosted, entry, claims, seen, located }: Resolution,
  canonicalUrl: string,
): Promise<PublishedContent> {
  const { site } = hosted;
  const { placed, preview, rest, used } = located;
  const { variant, section } = placed;
  const prefix = (segments: number) => asked.segments.slice(0, segments).map((segment) => `${segment}/`);
  const contextId = contextIdOf(claims);
  const shown = {
    organization: site.organization,
    site: site._id,
    ...(section ? { siteSection: section.id } : {}),
    siteSpace: variant.id,
    space: variant.space,
    ...(entry.shareKey ? { shareKey: entry.shareKey } : {}),
  };
  const spaces = readableSpaces(seen, placed);
  return {
    ...shown,
    ...(preview ? { [preview.kind === 'changes' ? 'changeRequest' : 'revision']: preview.id } : {}),
    pathname: rest.map(readable).join('/'),
    basePath: `/${prefix(entry.used + used).join('')}`,
    siteBasePath: `/${prefix(entry.used).join('')}`,
    apiToken: await contents.sign({ kind: 'content', ...shown, spaces, claims }),
    complete: located.complete && !hosted.further,
    ...(contextId ? { contextId } : {}),
    canonicalUrl,
  };
}

/** A content token is sent with every request: of a large site it names the spaces nearest to the one it came for. */
const mostSpaces = 100;

function readableSpaces({ structure, spaces }: Seen, { variant, section }: Placed): string[] {
  const shown = sectionsOf(structure).find(({ id }) => id === section?.id);
  const near = (shown?.variants ?? structure.siteSpaces).items.slice(0, mostSpaces).map(({ space }) => space);
  return [...new Set([variant.space, ...near, ...spaces.slice(0, mostSpaces)])].slice(0, mostSpaces);
}
