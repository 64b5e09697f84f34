import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import type { EndpointAnswer } from '../../integrations/contract.js';
import { isOwnCookie } from './own-cookies.js';

/**
 * Headers that describe the answer itself. Others act on a whole origin or ask for a password in its name, and new ones appear: what is not
 * here does not pass.
 */
const passed = new RegExp(
  `^(${[
    'content-(disposition|encoding|language|location|range|type|digest)|repr-digest|accept-ranges|age|allow|location|retry-after',
    'cache-control|etag|expires|last-modified|pragma|vary|server-timing|timing-allow-origin|permissions-policy|referrer-policy',
    'access-control-(allow-(origin|methods|headers)|expose-headers|max-age)|cross-origin-(embedder|opener|resource)-policy',
    'mcp-.+|webhook-.+|x-.+',
  ].join('|')})$`,
);

/** Exceptions among the `x-` headers: those that a server in front of us obeys, and those that we set ourselves. */
const refused = new RegExp(
  `^x-(${[
    'accel-.+|sendfile.*|lighttpd-.+|litespeed-.+|reproxy-.+|envoy-.+',
    'permitted-cross-domain-policies|content-type-options|request-id|ratelimit-.+',
  ].join('|')})$`,
);

/** Headers that also pass on the origin that scripts have for themselves. */
const passedThere = new Set(['set-cookie', 'access-control-allow-credentials']);

/** Takes the origin of the API and the handbook away from a script's page, which can then do nothing with it. */
const sandbox = 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads';

/** Headers of ours that are for answers of the API and are left out here. */
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
    const text = name === 'set-cookie' ? safeCookie(value) : value;
    if (text === undefined || !mayPassHeader(name, isolated) || !isSendable(name, text)) continue;
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

const mayPassHeader = (name: string, isolated: boolean): boolean =>
  (passed.test(name) && !refused.test(name)) || (isolated && passedThere.has(name));

/** A cookie of a script stays on its host, and is none of ours. */
function safeCookie(cookie: string): string | undefined {
  const [pair = '', ...attributes] = cookie.split(';');
  if (isOwnCookie(pair)) return undefined;
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
