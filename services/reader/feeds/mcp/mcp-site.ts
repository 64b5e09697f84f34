/** A hit of a search. */
export interface McpHit {
  title: string;
  /** Absolute. */
  url: string;
  /** The text around the words. */
  excerpt?: string | undefined;
}

export interface McpPage {
  title: string;
  /** Absolute. */
  url: string;
  description?: string | undefined;
}

/** A site as one caller sees it. What its functions throw goes through to whoever calls `handleMcp`. */
export interface McpSite {
  title: string;
  description?: string | undefined;
  /** The absolute address of the front page; pages are below it. */
  url: string;
  /** Whether everybody sees the same: then pages of any origin may ask, and answers may be kept for all. */
  open: boolean;
  /** The best hits first. */
  search: (query: string) => Promise<readonly McpHit[]>;
  /** The Markdown of the page at a path within the site, without a leading slash, not encoded; empty for the front page. */
  readPage: (path: string) => Promise<string | null>;
  /** Pages from a cursor on; null for a cursor that is unknown. */
  listPages: (cursor: string | undefined) => Promise<{ pages: readonly McpPage[]; next?: string | undefined } | null>;
}

const maxAddressLength = 2048;
const maxPageLength = 256 * 1024;

function decodedPath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
      .replace(/^\/+|\/+$/g, '')
      .replace(/(?:^|\/)index\.md$|\.md$/, '');
  } catch {
    return undefined;
  }
}

/**
 * The paths within the site that an address may mean. A path that begins as the address of the site does is one within the site or one of the
 * host. None for an address of another site.
 */
export function pathsOfAddress(site: McpSite, address: string): string[] {
  if (address.length > maxAddressLength) return [];
  const root = new URL(site.url.endsWith('/') ? site.url : `${site.url}/`);
  const isUrl = /^https?:\/\//i.test(address);
  const relative = isUrl ? address : `./${address.trim().replace(/^\/+/, '')}`;
  if (!URL.canParse(relative, root)) return [];
  const { host, pathname } = new URL(relative, root);
  // A proxy in front may speak another scheme.
  if (host !== root.host || !`${pathname}/`.startsWith(root.pathname)) return [];
  const within = pathname.slice(root.pathname.length);
  const ofHost = isUrl || !`/${within}/`.startsWith(root.pathname) ? [] : [`/${within}`.slice(root.pathname.length)];
  const paths = [within, ...ofHost].flatMap((path) => decodedPath(path) ?? []);
  return [...new Set(paths)];
}

/** The Markdown of the page at an address, cut where it is too long for one answer; null where there is none. */
export async function readAddress(site: McpSite, address: string): Promise<string | null> {
  for (const path of pathsOfAddress(site, address)) {
    const markdown = await site.readPage(path);
    if (markdown === null) continue;
    if (markdown.length <= maxPageLength) return markdown;
    return `${markdown.slice(0, maxPageLength).toWellFormed()}\n\n… The page is longer than one answer; the rest is left out.\n`;
  }
  return null;
}
