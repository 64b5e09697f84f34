import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { download, exported, unzip } from '../support/archive.js';
import { inserted } from '../support/content-changes.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

let dataDir: string;
let server: StartedServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-kill-'));
  server = await startServer({ dataDir });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

const spaces = 12;

const sumsOf = (files: ReadonlyMap<string, Buffer>) => String(files.get('SHA256SUMS')).split('\n');

it('an export of an organization that is killed runs again, and ends with the same archive as any other', async () => {
  // Nothing else writes there, such as the handbook into the first organization.
  const organization = await newOrganization(server);
  for (let at = 0; at < spaces; at++) {
    const space = await newSpace(server, organization, { editMode: 'live' });
    const changes = ['Home', 'Guide', 'Last'].map((title) =>
      inserted(title, { document: { markdown: `${title} ${at}\n` } }),
    );
    expect((await server.post(`/v1/spaces/${space}/content`, { changes })).status).toBeLessThan(300);
  }
  const { body } = await server.post(`/v1/orgs/${organization}/export`);
  const path = new URL(body.urls.location).pathname;
  const read = async () => (await server.get(path)).body;
  await eventually('the beginning of the export', read, ({ state }) => state !== 'pending');
  await server.kill();
  server = await startServer({ dataDir });
  const item = await eventually('the end of the export', read, ({ completedAt }) => completedAt !== undefined);
  expect(item).toMatchObject({ state: 'completed' });
  const bytes = await download(item);
  const files = await unzip(bytes);
  expect([...files.keys()].filter((name) => name.endsWith('/space.json')).length).toBe(item.totalSpaces);
  expect(item.totalSpaces).toBe(spaces);
  const other = await download(await exported(server, organization));
  expect(sumsOf(await unzip(other))).toEqual(sumsOf(files));
  expect(other.equals(bytes)).toBe(true);
});
