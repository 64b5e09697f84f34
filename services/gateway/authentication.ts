import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { anonymous, type Caller } from '../../shared/contract/caller.js';
import { type ContentTokens, looksSigned } from '../../shared/contract/content-token.js';
import type { Call } from '../../shared/contract/service.js';
import { apiError } from '../../shared/errors.js';
import { sha256 } from '../../shared/ids.js';
import { authenticate } from '../identity/contract.js';

/** A revoked token or a lost role counts within a second, whatever happens to the bus. */
const cacheMs = 900;

/** Content tokens name the spaces of a site and carry what is known of a visitor. */
const longestToken = 12_288;

const refused = () => apiError('UNAUTHENTICATED', 'The token is not valid: unknown, revoked or expired');

export interface Authentication {
  /** The caller of a request; anonymous without a token, 401 with a bad one. */
  callerOf(request: IncomingMessage): Promise<Caller>;
  forget(): void;
}

type Known = { caller: Caller; expiresAt?: string } | null;

export function createAuthentication(call: () => Call, contents: ContentTokens): Authentication {
  const cache = new LRUCache<string, Promise<Known>>({ max: 10_000, ttl: cacheMs, ttlResolution: 20 });
  const ask = (token: string): Promise<Known> => {
    const answer: Promise<Known> = looksSigned(token)
      ? contents.verify(token)
      : call()(authenticate, { hash: sha256(token) });
    cache.set(token, answer);
    answer.catch(() => cache.delete(token));
    return answer;
  };
  return {
    async callerOf({ headers }) {
      const header = headers.authorization;
      if (header === undefined) return anonymous;
      const [scheme, token, ...rest] = header.split(' ');
      if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > longestToken)
        throw apiError('UNAUTHENTICATED', 'Send the token as: Authorization: Bearer <token>');
      const known = await (cache.get(token) ?? ask(token));
      if (!known || (known.expiresAt && known.expiresAt <= new Date().toISOString())) throw refused();
      return known.caller;
    },
    forget: () => cache.clear(),
  };
}
