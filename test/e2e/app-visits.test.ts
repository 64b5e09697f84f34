import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personWith } from '../support/app-person.js';
import { newOrganization } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

let dataDir: string;
let server: StartedServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-test-'));
  // Where the engine would have its folder: it cannot start.
  await writeFile(join(dataDir, 'analytics'), '');
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('a screen says that visits cannot be counted while the engine that counts them does not start', async () => {
  const organization = await newOrganization(server);
  const { id } = (await server.post(`/v1/orgs/${organization}/sites`, { title: 'Uncounted' })).body;
  const browser = await personWith(server, server.token);
  await browser.open(`/app/o/${organization}/sites/${id}/visits`);
  expect([browser.status, browser.notices]).toEqual([200, [expect.stringContaining('cannot be counted right now')]]);
  expect(browser.links()).toContain(`/app/o/${organization}/sites/${id}`);
});
