import type { Embed } from './resources.js';

const longestTitle = 200;

/** A link made from its address only: no request is sent to the site. */
export function embedOf(address: string): Embed {
  const { hostname, pathname } = new URL(address);
  const site = hostname.replace(/^www\./, '');
  const title = `${site}${decoded(pathname).replace(/\/+$/, '')}`;
  return { type: 'link', title: title.slice(0, longestTitle).replace(/[\ud800-\udbff]$/, ''), site, url: address };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
