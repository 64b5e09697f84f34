const maxEncodings = 4;

/** Decodes a path until nothing is left to decode, as a proxy may. Undefined when that has no end, or is not possible. */
function fullyDecoded(path: string): string | undefined {
  let text = path;
  for (let times = 0; times < maxEncodings; times++) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      return undefined;
    }
    if (decoded === text) return text;
    text = decoded;
  }
  return undefined;
}

const isDots = (segment: string) => segment === '.' || segment === '..';

/**
 * Makes the rule for requests to the API itself, which may have a private address: below `<apiEndpoint>/v1/`, and nowhere else, however often a
 * proxy decodes the path. Encoded slashes are allowed, since the paths of pages have them, but not around dots.
 */
export function apiRule(apiEndpoint: string): (url: URL) => boolean {
  const { origin, pathname } = new URL(apiEndpoint);
  const prefix = `${pathname.replace(/\/$/, '')}/v1/`;
  return (url) => {
    if (url.origin !== origin || url.username !== '' || url.password !== '') return false;
    if (!url.pathname.startsWith(prefix)) return false;
    const path = fullyDecoded(url.pathname);
    return path !== undefined && !path.split(/[/\\]/).some(isDots);
  };
}
