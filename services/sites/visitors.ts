import { errors, type JWTPayload, jwtVerify } from 'jose';
import { invalid } from '../../shared/errors.js';
import { sha256 } from '../../shared/ids.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import { canonical } from '../../shared/text/canonical.js';
import { declaredClaims } from './adaptive-schema.js';
import type { SiteDocument } from './model.js';
import type { PublishingDocument } from './model-publishing.js';
import type { Claims } from './visible.js';

/** What a visitor brings along. */
export interface VisitorInput {
  jwtToken?: string | undefined;
  unsignedClaims?: Claims | undefined;
}

export interface Visitor {
  /** `anonymous`: brought no JWT; `unknown`: one that does not count. */
  state: 'known' | 'anonymous' | 'unknown';
  claims: Claims;
  /** Of one that is known: the mark of the key that signed its JWT, and when that ends, in epoch seconds. */
  signedBy?: string;
  until?: number;
}

/** Bytes; a content token carries them along. */
const mostClaims = 4096;

const deepestClaims = 12;

const aboutTheToken = ['exp', 'iat', 'nbf'];

/** Tells the private key of a site from those before it. */
export const keyMark = ({ sealed }: Pick<PublishingDocument, 'sealed'>): string => sha256(sealed).slice(0, 16);

/** The payload of a JWT that a site's private key signed (HS256); null for any other. */
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

/** Who a visitor is to a site. 400 for more claims than fit into a token. */
export async function visitorOf(
  secrets: Secrets,
  { adaptiveContent }: Pick<SiteDocument, 'adaptiveContent'>,
  known: PublishingDocument | null,
  { jwtToken, unsignedClaims = {} }: VisitorInput,
): Promise<Visitor> {
  const payload = jwtToken && known ? await signedPayload(jwtToken, known, secrets) : null;
  const signed = Object.entries(payload ?? {}).filter(([name]) => !aboutTheToken.includes(name));
  const claims = adaptiveContent ? claimsOf(known, { ...Object.fromEntries(signed), unsigned: unsignedClaims }) : {};
  if (!payload || !known) return { state: jwtToken ? 'unknown' : 'anonymous', claims };
  const until = payload.exp === undefined ? {} : { until: Math.floor(payload.exp) };
  return { state: 'known', claims, signedBy: keyMark(known), ...until };
}

/** What conditions read of claims; nothing that is not declared. */
export function claimsOf(known: Pick<PublishingDocument, 'schema'> | null, given: Claims): Claims {
  if (isDeeper(given, deepestClaims)) throw invalid(`visitor: claims deeper than ${deepestClaims} levels`);
  const claims = declaredClaims(known?.schema, given);
  if (isEmpty(claims.unsigned)) delete claims.unsigned;
  if (JSON.stringify(claims).length > mostClaims)
    throw invalid(`visitor: more than ${mostClaims} characters of claims`);
  return claims;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The same for the same claims, in whatever order; undefined without any. */
export const contextIdOf = (claims: Claims): string | undefined =>
  Object.keys(claims).length === 0 ? undefined : sha256(JSON.stringify(canonical(claims))).slice(0, 24);
