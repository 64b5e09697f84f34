import { pathKey } from '../structure/paths.js';
import { readable, segmentsOf } from '../visiting/locate.js';
import type { RedirectDocument } from './model.js';
import { maxSource } from './resources.js';

const wildcard = '*';

/** Whether a source also stands for longer paths: those that begin with what is before its `*`. */
export const hasWildcard = (source: string): boolean => source.endsWith(wildcard);

/** The form in which sources are compared: in any case, encoded or not. That of a draft, which no path leads to, begins with a slash. */
export const sourceKey = (source: string, draft = false): string =>
  (draft ? '/' : '') + pathKey(segmentsOf(source).map(readable).join('/'));

/** The keys of the redirects that a path may have, the most specific first; each finds the segments that its wildcard stands for. */
export function keysOfPath(path: string): Map<string, () => string[]> {
  const given = segmentsOf(path);
  const texts = given.map(readable);
  const whole = texts.join('/');
  const keys = new Map([[pathKey(whole), (): string[] => []]]);
  for (let end = Math.min(whole.length, maxSource); end > 0; end--) {
    const key = pathKey(whole.slice(0, end)) + wildcard;
    keys.set(key, () => segmentsAfter(end, given, texts).filter(isName));
  }
  return keys;
}

/**
 * The redirect that a path with these keys leads to. A source with `%2A` at its end has the key of one with a wildcard, but stands for no
 * longer paths.
 */
export function redirectFor<T extends Pick<RedirectDocument, 'key' | 'source'>>(
  keys: readonly string[],
  redirects: readonly T[],
): T | undefined {
  const byKey = new Map(redirects.map((redirect) => [redirect.key, redirect]));
  const [whole] = keys;
  for (const key of keys) {
    const redirect = byKey.get(key);
    if (redirect && (key === whole || hasWildcard(redirect.source))) return redirect;
  }
  return undefined;
}

/** Excludes `.` and `..`, because a path that leads up would leave the destination. */
const isName = (segment: string) => !/^\.{1,2}$/.test(readable(segment));

/** The segments after a number of characters of their texts; the first may be a part of one. */
function segmentsAfter(end: number, given: string[], texts: string[]): string[] {
  let start = 0;
  for (const [at, text] of texts.entries()) {
    if (end <= start) return given.slice(at);
    if (end < start + text.length) {
      const part = text.slice(end - start);
      return [text === given[at] ? part : encodeURIComponent(part), ...given.slice(at + 1)];
    }
    start += text.length + 1;
  }
  return [];
}
