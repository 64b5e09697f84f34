import { createHmac, timingSafeEqual } from 'node:crypto';
import { forbidden } from '../../../shared/errors/errors.js';
import type { AppRequest } from '../contract.js';

/** The token in each form of a browser, made of the secret that its cookie has: another site knows neither. */
export const formTokenOf = (key: Buffer, secret: string): string =>
  createHmac('sha256', key).update(secret).digest('base64url');

/**
 * Throws 403 for a request that changes something and does not come from a page of ours: browsers name the site that it comes from, older ones
 * its origin, and each form has the token of its browser.
 */
export function checkOrigin(
  { url, headers }: Pick<AppRequest, 'url' | 'headers'>,
  { given, expected }: { given: string; expected: string },
): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(url).origin : site === 'same-origin';
  if (!isOwn) throw forbidden('The request comes from another site');
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw forbidden('The form is out of date; open the page again');
}
