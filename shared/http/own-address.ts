const anyOrigin = 'http://own';

/**
 * Reads an address of this server without its origin, as a browser would: path, query and fragment, escaped. Null for an address of another server, and
 * for what a browser would take for one.
 */
export function ownAddress(given: string): string | null {
  if (!given.startsWith('/') || !URL.canParse(given, anyOrigin)) return null;
  const { origin, pathname, search, hash } = new URL(given, anyOrigin);
  return origin === anyOrigin && !pathname.startsWith('//') ? pathname + search + hash : null;
}
