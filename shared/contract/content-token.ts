import type { JWTPayload } from 'jose';
import type { Secrets } from '../secrets/secrets.js';
import { epochSeconds, signedTokens } from '../secrets/signed-tokens.js';
import type { ContentCaller } from './caller.js';

/**
 * Seconds. Renderers take a token for the key of their caches, so a visitor gets the same token for a whole window. It is
 * valid for a window more, so that it has long to live whenever it is given out.
 */
const windowLength = 1800;
const lifetime = 2 * windowLength;

/** The tokens with which visitors of a published site read it. */
export interface ContentTokens {
  sign(visitor: ContentCaller): Promise<string>;
  /**
   * Null for a token that is not ours or expired; `expiresAt` is a timestamp. Whether what the token was given out for
   * still stands is for the service of sites to say.
   */
  verify(token: string): Promise<{ caller: ContentCaller; expiresAt: string } | null>;
}

/** Whether a bearer token is to be read as a JWT. */
export const looksSigned = (token: string): boolean => token.startsWith('eyJ') && token.split('.').length === 3;

export function contentTokens(secrets: Secrets, issuer: string): ContentTokens {
  const tokens = signedTokens(secrets, { purpose: 'content-token', issuer });
  return {
    sign({ kind: _, until, ...visitor }) {
      const from = epochSeconds() - (epochSeconds() % windowLength);
      // An end beyond its own is left out: it would tell apart visitors who read the same.
      const ending = until !== undefined && (visitor.preview || until < from + lifetime) ? { until } : {};
      return tokens.sign({ kind: 'site', ...visitor, ...ending, rateLimitMultiplier: 1 }, lifetime, from);
    },
    async verify(token) {
      const payload = await tokens.verify(token);
      if (payload?.kind !== 'site') return null;
      const caller = callerOf(payload);
      const end = Math.min(Number(payload.exp), caller.until ?? Number.POSITIVE_INFINITY);
      return { caller, expiresAt: new Date(end * 1000).toISOString() };
    },
  };
}

/** What we signed ourselves has the shape that we gave it. */
function callerOf({ iss: _, iat: __, exp: ___, rateLimitMultiplier: ____, ...visitor }: JWTPayload): ContentCaller {
  return { ...(visitor as unknown as ContentCaller), kind: 'content' };
}
