/** Where a JSON value has half of a surrogate pair, in a text or in the name of a field; undefined where it has none. */
export function placeOfHalf(value: unknown, path: (string | number)[] = []): (string | number)[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = name.isWellFormed() ? placeOfHalf(inner, [...path, name]) : [...path, name.toWellFormed()];
    if (found) return found;
  }
  return undefined;
}

/** A JSON value in which each half of a surrogate pair is replaced: databases refuse it. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]);
  return Object.fromEntries(entries) as T;
}
