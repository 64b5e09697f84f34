import { Client } from './server.js';

/** The server that all end-to-end tests share. */
export const shared = (): Client =>
  new Client(String(process.env.BINDERY_TEST_URL), String(process.env.BINDERY_TEST_TOKEN));

let made = 0;
export const unique = (name: string) => `${name} ${process.pid}-${Date.now()}-${made++}`;

export async function newOrganization(client: Client): Promise<string> {
  const { body } = await client.post('/v1/orgs', { title: unique('Org') });
  return body.id;
}

export async function newSpace(
  client: Client,
  organization: string,
  input: Record<string, unknown> = {},
): Promise<string> {
  const { body } = await client.post(`/v1/orgs/${organization}/spaces`, { title: 'A space', ...input });
  return body.id;
}

/** Every item of a list, page by page. */
export async function walk<T = any>(client: Client, path: string, limit: number): Promise<T[]> {
  const items: T[] = [];
  let page: string | undefined;
  do {
    const mark = path.includes('?') ? '&' : '?';
    const { body } = await client.get(`${path}${mark}limit=${limit}${page ? `&page=${encodeURIComponent(page)}` : ''}`);
    items.push(...body.items);
    page = body.next?.page;
  } while (page);
  return items;
}
