import { Client } from '../../support/server.js';
import type { Asked } from './balancer.js';

/** What the load reads and writes of one service, and how all that was written is found again. */
export interface Kind {
  service: string;
  read: Asked;
  /** Of the rate of reads: those of ClickHouse cost more than the others together. */
  share: number;
  /** A write that shows under `name`, which no other has. */
  write(name: string): Asked;
  /** The names that are there, each as often as it is. */
  names(): Promise<string[]>;
}

export interface Scene {
  client: Client;
  organization: string;
  space: string;
  site: string;
}

let made = 0;

/** An organization of its own with a space and a published site. */
export async function newScene(url: string, token: string): Promise<Scene> {
  const client = new Client(url, token);
  const done = async (path: string, body: object) => {
    const { status, body: answer } = await client.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const { id: organization } = await done('/v1/orgs', { title: `Scene ${process.pid} ${made++}` });
  const { id: space } = await done(`/v1/orgs/${organization}/spaces`, { title: 'Discussed' });
  const { id: site } = await done(`/v1/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] });
  await done(`/v1/orgs/${organization}/sites/${site}/publish`, {});
  return { client, organization, space, site };
}

/** Every item of a list, page by page. */
export async function walk(client: Client, path: string, filter = ''): Promise<any[]> {
  const items: any[] = [];
  for (let page: string | undefined, more = true; more; more = page !== undefined) {
    const { status, body } = await client.get(
      `${path}?limit=1000${filter}${page ? `&page=${encodeURIComponent(page)}` : ''}`,
    );
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    items.push(...body.items);
    page = body.next?.page;
  }
  return items;
}

/** An hour ahead: clocks of visitors may be. */
const soon = () => encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());

async function exported({ client }: Scene, path: string): Promise<any[]> {
  const { status, body } = await client.get<string>(`${path}?to=${soon()}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const pageView = (url: string, visitorId: string) => ({
  type: 'page_view',
  session: { visitorId, sessionId: visitorId, cookies: {}, userAgent: 'Firefox', language: null, referrer: null },
  location: { url, siteSection: null, siteSpace: null, siteShareKey: null, space: null, revision: null, page: null },
});

/** A read and a write of each service behind the gateway. */
export function kindsOf(scene: Scene): Kind[] {
  const { client, organization, space, site } = scene;
  const org = `/v1/orgs/${organization}`;
  const comments = `/v1/spaces/${space}/comments`;
  const events = `${org}/sites/${site}/insights/events`;
  const titles = async (path: string) => (await walk(client, path)).map(({ title }) => title);
  return [
    {
      service: 'identity',
      share: 1,
      read: { method: 'GET', path: org },
      write: (title) => ({ method: 'PUT', path: `${org}/teams`, body: { title } }),
      names: () => titles(`${org}/teams`),
    },
    {
      service: 'content',
      share: 1,
      read: { method: 'GET', path: `/v1/spaces/${space}` },
      write: (title) => ({ method: 'POST', path: `${org}/spaces`, body: { title } }),
      names: () => titles(`${org}/spaces`),
    },
    {
      service: 'comments',
      share: 1,
      read: { method: 'GET', path: `${comments}?limit=5` },
      write: (markdown) => ({ method: 'POST', path: comments, body: { body: { markdown } } }),
      names: async () => (await walk(client, comments)).map(({ body }) => body.markdown.trim()),
    },
    {
      service: 'sites',
      share: 1,
      read: { method: 'GET', path: `${org}/sites/${site}` },
      write: (title) => ({ method: 'POST', path: `${org}/sites`, body: { title } }),
      names: () => titles(`${org}/sites`),
    },
    {
      service: 'insights',
      share: 0.1,
      read: { method: 'GET', path: `${org}/sites/${site}/insights/visitor-segments` },
      write: (name) => ({
        method: 'POST',
        path: events,
        body: { events: [pageView(`${client.url}/sites/${site}/`, name)] },
      }),
      names: async () => (await exported(scene, events)).map(({ session }) => session.visitorId),
    },
  ];
}
