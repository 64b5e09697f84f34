import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { sortKeys } from '../text/canonical.js';
import type { Secrets } from './secrets.js';

/** JWTs that this installation signs for itself (HS256), for one purpose. */
export interface SignedTokens {
  /** Valid for `seconds` from `from` (epoch seconds, now by default); equal payloads and times give equal tokens. */
  sign(payload: JWTPayload, seconds: number, from?: number): Promise<string>;
  /** The payload; null for a token that is expired, was changed, or was not signed here. */
  verify(token: string): Promise<JWTPayload | null>;
}

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

export function signedTokens(secrets: Secrets, { purpose, issuer }: { purpose: string; issuer: string }): SignedTokens {
  const { kid, key } = secrets.keyFor(purpose);
  const keys = secrets.keysFor(purpose);
  const findKey = (header: { kid?: string | undefined }) => {
    const known = keys.get(header.kid ?? '');
    if (!known) throw new errors.JWKSNoMatchingKey();
    return known;
  };
  return {
    sign: (payload, seconds, from = epochSeconds()) =>
      new SignJWT(sortKeys(payload))
        .setProtectedHeader({ alg: 'HS256', kid })
        .setIssuer(issuer)
        .setIssuedAt(from)
        .setExpirationTime(from + seconds)
        .sign(key),
    async verify(token) {
      try {
        return (await jwtVerify(token, findKey, { algorithms: ['HS256'], issuer, requiredClaims: ['exp'] })).payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
