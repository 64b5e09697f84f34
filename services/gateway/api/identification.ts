import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../../shared/contract/caller.js';
import { untouched } from '../../../shared/errors.js';
import type { RateLimit } from '../http/connections/rate-limit.js';
import type { Exchange } from '../http/reply.js';
import { clientNetwork, type Ranges } from '../http/request.js';
import type { Limited } from '../metrics.js';
import type { Authentication } from './authentication.js';

/** Finds out who sends a request, and counts it against the rate limit. */
export interface Identification {
  /** Counts the request by its caller; one with a bad token by its address. Throws 401 or 429. */
  identify(exchange: Exchange): Promise<Caller>;
  /** Counts the request by its address. Throws 429. */
  countAddress(exchange: Exchange): Promise<void>;
}

export interface IdentificationOptions {
  authentication: Authentication;
  rateLimit: RateLimit;
  /** Proxies whose `X-Forwarded-For` is believed. */
  proxies: Ranges;
  /** Called for each request that is answered with 429. */
  limited: (by: Limited) => void;
}

export function createIdentification({
  authentication,
  rateLimit,
  proxies,
  limited,
}: IdentificationOptions): Identification {
  const addressKey = (request: IncomingMessage) => `address ${clientNetwork(request, proxies)}`;

  /** The requests with the same key share one limit. */
  function keyOf(caller: Caller, request: IncomingMessage): [Limited, string] {
    if (caller.kind === 'user') return ['token', caller.token];
    if (caller.kind === 'content') return ['site', `site ${caller.site} ${addressKey(request)}`];
    if (caller.kind === 'installation') return ['token', `installation ${caller.installation}`];
    if (caller.kind === 'integration') return ['token', `integration ${caller.integration}`];
    return ['address', addressKey(request)];
  }

  async function count([by, key]: [Limited, string], { headers }: Exchange): Promise<void> {
    try {
      await rateLimit(key, headers);
    } catch (error) {
      limited(by);
      throw error;
    }
  }

  const countAddress = (exchange: Exchange) => count(['address', addressKey(exchange.request)], exchange);

  return {
    countAddress,
    async identify(exchange) {
      const { request } = exchange;
      try {
        const caller = await authentication.callerOf(request).catch(untouched);
        await count(keyOf(caller, request), exchange);
        return caller;
      } catch (error) {
        if ((error as { type?: string }).type === 'UNAUTHENTICATED') await countAddress(exchange);
        throw error;
      }
    },
  };
}
