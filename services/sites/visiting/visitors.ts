import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { BodyOf } from '../../../shared/contract/operation.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { Secrets } from '../../../shared/secrets/secrets.js';
import type { Store } from '../../../shared/store/port.js';
import { sortKeys } from '../../../shared/text/canonical.js';
import { sha256 } from '../../../shared/values/ids.js';
import type { publishedOperations } from '../contract/visiting.js';
import { type Claims, declaredClaims } from '../publishing/adaptive-schema.js';
import { type PublishingDocument, publishing } from '../publishing/model.js';
import type { SiteDocument } from '../site/model.js';

/** Details that a request gives about its visitor. */
export type VisitorInput = NonNullable<BodyOf<typeof publishedOperations.resolvePublishedContentByUrl>['visitor']>;

export interface Visitor {
  /** `anonymous`: without a JWT; `unknown`: with an invalid one. */
  state: 'known' | 'anonymous' | 'unknown';
  claims: Claims;
  /** The key that signed a known visitor's JWT, by its mark, and when the JWT expires, in epoch seconds. */
  signedBy?: string;
  until?: number;
}

/** Characters of claims in JSON: every content token contains them. */
const maxClaims = 4096;

const maxDepth = 12;

const aboutTheToken = ['exp', 'iat', 'nbf'];

/** Distinguishes the private key of a site from earlier ones. */
export const keyMark = ({ sealed }: Pick<PublishingDocument, 'sealed'>): string => sha256(sealed).slice(0, 16);

/** The payload of a JWT signed with the private key of a site (HS256); null for any other. */
async function signedPayload(
  token: string,
  { sealed }: PublishingDocument,
  secrets: Secrets,
): Promise<JWTPayload | null> {
  try {
    return (await jwtVerify(token, Buffer.from(secrets.decrypt(sealed)), { algorithms: ['HS256'] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Reads how a site identifies its visitors; null when nothing is stored, or when none of it concerns this visitor. */
export async function publishingFor(
  store: Store,
  { site, jwtToken, unsignedClaims = {} }: VisitorInput & { site: SiteDocument },
): Promise<PublishingDocument | null> {
  const hasClaims = site.adaptiveContent && !isEmpty(unsignedClaims);
  if (!jwtToken && !hasClaims && site.visibility !== 'visitor-auth') return null;
  return store.get(publishing, site._id);
}

interface Visited extends VisitorInput {
  site: Pick<SiteDocument, 'adaptiveContent'>;
  /** How the site identifies its visitors. */
  known: PublishingDocument | null;
}

/** Identifies a visitor of a site. Throws 400 for more claims than fit into a token. */
export async function visitorOf(
  secrets: Secrets,
  { site: { adaptiveContent }, known, jwtToken, unsignedClaims = {} }: Visited,
): Promise<Visitor> {
  const payload = jwtToken && known ? await signedPayload(jwtToken, known, secrets) : null;
  const signed = Object.entries(payload ?? {}).filter(([name]) => !aboutTheToken.includes(name));
  const claims = adaptiveContent ? claimsOf(known, { ...Object.fromEntries(signed), unsigned: unsignedClaims }) : {};
  if (!payload || !known) return { state: jwtToken ? 'unknown' : 'anonymous', claims };
  const until = payload.exp === undefined ? {} : { until: Math.floor(payload.exp) };
  return { state: 'known', claims, signedBy: keyMark(known), ...until };
}

/** The claims that conditions can read: the declared ones. */
export function claimsOf(known: Pick<PublishingDocument, 'schema'> | null, given: Claims): Claims {
  if (isDeeper(given, maxDepth)) throw invalid(`visitor: claims deeper than ${maxDepth} levels`);
  const claims = declaredClaims(known?.schema, given);
  if (isEmpty(claims.unsigned)) delete claims.unsigned;
  if (JSON.stringify(claims).length > maxClaims) throw invalid(`visitor: more than ${maxClaims} characters of claims`);
  return claims;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The same for the same claims in any order; undefined without claims. */
export const contextIdOf = (claims: Claims): string | undefined =>
  Object.keys(claims).length === 0 ? undefined : sha256(JSON.stringify(sortKeys(claims))).slice(0, 24);
