import type { JWTPayload } from 'jose';
import type { Secrets } from '../secrets/secrets.js';
import { epochSeconds, signedTokens } from '../secrets/signed-tokens.js';
import type { ContentCaller } from './caller.js';

/**
 * Seconds. Renderers use the token as a cache key, so a visitor gets the same token for a whole window. It stays valid for
 * one more window, so that a token issued late in its window still lasts.
 */
const windowLength = 1800;
const lifetime = 2 * windowLength;

/** The tokens that visitors of a published site read it with. */
export interface ContentTokens {
  sign(visitor: ContentCaller): Promise<string>;
  /**
   * Null for an expired token or one that was not signed here; `expiresAt` is a timestamp. Whether the visitor still has
   * access is not checked: the sites service decides that.
   */
  verify(token: string): Promise<{ caller: ContentCaller; expiresAt: string } | null>;
}

/** Whether a bearer token has the form of a JWT. */
export const looksSigned = (token: string): boolean => token.startsWith('eyJ') && token.split('.').length === 3;

export function contentTokens(secrets: Secrets, issuer: string): ContentTokens {
  const tokens = signedTokens(secrets, { purpose: 'content-token', issuer });
  return {
    sign({ kind: _, until, ...visitor }) {
      const from = epochSeconds() - (epochSeconds() % windowLength);
      // An end after the token's own expiry is left out: it would give visitors who read the same different tokens.
      const ending = until !== undefined && (visitor.preview || until < from + lifetime) ? { until } : {};
      return tokens.sign({ kind: 'site', ...visitor, ...ending, rateLimitMultiplier: 1 }, lifetime, from);
    },
    async verify(token) {
      const payload = await tokens.verify(token);
      if (payload?.kind !== 'site') return null;
      const caller = callerIn(payload);
      const end = Math.min(Number(payload.exp), caller.until ?? Number.POSITIVE_INFINITY);
      return { caller, expiresAt: new Date(end * 1000).toISOString() };
    },
  };
}

/** Needs no validation: only payloads of `sign` reach it. */
function callerIn({ iss: _, iat: __, exp: ___, rateLimitMultiplier: ____, ...visitor }: JWTPayload): ContentCaller {
  return { ...(visitor as unknown as ContentCaller), kind: 'content' };
}

export type HasContentTokens = { contentTokens: ContentTokens };
