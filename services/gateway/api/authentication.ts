import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { anonymous, type Caller } from '../../../shared/contract/caller.js';
import { type ContentTokens, looksSigned } from '../../../shared/contract/content-token.js';
import type { IntegrationTokens } from '../../../shared/contract/integration-token.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError, invalidToken, rethrowUnchanged } from '../../../shared/errors/errors.js';
import { clientNetwork, type Ranges } from '../../../shared/http/addresses.js';
import { sha256 } from '../../../shared/values/ids.js';
import { authenticate, callerOfIntegration } from '../../identity/contract.js';
import { standingOf } from '../../sites/contract.js';
import type { Exchange } from '../http/reply.js';
import type { Limited } from '../report.js';

/** A revoked token or a lost role takes effect within a second, even when the bus is down. */
const cacheMs = 900;

/** Bytes of all cached callers together, about. */
const maxCacheBytes = 32 * 1024 * 1024;

/** Content tokens are long: they name the spaces of a site and carry the claims of a visitor. */
const maxTokenLength = 12_288;

const accessEndedError = () =>
  apiError(
    'UNAUTHENTICATED',
    'The content token is no longer valid: this visitor has no access any more',
    'visitor_access_ended',
  );

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
    maxSize: maxCacheBytes,
    // The claims of a caller are a part of its token; what a user is in its organizations is not.
    sizeCalculation: (_, token) => 3 * token.length + 3000,
    ttl: cacheMs,
    ttlResolution: 20,
  });
  /** Checks the signature of a content token, and whether its visitor still has access. */
  async function verifyContentToken(token: string): Promise<Known> {
    const signed = await contents.verify(token);
    if (!signed) return verifyIntegration(token);
    if (isExpired(signed)) return null;
    const standing = await call()(standingOf, { visitor: signed.caller });
    return standing ? { ...signed, caller: { ...signed.caller, ...standing } } : 'withdrawn';
  }
  /** Checks the signature of the token of an integration, and whether it is still published or installed, and its tunnel open. */
  async function verifyIntegration(token: string): Promise<Known> {
    const signed = await integrations.verify(token);
    if (!signed) return null;
    const caller = await call()(callerOfIntegration, { subject: signed.subject });
    return caller && { caller, expiresAt: signed.expiresAt };
  }
  const askCaller = (token: string): Promise<Known> => {
    const since = performance.now();
    const known: Promise<Known> = looksSigned(token)
      ? verifyContentToken(token)
      : call()(authenticate, { hash: sha256(token) });
    cache.set(token, { known, since });
    known.catch(() => cache.delete(token));
    return known;
  };
  function lookUp(token: string, since: number): Promise<Known> {
    const kept = cache.get(token);
    return kept && kept.since >= since ? kept.known : askCaller(token);
  }
  return {
    async callerOf({ headers }, since = 0) {
      const header = headers.authorization;
      if (header === undefined) return anonymous;
      const [scheme, token, ...rest] = header.split(' ');
      if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > maxTokenLength)
        throw apiError('UNAUTHENTICATED', 'Send the token as: Authorization: Bearer <token>', 'invalid_token');
      const known = await lookUp(token, since);
      if (known === 'withdrawn') throw accessEndedError();
      if (!known || isExpired(known)) throw invalidToken();
      return known.caller;
    },
    forget: () => cache.clear(),
  };
}

/** Counts a request of `key` and adds the rate limit headers. Throws 429 above the limit. */
type RateLimit = (key: string, headers: OutgoingHttpHeaders) => void;

/** A minute in which requests are counted, from the first of them on. */
interface CountedMinute {
  requests: number;
  /** Epoch milliseconds. */
  end: number;
}

const minuteMs = 60_000;
/** Keys whose requests are counted; beyond that, those that were idle longest start anew. */
const maxKeys = 200_000;

/** Limits requests per key in this process; `perMinute` 0 turns the limit off. */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => {};
  const minutes = new LRUCache<string, CountedMinute>({ max: maxKeys });
  const openMinute = (key: string, now: number): CountedMinute => {
    const opened = { requests: 0, end: now + minuteMs };
    minutes.set(key, opened);
    return opened;
  };
  return (key, headers) => {
    const now = Date.now();
    const known = minutes.get(key);
    const minute = known && known.end > now ? known : openMinute(key, now);
    minute.requests += 1;
    headers['X-RateLimit-Limit'] = perMinute;
    headers['X-RateLimit-Remaining'] = Math.max(0, perMinute - minute.requests);
    headers['X-RateLimit-Reset'] = Math.ceil(minute.end / 1000);
    if (minute.requests <= perMinute) return;
    const seconds = Math.max(1, Math.ceil((minute.end - now) / 1000));
    headers['Retry-After'] = seconds;
    throw apiError('RATE_LIMITED', `More than ${perMinute} requests in a minute; wait ${seconds} s`);
  };
}

/** Finds out who sends a request, and counts it against the rate limit. */
export interface Identification {
  /** Counts the request by its caller; one with a bad token by its address. Throws 401 or 429. */
  identify(exchange: Exchange): Promise<Caller>;
  /** Counts the request by its address. Throws 429. */
  countAddress(exchange: Exchange): void;
}

export interface IdentificationOptions {
  authentication: Authentication;
  /** Requests that one key may send in a minute; 0 for any number. */
  perMinute: number;
  /** Proxies whose `X-Forwarded-For` is believed. */
  proxies: Ranges;
  /** Called for each request that is answered with 429. */
  countLimited: (by: Limited) => void;
}

export function createIdentification({
  authentication,
  perMinute,
  proxies,
  countLimited,
}: IdentificationOptions): Identification {
  const rateLimit = createRateLimit(perMinute);
  const addressKey = (request: IncomingMessage) => `address ${clientNetwork(request, proxies)}`;

  /** The requests with the same key share one limit. */
  function limitKey(caller: Caller, request: IncomingMessage): [Limited, string] {
    if (caller.kind === 'user') return ['token', caller.token];
    if (caller.kind === 'content') return ['site', `site ${caller.site} ${addressKey(request)}`];
    if (caller.kind === 'installation') return ['token', `installation ${caller.installation}`];
    if (caller.kind === 'integration') return ['token', `integration ${caller.integration}`];
    return ['address', addressKey(request)];
  }

  function countRequest([by, key]: [Limited, string], { headers }: Exchange): void {
    try {
      rateLimit(key, headers);
    } catch (error) {
      countLimited(by);
      throw error;
    }
  }

  const countAddress = (exchange: Exchange) => countRequest(['address', addressKey(exchange.request)], exchange);

  return {
    countAddress,
    async identify(exchange) {
      const { request } = exchange;
      try {
        const caller = await authentication.callerOf(request).catch(rethrowUnchanged);
        countRequest(limitKey(caller, request), exchange);
        return caller;
      } catch (error) {
        if ((error as { type?: string }).type === 'UNAUTHENTICATED') countAddress(exchange);
        throw error;
      }
    },
  };
}
