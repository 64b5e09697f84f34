import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../shared/blobs/folder.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { importedSpace, importInto, openRepositories, operationEnd, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

let server: StartedServer;
let repositories: Repositories;
let organization: string;
beforeAll(async () => {
  server = await startServer({ env: { ORGANIZATION_STORAGE: '2 MB', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  repositories = await openRepositories();
  organization = await newOrganization(server);
});
afterAll(async () => {
  await server.stop();
  await repositories.close();
});

const storage = async () => (await server.get(`/v1/orgs/${organization}/storage`)).body;
const picture = (bytes: number) => ({
  'README.md': '# Home\n\n![A picture](picture.png)\n',
  'picture.png': randomBytes(bytes),
});
const imported = (name: string, bytes: number) =>
  importedSpace({ client: server, organization, repositories }, name, picture(bytes));

it('an organization stores as much as it may, and an import beyond that fails with the reason', async () => {
  expect(await storage()).toMatchObject({ object: 'organization-storage', used: 0, limit: 2_000_000 });
  expect((await imported('fits', 1_000_000)).operation.state).toBe('success');
  const { used } = await storage();
  expect(used).toBeGreaterThan(1_000_000);
  expect(used).toBeLessThan(1_010_000);

  const { space, operation } = await imported('too-much', 1_500_000);
  expect(operation).toMatchObject({ state: 'failure', error: expect.stringMatching(/no room left: .* of the 2 MB/) });
  expect((await server.get(`/v1/spaces/${space}/content/pages`)).body.pages).toEqual([]);
  await eventually('the room that it took', storage, (now) => now.used === used);

  await repositories.commit('too-much', picture(500_000));
  const url = `${repositories.url}/too-much.git`;
  expect((await importInto(server, space, { url })).state).toBe('success');
});

it('imports at the same time share what is left', async () => {
  const before = (await storage()).used;
  const names = ['one', 'two', 'three', 'four'];
  const spaces = await Promise.all(names.map(() => newSpace(server, organization)));
  await Promise.all(names.map((name) => repositories.commit(name, picture(200_000))));
  for (const [at, space] of spaces.entries())
    await server.post(`/v1/spaces/${space}/git/import`, {
      url: `${repositories.url}/${names[at]}.git`,
      ref: 'refs/heads/main',
    });
  const ends = await Promise.all(spaces.map((space) => operationEnd(server, space)));
  const successes = ends.filter(({ state }) => state === 'success').length;
  expect(successes).toBe(Math.floor((2_000_000 - before) / 201_500));
  expect((await storage()).used).toBeLessThanOrEqual(2_000_000);
});

it('another organization has room of its own', async () => {
  const other = await newOrganization(server);
  const { operation } = await importedSpace({ client: server, organization: other, repositories }, 'other', {
    'README.md': '# Home\n',
  });
  expect(operation.state).toBe('success');
  expect((await server.get(`/v1/orgs/${other}/storage`)).body.used).toBeGreaterThan(0);
});

it('a file that has expired is deleted by a server that runs alone', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bindery-expired-'));
  const blobs = openFolderBlobs(join(dataDir, 'blobs'));
  const { id } = await blobs.put(Buffer.from('over'), { expiresAt: new Date(Date.now() - 1000) });
  const kept = await blobs.put(Buffer.from('not yet'), { expiresAt: new Date(Date.now() + 3_600_000) });
  const alone = await startServer({ dataDir });
  try {
    await eventually(
      'its deletion',
      () => blobs.size(id),
      (size) => size === null,
    );
    expect(await blobs.size(kept.id)).toBe(7);
  } finally {
    await alone.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
