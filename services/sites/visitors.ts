import { errors, jwtVerify } from 'jose';
import { invalid } from '../../shared/errors.js';
import { sha256 } from '../../shared/ids.js';
import type { Secrets } from '../../shared/secrets.js';
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
}

/** Bytes; a content token carries them along. */
const mostClaims = 4096;

const deepestClaims = 12;

const aboutTheToken = ['exp', 'iat', 'nbf'];

/** The payload of a JWT that a site's private key signed (HS256); null for any other. */
async function signedClaims(token: string, { sealed }: PublishingDocument, secrets: Secrets): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secrets.decrypt(sealed)), { algorithms: ['HS256'] });
    return Object.fromEntries(Object.entries(payload).filter(([name]) => !aboutTheToken.includes(name)));
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
  const signed = jwtToken && known ? await signedClaims(jwtToken, known, secrets) : null;
  const state = signed ? 'known' : jwtToken ? 'unknown' : 'anonymous';
  if (!adaptiveContent) return { state, claims: {} };
  return { state, claims: claimsOf(known, { ...signed, unsigned: unsignedClaims }) };
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
  Object.keys(claims).length === 0 ? undefined : sha256(JSON.stringify(sorted(claims))).slice(0, 24);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
