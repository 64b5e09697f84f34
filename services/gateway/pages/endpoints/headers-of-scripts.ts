import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import type { EndpointAnswer } from '../../../integrations/contract.js';

/** Of the connection; what a server in front of us obeys; what holds for the whole origin; what we say ourselves. */
const refused = new RegExp(
  `^(${[
    'connection|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade|content-length|date|server',
    'x-accel-.+|x-sendfile|x-lighttpd-send-file|x-litespeed-.+|surrogate-.+',
    'strict-transport-security|public-key-pins.*|expect-ct|clear-site-data|service-worker-allowed|alt-svc|origin-agent-cluster',
    'nel|report-to|reporting-endpoints|accept-ch|critical-ch|set-login|use-as-dictionary',
    'x-content-type-options|x-request-id|x-ratelimit-.+|content-security-policy',
  ].join('|')})$`,
);

/** What a page of a script may do on the origin of the API and the handbook: nothing with that origin. */
const sandbox = 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads';

/** Of ours, what is for answers of the API. */
const forApi = ['X-Frame-Options', 'Content-Security-Policy', 'Vary', 'Cache-Control'];

/**
 * The headers with which an answer of a script goes out, in addition to ours. `isolated`: it goes out on the origin that scripts have for themselves;
 * on any other, its pages are sandboxed and it sets no cookies.
 */
export function headersOfAnswer(
  ours: OutgoingHttpHeaders,
  { headers, contentSecurityPolicy }: Pick<EndpointAnswer, 'headers' | 'contentSecurityPolicy'>,
  { isolated }: { isolated: boolean },
): OutgoingHttpHeaders {
  const kept = Object.entries(ours).filter(([name]) => !forApi.includes(name) && !name.startsWith('Access-Control-'));
  const answered = new Map<string, string[]>();
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    const text = name === 'set-cookie' ? cookieFor(value, isolated) : value;
    if (text === undefined || refused.test(name) || !isSendable(name, text)) continue;
    answered.set(name, [...(answered.get(name) ?? []), text]);
  }
  const policies = [
    ...(isolated ? [] : [sandbox]),
    ...[contentSecurityPolicy, ...policiesIn(headers)].filter((policy) => policy && isSendable('csp', policy)),
  ] as string[];
  return {
    ...Object.fromEntries(kept.filter(([name]) => !answered.has(name.toLowerCase()))),
    'cache-control': 'no-store',
    ...Object.fromEntries(answered),
    // Node sends several headers for a list; its types know that of other names alone.
    ...(policies.length > 0 ? ({ 'content-security-policy': policies } as object) : {}),
  };
}

const policiesIn = (headers: EndpointAnswer['headers']): string[] =>
  headers.filter(([name]) => name.toLowerCase() === 'content-security-policy').map(([, value]) => value);

/** A cookie of a script stays on its host, and is none of those by which people sign in. */
function cookieFor(cookie: string, isolated: boolean): string | undefined {
  if (!isolated || /^\s*(__Host-)?saml\s*=/i.test(cookie)) return undefined;
  const [pair = '', ...attributes] = cookie.split(';');
  return [pair, ...attributes.filter((attribute) => !/^\s*domain\s*(=|$)/i.test(attribute))].join(';');
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
