import { cookieNamed } from '../../../shared/http/cookies.js';
import { ownAddress } from '../../../shared/http/own-address.js';
import type { Addresses } from '../frame/addresses.js';

/** Where a sign-in leads: to the screen that was asked for, and to none that is not ours. */
export function nextOf(given: string | null, { home, signIn }: Addresses): string {
  const address = given === null ? null : ownAddress(given);
  if (address === null) return home;
  const { pathname } = new URL(address, 'http://own');
  const isBelow = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  return isBelow(home) && !pathname.includes('//') && !isBelow(signIn) ? address : home;
}

const cookie = 'bindery_next';
/** Seconds for which the link of a mail is valid. */
const linkSeconds = 15 * 60;

/** The cookie that remembers where a sign-in leads while its mail is under way: the link of the mail does not say it. Empty ends it. */
export const nextCookie = (next: string, { signIn }: Addresses): string =>
  `${cookie}=${encodeURIComponent(next)}; Path=${signIn}; Max-Age=${next === '' ? 0 : linkSeconds}; HttpOnly; SameSite=Lax`;

/** Where the sign-in leads that was begun in a browser; null where it remembers none. */
export function rememberedNext(cookies: string | undefined): string | null {
  try {
    return decodeURIComponent(cookieNamed(cookies, cookie)) || null;
  } catch {
    return null;
  }
}
