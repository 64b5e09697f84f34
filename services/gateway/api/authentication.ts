import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { anonymous, type Caller } from '../../../shared/contract/caller.js';
import { type ContentTokens, looksSigned } from '../../../shared/contract/content-token.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors.js';
import { sha256 } from '../../../shared/ids.js';
import { authenticate } from '../../identity/contract.js';
import { standingOf } from '../../sites/contract.js';

/** A revoked token or a lost role counts within a second, whatever happens to the bus. */
const cacheMs = 900;

/** Content tokens name the spaces of a site and carry what is known of a visitor. */
const longestToken = 12_288;

const refused = () => apiError('UNAUTHENTICATED', 'The token is not valid: unknown, revoked or expired');
const withdrawn = () =>
  apiError('UNAUTHENTICATED', 'The content token is no longer valid: what it shows is closed to this visitor');

const isOver = ({ expiresAt }: { expiresAt?: string }) =>
  expiresAt !== undefined && expiresAt <= new Date().toISOString();

export interface Authentication {
  /** The caller of a request; anonymous without a token, 401 with a bad one. */
  callerOf(request: IncomingMessage): Promise<Caller>;
  forget(): void;
}

/** `withdrawn`: a content token that outlived what it was given out for. */
type Known = { caller: Caller; expiresAt?: string } | 'withdrawn' | null;

export function createAuthentication(call: () => Call, contents: ContentTokens): Authentication {
  const cache = new LRUCache<string, Promise<Known>>({ max: 10_000, ttl: cacheMs, ttlResolution: 20 });
  /** A content token is as good as its signature, and as what it came from still is. */
  async function visitorOf(token: string): Promise<Known> {
    const signed = await contents.verify(token);
    if (!signed || isOver(signed)) return null;
    const standing = await call()(standingOf, { visitor: signed.caller });
    return standing ? { ...signed, caller: { ...signed.caller, ...standing } } : 'withdrawn';
  }
  const ask = (token: string): Promise<Known> => {
    const answer: Promise<Known> = looksSigned(token)
      ? visitorOf(token)
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
      if (known === 'withdrawn') throw withdrawn();
      if (!known || isOver(known)) throw refused();
      return known.caller;
    },
    forget: () => cache.clear(),
  };
}
