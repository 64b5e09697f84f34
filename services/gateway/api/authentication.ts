import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { anonymous, type Caller } from '../../../shared/contract/caller.js';
import { type ContentTokens, looksSigned } from '../../../shared/contract/content-token.js';
import type { IntegrationTokens } from '../../../shared/contract/integration-token.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors.js';
import { sha256 } from '../../../shared/ids.js';
import { authenticate, callerOfIntegration } from '../../identity/contract.js';
import { standingOf } from '../../sites/contract.js';

/** A revoked token or a lost role takes effect within a second, even when the bus is down. */
const cacheMs = 900;

/** Bytes of all kept callers together, about. */
const mostKept = 32 * 1024 * 1024;

/** Content tokens are long: they name the spaces of a site and carry the claims of a visitor. */
const longestToken = 12_288;

const refused = () => apiError('UNAUTHENTICATED', 'The token is not valid: unknown, revoked or expired');
const withdrawn = () =>
  apiError('UNAUTHENTICATED', 'The content token is no longer valid: this visitor has no access any more');

const isExpired = ({ expiresAt }: { expiresAt?: string }) =>
  expiresAt !== undefined && expiresAt <= new Date().toISOString();

export interface Authentication {
  /**
   * The caller of a request; anonymous without a token, 401 with a bad one. With `since` (milliseconds of `performance.now`) as it
   * has been since then, instead of up to a second ago.
   */
  callerOf(request: IncomingMessage, since?: number): Promise<Caller>;
  forget(): void;
}

interface Kept {
  known: Promise<Known>;
  /** When it was asked for, in milliseconds of `performance.now`. */
  since: number;
}

/** `withdrawn`: a content token whose visitor has lost access since it was issued. */
type Known = { caller: Caller; expiresAt?: string } | 'withdrawn' | null;

/** The tokens that are checked by their signature. */
export interface SignedTokenKinds {
  contents: ContentTokens;
  integrations: IntegrationTokens;
}

export function createAuthentication(call: () => Call, { contents, integrations }: SignedTokenKinds): Authentication {
  const cache = new LRUCache<string, Kept>({
    maxSize: mostKept,
    // The claims of a caller are a part of its token; what a user is in its organizations is not.
    sizeCalculation: (_, token) => 3 * token.length + 3000,
    ttl: cacheMs,
    ttlResolution: 20,
  });
  /** Checks the signature of a content token, and whether its visitor still has access. */
  async function visitorOf(token: string): Promise<Known> {
    const signed = await contents.verify(token);
    if (!signed) return integrationOf(token);
    if (isExpired(signed)) return null;
    const standing = await call()(standingOf, { visitor: signed.caller });
    return standing ? { ...signed, caller: { ...signed.caller, ...standing } } : 'withdrawn';
  }
  /** Checks the signature of the token of an integration, and whether it is still published or installed, and its tunnel open. */
  async function integrationOf(token: string): Promise<Known> {
    const signed = await integrations.verify(token);
    if (!signed) return null;
    const caller = await call()(callerOfIntegration, { subject: signed.subject });
    return caller && { caller, expiresAt: signed.expiresAt };
  }
  const ask = (token: string): Promise<Known> => {
    const since = performance.now();
    const known: Promise<Known> = looksSigned(token) ? visitorOf(token) : call()(authenticate, { hash: sha256(token) });
    cache.set(token, { known, since });
    known.catch(() => cache.delete(token));
    return known;
  };
  function knownOf(token: string, since: number): Promise<Known> {
    const kept = cache.get(token);
    return kept && kept.since >= since ? kept.known : ask(token);
  }
  return {
    async callerOf({ headers }, since = 0) {
      const header = headers.authorization;
      if (header === undefined) return anonymous;
      const [scheme, token, ...rest] = header.split(' ');
      if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > longestToken)
        throw apiError('UNAUTHENTICATED', 'Send the token as: Authorization: Bearer <token>');
      const known = await knownOf(token, since);
      if (known === 'withdrawn') throw withdrawn();
      if (!known || isExpired(known)) throw refused();
      return known.caller;
    },
    forget: () => cache.clear(),
  };
}
