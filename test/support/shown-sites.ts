import { ContentWriter, document, inserted } from './content-changes.js';
import { newOrganization, newSpace } from './fixtures.js';
import type { Client } from './server.js';
import { newSite, type Site } from './site.js';

/** The pages of a space: their Markdown by their titles, in order; the first one is its front page. */
type PagesByTitle = Record<string, string | Record<string, unknown>>;

/** Writes pages into a space, and publishes them. */
export async function writePages(client: Client, space: string, pages: PagesByTitle): Promise<string[]> {
  const writer = await ContentWriter.on(client, space);
  const changes = Object.entries(pages).map(([title, page]) =>
    inserted(title, typeof page === 'string' ? document(page) : page),
  );
  const ids = await writer.insert(...changes);
  await mergeInto(client, writer);
  return ids;
}

export async function mergeInto(client: Client, { path }: ContentWriter): Promise<void> {
  const { status, body } = await client.post(`${path}/merge`);
  if (status !== 200 || body.result !== 'merge') throw new Error(`${status} ${JSON.stringify(body)}`);
}

/** Changes pages of a space, and publishes that. */
export async function changePages(client: Client, space: string, ...changes: unknown[]): Promise<void> {
  const writer = await ContentWriter.on(client, space);
  await writer.apply(...changes);
  await mergeInto(client, writer);
}

export interface ShownSite {
  organization: string;
  space: string;
  site: Site;
  /** The ids of its pages, in order. */
  pages: string[];
  /** Where it begins, at the address of the server. */
  start: string;
}

/** A published site of an organization of its own, with one space of these pages. */
export async function shownSite(
  client: Client,
  written: PagesByTitle,
  input: Record<string, unknown> = {},
): Promise<ShownSite> {
  const organization = await newOrganization(client);
  const space = await newSpace(client, organization, { title: 'Guide' });
  const pages = await writePages(client, space, written);
  const site = await newSite(organization, { title: 'Docs', spaces: [space], ...input }, client);
  await site.ok('POST', '/publish');
  return { organization, space, site, pages, start: `${client.url}/sites/${site.id}/` };
}
