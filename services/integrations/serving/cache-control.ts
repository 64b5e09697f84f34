/** Directives of `Cache-Control` that a script may set. */
const known =
  /^(public|private|no-store|no-cache|must-revalidate|immutable|(max-age|s-maxage|stale-while-revalidate|stale-if-error)=\d{1,8})$/;

const maxHeaderLength = 200;

/** Keeps the known directives of a script's `Cache-Control` header; undefined where there are none, or the header is too long. */
export function cacheControlOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'cache-control')?.[1];
  if (value === undefined || value.length > maxHeaderLength) return undefined;
  const directives = value.toLowerCase().split(',');
  const kept = directives.map((directive) => directive.trim()).filter((directive) => known.test(directive));
  return kept.length > 0 ? kept.join(', ') : undefined;
}
