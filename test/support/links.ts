import type { Client } from './server.js';

/** A target of a list of links in short: status, relation, address, what it is, and the places that use it. */
export interface ShownLink {
  status: string;
  relation: string;
  url: string;
  target: string;
  places: string[];
}

const withAnchor = (name: string, { internalLocation }: any) =>
  internalLocation ? `${name}#${internalLocation.anchor}` : name;

/** A location in short: the title of a page, the name of a file, and so on, with its anchor. */
export function shownLocation(location: any): string {
  if (location === undefined) return '';
  const { kind, page, file, reusableContent, space, collection, user, url } = location;
  if (kind === 'file' && (page ?? reusableContent))
    return `${file.name} in ${withAnchor((page ?? reusableContent).title, location)}`;
  const name = { page, file, 'reusable-content': reusableContent, space, collection }[kind as 'page'] ?? {};
  return `${kind} ${withAnchor(name.title ?? name.name ?? user?.id ?? url, location)}`;
}

export const shownLink = ({ status, relation, url, targetReference, locationReferences }: any): ShownLink => ({
  status,
  relation,
  url,
  target: shownLocation(targetReference),
  places: locationReferences.map(shownLocation),
});

/** A list that must be answered. */
export async function listed(client: Client, path: string): Promise<any> {
  const { status, body } = await client.get(path);
  expect([path, status, status === 200 ? '' : body]).toEqual([path, 200, '']);
  return body;
}

/** The links of a page or of a content, in short, by their addresses. */
export async function linksAt(client: Client, path: string): Promise<Record<string, ShownLink>> {
  const { items } = await listed(client, path);
  return Object.fromEntries(items.map((item: any) => [item.url, shownLink(item)]));
}
