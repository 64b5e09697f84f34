import { appCookieNames } from '../../app/contract.js';

/** The name of the cookie of a browser that signs in by SAML. */
export const samlCookieName = (isSecure: boolean): string => (isSecure ? '__Host-saml' : 'saml');

const own = new Set([samlCookieName(true), samlCookieName(false), ...appCookieNames].map((name) => name.toLowerCase()));

/**
 * Whether a cookie, given as `name=value`, is one of ours. Nobody but us reads or sets those by which people sign in: the origin of scripts may differ
 * from that of the app in its port alone, and cookies have none.
 */
export function isOwnCookie(pair: string): boolean {
  // A cookie without a name comes back as the text of its value.
  const name =
    pair
      .trim()
      .replace(/^[=\s]+/, '')
      .split('=', 1)[0] ?? '';
  return own.has(name.trim().toLowerCase());
}
