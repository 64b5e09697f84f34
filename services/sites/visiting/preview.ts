import type { Caller, ContentCaller } from '../../../shared/contract/caller.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError, notFound } from '../../../shared/errors/errors.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { epochSeconds, type SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { authenticate } from '../../identity/contract.js';
import type { Claims } from '../publishing/adaptive-schema.js';
import { resolveShownContent } from '../sections/shown-content.js';
import { type SiteDocument, siteOf } from '../site/model.js';
import { shownContentKind } from '../site/resources.js';
import { type HasConfig, previewHost, previewPlace, previewURL } from '../site/urls.js';
import type { Structure } from '../structure/structure.js';
import { type SiteURLs, urlsBelow } from '../structure/urls.js';
import { type Asked, parseURL, siteNamed } from './hosts.js';
import { readable } from './locate.js';
import { publishingFor, type VisitorInput, visitorOf } from './visitors.js';

/** Seconds that a preview URL is valid. */
const lifetime = 3600;

/** A visitor of a preview: its claims, how it was admitted, and until when. */
export type Previewer = Pick<ContentCaller, 'claims' | 'until'> & { preview: NonNullable<ContentCaller['preview']> };

/** Contents of the token of a preview URL. */
interface PreviewPayload extends Omit<Previewer['preview'], 'apiToken'> {
  site: string;
  claims: Claims;
  exp: number;
}

type Previewing = Pick<ContentCaller, 'site'> & Previewer;

type Deps = HasConfig & { previewTokens: SignedTokens };

/**
 * The URL where one preview begins: only its token follows the place of previews. Renderers use the shortest complete URL, so it
 * has as few segments as possible and never contains the URL of the site itself.
 */
async function startOf({ config, previewTokens }: Deps, { site, claims, until, preview }: Previewing): Promise<string> {
  if (preview.apiToken !== undefined) return previewURL(site);
  const end = until ?? epochSeconds() + lifetime;
  return `${previewPlace(config)}${await previewTokens.sign({ site, claims, ...preview }, lifetime, end - lifetime)}/`;
}

/** The URLs of a site and its parts in a preview. */
export const previewURLs = async (
  deps: Deps,
  { structure, ...previewing }: Previewing & { structure: Pick<Structure, 'defaultSection'> },
): Promise<SiteURLs> => urlsBelow(await startOf(deps, previewing), structure);

/** A preview that a URL leads to. */
export interface Previewed {
  site: SiteDocument;
  /** The number of segments that name it. */
  used: number;
  visitor: Previewer;
}

interface PreviewRequest {
  caller: Caller;
  asked: Asked;
  input: VisitorInput;
}

/**
 * The preview that a URL leads to; null for a URL outside the places of previews. Throws 404 for a URL inside that leads to none,
 * 401 for one that needs an API token.
 */
export async function previewAt(
  deps: HasStore & HasConfig & HasSecrets & HasCallAs & { previewTokens: SignedTokens },
  { caller, asked, input }: PreviewRequest,
): Promise<Previewed | null> {
  if (asked.host === previewHost) return previewByToken(deps, { caller, asked, input, at: 0 });
  const place = parseURL(previewPlace(deps.config));
  const at = place.segments.length;
  const isSame = (segment: string, each: number) => asked.segments[each]?.toLowerCase() === segment.toLowerCase();
  if (asked.host !== place.host || !place.segments.every(isSame)) return null;
  const first = asked.segments[at] ?? '';
  if (isSiteId(first)) return previewByToken(deps, { caller, asked, input, at });
  const payload = await deps.previewTokens.verify(first);
  if (!payload) throw nothingThere();
  const { site, claims, by, changeRequest, exp: until } = payload as unknown as PreviewPayload;
  const preview = omitUndefined({ by, changeRequest: changeRequest || undefined });
  return { site: await siteOf(deps.store, site), used: at + 1, visitor: { claims, until, preview } };
}

const nothingThere = () => notFound('Published content');
const isSiteId = (segment: string) => /^site_[0-9a-z]+$/i.test(segment);

async function previewByToken(
  deps: HasStore & HasSecrets & HasCallAs,
  { caller, asked, input, at }: PreviewRequest & { at: number },
): Promise<Previewed> {
  const { store, secrets } = deps;
  const first = asked.segments[at];
  if (first === undefined) throw nothingThere();
  if (caller.kind !== 'user')
    throw apiError('UNAUTHENTICATED', 'A preview needs an API token: Authorization: Bearer <token>');
  const site = await siteNamed(store, readable(first));
  if (!site || !(await mayPreview(deps, caller, site))) throw nothingThere();
  const known = await publishingFor(store, { site, ...input });
  const { claims } = await visitorOf(secrets, { site, known, ...input });
  return { site, used: at + 1, visitor: { claims, preview: { apiToken: caller.token } } };
}

type Opening = HasStore & HasCallAs;

/** Whether a caller has the right to make preview URLs: a preview shows spaces that its visitor need not be able to read. */
async function mayPreview(deps: Opening, caller: Caller, { _id }: SiteDocument): Promise<boolean> {
  const [access] = await resolveShownContent(deps, { caller, ids: [_id] });
  return !!access && !access.refused && shownContentKind.rights.publish.some((role) => role === access.role);
}

/** Whether an API token, by its id, still has the right to preview a site. */
export async function mayPreviewBy(
  deps: Opening,
  { call, site, apiToken }: { call: Call; site: SiteDocument; apiToken: string },
): Promise<boolean> {
  const known = await call(authenticate, { id: apiToken });
  return known !== null && mayPreview(deps, known.caller, site);
}
