import type { Caller, ContentCaller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { apiError, invalid, notFound } from '../../shared/errors.js';
import { epochSeconds } from '../../shared/secrets/signed-tokens.js';
import { authenticate } from '../identity/contract.js';
import { type Asked, parseURL, siteNamed } from './hosts.js';
import { readable } from './locate.js';
import type { SiteDocument } from './model.js';
import { publishing } from './model-publishing.js';
import type { PublishingRules } from './publishing-rules.js';
import { siteKind } from './resources.js';
import { parseClaims } from './rison.js';
import type { Looking } from './rules.js';
import { resolveSites, siteOf } from './sites.js';
import { siteSpacesOf } from './structure.js';
import { urlsBelow } from './urls.js';
import type { Claims } from './visible.js';
import { claimsOf, type VisitorInput, visitorOf } from './visitors.js';

/** Seconds that a preview URL is valid. */
const lifetime = 3600;

/** The host under which those who may change a site preview it with their API token: `https://preview/<site id>/`. */
const previewHost = 'preview';

/** Where preview URLs begin: a place of their own, below which no address is one of a site. */
const previewPlace = ({ baseUrl, PUBLISH_DOMAIN }: PublishingRules['config']): string =>
  PUBLISH_DOMAIN === undefined ? `${baseUrl}/${previewHost}/` : `https://${previewHost}.${PUBLISH_DOMAIN}/`;

/** A visitor of a preview: as whom, by what and until when. */
export type Previewer = Pick<ContentCaller, 'claims' | 'until'> & { preview: NonNullable<ContentCaller['preview']> };

type Previewing = Pick<ContentCaller, 'site'> & Previewer;

/**
 * Where one preview begins: with its token alone. Renderers take the shortest address that is complete, hence never the
 * site's own, and as few segments as can be.
 */
async function startOf(
  { config, previews }: PublishingRules,
  { site, claims, until, preview }: Previewing,
): Promise<string> {
  if (preview.apiToken !== undefined) return `https://${previewHost}/${site}/`;
  const end = until ?? epochSeconds() + lifetime;
  return `${previewPlace(config)}${await previews.sign({ site, claims }, lifetime, end - lifetime)}/`;
}

/** Where the parts of a site are for who previews it. */
export const previewURLs = async (
  rules: PublishingRules,
  previewing: Previewing,
  structure: Parameters<typeof urlsBelow>[1],
) => urlsBelow(await startOf(rules, previewing), structure);

/** A URL that shows a site, published or not, as the visitor that `claims` describe. */
export async function previewURL(
  rules: PublishingRules,
  id: string,
  { siteSpace, claims: given }: { siteSpace?: string | undefined; claims?: string | undefined },
): Promise<{ url: string }> {
  const site = await siteOf(rules.store, id);
  const [structure, known] = await Promise.all([rules.structures.of(site), rules.store.get(publishing, id)]);
  const placed = siteSpacesOf(structure).find(({ variant }) => variant.id === siteSpace);
  if (siteSpace !== undefined && !placed) throw invalid('siteSpace: no such site space on this site');
  const claims = claimsOf(known, given === undefined ? {} : parseClaims(given));
  const urls = await previewURLs(rules, { site: id, claims, preview: {} }, structure);
  return { url: placed ? urls.siteSpace(placed) : urls.site };
}

/** A preview that a URL leads to. */
export interface Previewed {
  site: SiteDocument;
  /** Segments that name it. */
  used: number;
  visitor: Previewer;
}

/** Null for a URL outside the places of previews; 404 for one inside that names none, 401 for one that needs an API token. */
export async function previewAt(
  rules: PublishingRules,
  { caller }: Pick<Looking, 'caller'>,
  asked: Asked,
  input: VisitorInput,
): Promise<Previewed | null> {
  if (asked.host === previewHost) return previewByToken(rules, caller, asked, input);
  const place = parseURL(previewPlace(rules.config));
  const at = place.segments.length;
  const isSame = (segment: string, each: number) => asked.segments[each]?.toLowerCase() === segment.toLowerCase();
  if (asked.host !== place.host || !place.segments.every(isSame)) return null;
  const payload = await rules.previews.verify(asked.segments[at] ?? '');
  if (!payload) throw nothingThere();
  const { site, claims, exp: until } = payload as { site: string; claims: Claims; exp: number };
  return { site: await siteOf(rules.store, site), used: at + 1, visitor: { claims, until, preview: {} } };
}

const nothingThere = () => notFound('Published content');

async function previewByToken(
  rules: PublishingRules,
  caller: Caller,
  { segments: [first] }: Asked,
  input: VisitorInput,
): Promise<Previewed> {
  if (first === undefined) throw nothingThere();
  if (caller.kind !== 'user')
    throw apiError('UNAUTHENTICATED', `https://${previewHost}/ needs an API token: Authorization: Bearer <token>`);
  const site = await siteNamed(rules.store, readable(first));
  if (!site || !(await mayPreview(rules, caller, site._id))) throw nothingThere();
  const known = await rules.store.get(publishing, site._id);
  const { claims } = await visitorOf(rules.secrets, site, known, input);
  return { site, used: 1, visitor: { claims, preview: { apiToken: caller.token } } };
}

/** The right that making a preview URL needs: a preview shows spaces that its reader need not be able to read in the app. */
async function mayPreview({ store }: PublishingRules, caller: Caller, site: string): Promise<boolean> {
  const [access] = await resolveSites(store, { caller, ids: [site] });
  return access != null && access.refused === undefined && siteKind.rights.admin.some((role) => role === access.role);
}

/** Whether an API token, by its id, still previews a site. */
export async function mayPreviewBy(
  rules: PublishingRules,
  call: Call,
  site: string,
  apiToken: string,
): Promise<boolean> {
  const known = await call(authenticate, { id: apiToken });
  return known !== null && mayPreview(rules, known.caller, site);
}
