import type { Embed } from './resources.js';

const longestTitle = 200;

/** A link by its address alone: nothing is asked of the site behind it. */
export function embedOf(address: string): Embed {
  const { hostname, pathname } = new URL(address);
  const site = hostname.replace(/^www\./, '');
  const title = `${site}${readable(pathname).replace(/\/+$/, '')}`;
  return { type: 'link', title: title.slice(0, longestTitle).replace(/[\ud800-\udbff]$/, ''), site, url: address };
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
