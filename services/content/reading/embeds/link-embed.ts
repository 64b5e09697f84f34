import type { WebPage } from '../../format/workers/web-page.js';
import type { Embed } from './resources.js';

const maxTitleLength = 200;

/** A link with what its site says of the page; what it does not say is made from the address. */
export function linkEmbed(address: string, { title, site, icon }: WebPage = {}): Embed & { type: 'link' } {
  const { hostname, pathname } = new URL(address);
  const host = hostname.replace(/^www\./, '');
  const path = `${host}${decodePath(pathname).replace(/\/+$/, '')}`;
  return {
    type: 'link',
    title: title ?? path.slice(0, maxTitleLength).replace(/[\ud800-\udbff]$/, ''),
    site: site ?? host,
    ...(icon ? { icon } : {}),
    url: address,
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
