import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { Web } from '../support/imports/web.js';
import { type StartedServer, startServer } from '../support/server.js';

const pages = 12;
const links = Array.from({ length: pages }, (_, at) => `<a href="page-${at}">x</a>`).join('');
/** Called with each page that is asked for, before it is sent. */
let asked: (path: string) => void = () => undefined;
const web = new Web(
  Object.fromEntries([
    ['/', `<h1>Home</h1>${links}`],
    ...Array.from({ length: pages }, (_, at) => [
      `/page-${at}`,
      (request: { url?: string }, response: { setHeader(n: string, v: string): { end(text: string): void } }) => {
        asked(String(request.url));
        response.setHeader('content-type', 'text/html').end(`<h1>Page ${at}</h1>`);
      },
    ]),
  ]),
);

let folder: string;
let server: StartedServer;
const start = async () => {
  server = await startServer({ dataDir: folder, env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-import-kill-'));
  await web.start();
  await start();
});
afterAll(async () => {
  await server.kill();
  web.stop();
  await rm(folder, { recursive: true, force: true });
});

it('an import whose server is killed in the middle runs again, and comes in once', async () => {
  const organization = await newOrganization(server);
  const space = await newSpace(server, organization);
  const killed = new Promise<void>((resolve) => {
    asked = (path) => {
      if (path !== '/page-6') return;
      asked = () => undefined;
      void server.kill().then(resolve);
    };
  });
  const answer = server.post(`/v1/spaces/${space}/content/import`, { url: `${web.url}/`, source: 'website' });
  await expect(answer).rejects.toThrow();
  await killed;
  await start();
  let item: any;
  do [item] = (await server.get(`/v1/orgs/${organization}/imports`)).body.items;
  while (item.state === 'in-progress' || item.state === 'pending');
  expect(item).toMatchObject({ state: 'completed', importedResources: pages + 1, totalResources: pages + 1 });
  const { body } = await server.get(`/v1/spaces/${space}/content`);
  expect(body.id).toBe(item.revision);
  expect(body.pages.map(({ title, pages: below }: any) => [title, below.length])).toEqual([['Home', pages]]);
  expect((await server.get(`/v1/spaces/${space}/revisions`)).body.count).toBe(2);
}, 120_000);
