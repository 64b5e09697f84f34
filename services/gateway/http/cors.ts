import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isDevicePath } from './device-id.js';

const exposed =
  'ETag, Idempotent-Replayed, Location, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-GitBook-Cache-Tag';

/** The CORS headers of an answer. Empty `origins` allow any: tokens travel in a header, never in cookies, so any origin is safe. */
export function corsHeaders({ headers }: IncomingMessage, path: string, origins: string[]): OutgoingHttpHeaders {
  const { origin } = headers;
  if (origin === undefined) return {};
  if (isDevicePath(path))
    return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin' };
  // Pages of published sites have origins of their own, which are checked where their events are taken.
  // Files have links that nobody guesses, and fonts are read from the origins of sites.
  if (origins.length === 0 || isEventsPath(path) || path.startsWith('/~files/'))
    return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed };
  if (!origins.includes(origin)) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', 'Access-Control-Expose-Headers': exposed };
}

const isEventsPath = (path: string) => /^\/v1\/orgs\/[^/]+\/sites\/[^/]+\/insights\/events$/.test(path);

export const preflightHeaders = (allowed: string[]): OutgoingHttpHeaders => ({
  'Access-Control-Allow-Methods': allowed.join(', '),
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, User-Agent, X-Request-Id',
  'Access-Control-Max-Age': 86_400,
});
