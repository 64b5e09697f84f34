import { percentDecode } from '../../../format/space/paths.js';

/** How the addresses of spaces and pages in the app begin. */
export const appAddresses = (baseUrl: string) => `${baseUrl}/app/s/`;

/** A place in a space, as an address or a link names it. */
export interface NamedPlace {
  space: string;
  /** The path of a page, or its id; empty for the space itself. */
  page: string;
  anchor: string | undefined;
}

const placeIn = /^([a-zA-Z0-9]{1,40})(?:\/([^?#]*))?(?:\?[^#]*)?(?:#(.*))?$/s;

/** Parses an address in the app; undefined for any other address. */
export function placeAtUrl(baseUrl: string, url: string): NamedPlace | undefined {
  const start = appAddresses(baseUrl);
  return url.startsWith(start) ? placeOf(url.slice(start.length)) : undefined;
}

const pageLink = /^\/spaces\/([a-zA-Z0-9]{1,40})\/pages\/(.+)$/s;

/** Parses `/spaces/<id>/pages/<id or path>`; undefined for any other link. */
export function placeAtLink(link: string): NamedPlace | undefined {
  const [, space, rest] = pageLink.exec(link) ?? [];
  return space === undefined ? undefined : placeOf(`${space}/${rest}`);
}

function placeOf(text: string): NamedPlace | undefined {
  const [, space, path = '', anchor] = placeIn.exec(text) ?? [];
  return space === undefined ? undefined : { space, page: percentDecode(path), anchor };
}
