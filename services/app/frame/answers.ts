import type { Failure } from '../../../shared/errors/errors.js';
import type { WebAnswer } from '../../../shared/http/web-answer.js';
import type { Onward } from './screen.js';

/** Leads on to another address. */
export const redirect = (location: string): WebAnswer => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store' },
  kind: 'redirect',
});

/** Leads on after an action, with what was done. */
export function onward({ to, done, cookies = [] }: Onward): WebAnswer {
  if (done === undefined) return withCookies(redirect(to), cookies);
  const [address = '', hash] = to.split('#', 2);
  const marked = `${address}${address.includes('?') ? '&' : '?'}done=${done}${hash === undefined ? '' : `#${hash}`}`;
  return withCookies(redirect(marked), cookies);
}

export function withCookies(answer: WebAnswer, cookies: string[]): WebAnswer {
  if (cookies.length === 0) return answer;
  const before = answer.headers['Set-Cookie'] ?? [];
  return { ...answer, headers: { ...answer.headers, 'Set-Cookie': [before, cookies].flat() } };
}

/** Tells one of our scripts what went wrong. */
export const failureAnswer = ({ status, message, reason }: Failure): WebAnswer =>
  jsonAnswer({ error: { code: status, message, reason } }, status);

/** Answers one of our scripts. */
export const jsonAnswer = (answer: object, status = 200): WebAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' },
  body: JSON.stringify(answer),
  kind: 'endpoint',
});
