import { type Client, importInto } from './client.js';
import type { Record } from './record.js';

/** Requests a second of the honest tenant, all kinds together. */
const rate = 40;

/** One request of a kind; answers its status. */
type Act = (turn: number) => Promise<number>;

interface Page {
  id: string;
}

/** A tenant with a space of 400 pages and a published site: what its members and visitors ask for, by name. */
export async function honestTenant(client: Client, repository: string): Promise<[string, Act][]> {
  const { id: organization } = await client.ok('POST', '/v1/orgs', { title: 'Honest' });
  const { id: space } = await client.ok('POST', `/v1/orgs/${organization}/spaces`, { title: 'Documentation' });
  const ended = await importInto(client, space, repository);
  if (ended !== 'success') throw new Error(`the honest import: ${ended}`);
  const { pages } = (await client.ok('GET', `/v1/spaces/${space}/content/pages`)) as { pages: Page[] };
  const site = await client.ok('POST', `/v1/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] });
  await client.ok('POST', `/v1/orgs/${organization}/sites/${site.id}/publish`);
  const { urls } = await client.ok('GET', `/v1/orgs/${organization}/sites/${site.id}`);
  const published = { url: urls.published };
  const { apiToken } = JSON.parse((await client.send('POST', '/v1/urls/published', published)).body);
  const at = `/v1/spaces/${space}`;
  const page = (turn: number) => pages[(turn * 7) % pages.length]?.id;
  const get = async (path: string, token?: string) => (await client.send('GET', path, undefined, token)).status;
  return [
    ['space', () => get(at)],
    ['spaces', () => get(`/v1/orgs/${organization}/spaces`)],
    ['page tree', () => get(`${at}/content/pages`)],
    ['page as a document', (turn) => get(`${at}/content/page/${page(turn)}`)],
    ['page as markdown', (turn) => get(`${at}/content/page/${page(turn)}?format=markdown`)],
    ['search', (turn) => get(`${at}/search?query=page%20${turn % 400}`)],
    ['visitor: URL', async () => (await client.send('POST', '/v1/urls/published', published, '')).status],
    ['visitor: page', (turn) => get(`${at}/content/page/${page(turn)}`, apiToken)],
    ['write', async (turn) => (await client.send('PATCH', at, { title: `Documentation ${turn}` })).status],
    ['health', () => get('/healthz')],
  ];
}

/** Sends requests of all kinds in turn at a fixed rate until `until` (of performance.now), whatever the answers take. */
export async function browse(acts: [string, Act][], record: Record, until: number): Promise<void> {
  const open = new Set<Promise<void>>();
  const began = performance.now();
  for (let turn = 0; ; turn++) {
    const due = began + (turn * 1000) / rate;
    if (due > until) break;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    const [name, act] = acts[turn % acts.length] as [string, Act];
    const asked = act(turn)
      .catch((error: NodeJS.ErrnoException) => error.code ?? error.name)
      .then((status) => record.add(name, status, performance.now() - due));
    open.add(asked);
    asked.finally(() => open.delete(asked));
  }
  await Promise.all(open);
}
