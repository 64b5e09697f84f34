import type { IncomingHttpHeaders } from 'node:http';

/** Headers of the connection rather than the request, those that proxies add, and those that follow from the request anyway. */
const notForScripts =
  /^(connection|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade|http2-settings|content-length|expect|host|forwarded|via|x-forwarded-.+|x-real-ip|x-original-.+)$/;

/** Cookies by which people sign in to Bindery; no script gets them. */
const ownCookie = /^(__Host-)?saml$/i;

export interface ForScript {
  /** The IP address of the client. */
  address: string;
  /** Whether the request came to the origin that scripts have for themselves, so that its cookies are theirs. */
  isolated: boolean;
  /** Whether it carries a token of ours, which is for the API alone. */
  hasOwnToken: boolean;
}

/** The headers of a request as a script gets them. */
export function headersForScript(
  headers: IncomingHttpHeaders,
  { address, isolated, hasOwnToken }: ForScript,
): Record<string, string> {
  const named = String(headers.connection ?? '').toLowerCase();
  const ofConnection = new Set(named.split(',').map((name) => name.trim()));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notForScripts.test(name) || ofConnection.has(name)) continue;
    if (name === 'authorization' && hasOwnToken) continue;
    const text = name === 'cookie' ? (isolated ? othersCookies(String(value)) : '') : String(value);
    if (text !== '' || name !== 'cookie') kept[name] = text;
  }
  return { ...kept, 'x-forwarded-for': address };
}

const othersCookies = (cookies: string): string =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => !ownCookie.test(cookie.split('=', 1)[0] ?? ''))
    .join('; ');
