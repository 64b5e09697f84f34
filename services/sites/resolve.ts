import type { ContentCaller } from '../../shared/contract/caller.js';
import { apiError, notFound } from '../../shared/errors.js';
import { findPage } from '../content/contract.js';
import { addressesOf } from './addresses.js';
import { formerTarget } from './former-target.js';
import { type Asked, type Hosted, parseURL, siteAt } from './hosts.js';
import { type Located, locate, readable } from './locate.js';
import type { SiteDocument } from './model.js';
import { type PublishingDocument, publishing } from './model-publishing.js';
import { organizationOf } from './present.js';
import { previewAt } from './preview.js';
import type { PublishingRules } from './publishing-rules.js';
import type { PublishedContent } from './resources.js';
import type { Looking } from './rules.js';
import { isActiveKey, looksLikeKey } from './share-keys.js';
import { type Placed, sectionsOf } from './structure.js';
import type { Seen } from './visible.js';
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
  looking: Pick<Looking, 'call' | 'caller'>,
  { url, redirectOnError, visitor: input = {} }: PublishedURL,
): Promise<PublishedContent> {
  const asked = parseURL(url);
  const preview = await previewAt(rules, looking, asked, input);
  if (preview) {
    const { site, used, visitor } = preview;
    const organization = await organizationOf(looking, site.organization);
    return contentAt(rules, looking, { asked, hosted: { site, organization, used, ...unnamed }, used, visitor });
  }
  const hosted = await siteAt(rules, looking, asked);
  if (!hosted) throw nothingThere();
  const { site } = hosted;
  const [entry, known] = await Promise.all([entryOf(rules, hosted, asked), rules.store.get(publishing, site._id)]);
  const visitor = await admitted(rules, site, known, input);
  if (!visitor) {
    const rest = asked.segments.slice(entry.used);
    return { target: 'external', redirect: fallbackOf(known, rest, input, redirectOnError) };
  }
  const { used, ...by } = entry;
  return contentAt(rules, looking, { asked, hosted, used, visitor: { ...visitor, ...by } });
}

const unnamed = { further: false, naming: false };

/** How a visitor came into a site. */
interface Entry {
  shareKey?: string;
  /** Segments of the path up to here, those that name the site among them. */
  used: number;
}

/** The key of a share link may come first. */
async function entryOf(rules: PublishingRules, { site, used }: Hosted, { segments }: Asked): Promise<Entry> {
  const first = segments[used];
  if (!site.published) throw nothingThere();
  if (first !== undefined && looksLikeKey(first) && (await isActiveKey(rules.store, site._id, first)))
    return { shareKey: first, used: used + 1 };
  if (site.visibility === 'share-link') throw nothingThere();
  return { used };
}

/** Who came in, and by what: what its token is to carry. */
type Admission = Pick<ContentCaller, 'claims' | 'shareKey' | 'signedBy' | 'until' | 'preview'>;

/** A visitor that may come in; null for one that has to sign in first. */
async function admitted(
  { secrets }: PublishingRules,
  site: SiteDocument,
  known: PublishingDocument | null,
  input: VisitorInput,
): Promise<Admission | null> {
  const { state, ...visitor } = await visitorOf(secrets, site, known, input);
  const welcome = state === 'known' || (state === 'anonymous' && site.visibility !== 'visitor-auth');
  return welcome ? visitor : null;
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

interface Visit {
  asked: Asked;
  hosted: Hosted;
  /** Segments that name the site and the way in. */
  used: number;
  visitor: Admission;
}

interface Resolution extends Visit {
  seen: Seen;
  located: Located;
}

async function contentAt(
  rules: PublishingRules,
  { call }: Pick<Looking, 'call'>,
  visit: Visit,
): Promise<PublishedContent> {
  const { asked, hosted, used, visitor } = visit;
  const seen = await rules.visible.seenBy(hosted.site, visitor.claims);
  const located = locate(seen, asked.segments.slice(used));
  if (!located) throw nothingThere();
  const { placed, rest } = located;
  const addressOf = await addressesOf(rules, hosted, seen.whole, visitor);
  const canonicalUrl = addressOf({ placed, rest });
  if (!visitor.preview && !located.preview) {
    if (hosted.naming || located.naming) return { target: 'content', redirect: canonicalUrl };
    const former = formerTarget(seen, located);
    if (former) {
      const path = rest.map(readable).join('/');
      const found = await call(findPage, { space: placed.variant.space, path, claims: visitor.claims });
      if (!found?.page && !found?.redirect) return { target: 'content', redirect: addressOf(former) };
    }
  }
  return contentOf(rules, { ...visit, seen, located }, canonicalUrl);
}

async function contentOf(
  { contents }: PublishingRules,
  { asked, hosted, used: entered, visitor, seen, located }: Resolution,
  canonicalUrl: string,
): Promise<PublishedContent> {
  const { site } = hosted;
  const { placed, preview, rest, used } = located;
  const { variant, section } = placed;
  const prefix = (segments: number) => asked.segments.slice(0, segments).map((segment) => `${segment}/`);
  const contextId = contextIdOf(visitor.claims);
  const shown = {
    organization: site.organization,
    site: site._id,
    ...(section ? { siteSection: section.id } : {}),
    siteSpace: variant.id,
    space: variant.space,
  };
  const spaces = readableSpaces(seen, placed);
  return {
    ...shown,
    ...(visitor.shareKey ? { shareKey: visitor.shareKey } : {}),
    ...(preview ? { [preview.kind === 'changes' ? 'changeRequest' : 'revision']: preview.id } : {}),
    pathname: rest.map(readable).join('/'),
    basePath: `/${prefix(entered + used).join('')}`,
    siteBasePath: `/${prefix(entered).join('')}`,
    apiToken: await contents.sign({ kind: 'content', ...shown, spaces, ...visitor }),
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
