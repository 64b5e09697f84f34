/** A JSON value in which each half of a surrogate pair is replaced: databases refuse it. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]);
  return Object.fromEntries(entries) as T;
}
