import type { JWTPayload } from 'jose';
import type { Secrets } from '../secrets.js';
import { signedTokens } from '../signed-tokens.js';
import type { ContentCaller } from './caller.js';

/** Seconds that a content token counts. */
const lifetime = 3600;

/** The tokens with which visitors of a published site read it. */
export interface ContentTokens {
  sign(visitor: ContentCaller): Promise<string>;
  /** Null for a token that does not count; `expiresAt` is a timestamp. */
  verify(token: string): Promise<{ caller: ContentCaller; expiresAt: string } | null>;
}

/** Whether a bearer token is to be read as a JWT. */
export const looksSigned = (token: string): boolean => token.startsWith('eyJ') && token.split('.').length === 3;

export function contentTokens(secrets: Secrets, issuer: string): ContentTokens {
  const tokens = signedTokens(secrets, { purpose: 'content-token', issuer });
  return {
    sign: ({ kind: _, ...visitor }) => tokens.sign({ kind: 'site', ...visitor, rateLimitMultiplier: 1 }, lifetime),
    async verify(token) {
      const payload = await tokens.verify(token);
      if (payload?.kind !== 'site') return null;
      return { caller: callerOf(payload), expiresAt: new Date(Number(payload.exp) * 1000).toISOString() };
    },
  };
}

/** What we signed ourselves has the shape that we gave it. */
function callerOf(payload: JWTPayload): ContentCaller {
  const visitor = payload as unknown as ContentCaller;
  const { organization, site, siteSpace, siteSection, space, spaces, claims, shareKey } = visitor;
  return {
    kind: 'content',
    organization,
    site,
    siteSpace,
    ...(siteSection === undefined ? {} : { siteSection }),
    space,
    spaces,
    claims,
    ...(shareKey === undefined ? {} : { shareKey }),
  };
}
