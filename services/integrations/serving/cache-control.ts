/** Directives of `Cache-Control` that a script may set. */
const known =
  /^(public|private|no-store|no-cache|must-revalidate|immutable|(max-age|s-maxage|stale-while-revalidate|stale-if-error)=\d{1,8})$/;

const longest = 200;

/** How caches may keep the answer of a script, as it says; undefined where it does not, or not in a form that is known. */
export function cacheControlOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'cache-control')?.[1];
  if (value === undefined || value.length > longest) return undefined;
  const directives = value.toLowerCase().split(',');
  const kept = directives.map((directive) => directive.trim()).filter((directive) => known.test(directive));
  return kept.length > 0 ? kept.join(', ') : undefined;
}
