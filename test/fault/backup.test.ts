import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { sha256 } from '../../shared/values/ids.js';
import { Load } from '../support/backups/load.js';
import { runCommand } from '../support/backups/run.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { openRepositories, operationEnd, pagesOf } from '../support/repository.js';
import { startServer } from '../support/server.js';

const env = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Adds files, so that the backup takes a while. */
async function addBlobs(dataDir: string, count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    const content = randomBytes(1024 ** 2);
    const id = sha256(content);
    const path = join(dataDir, 'blobs', id.slice(0, 2), id);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** A port in front of a server, which answers nobody before it is opened. */
async function gate(url: string) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    void opened.then(() => {
      const behind = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      socket.pipe(behind).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, close: () => server.close() };
}

it('a backup under load has everything that was acknowledged before it, whole, and a server goes on with it', async () => {
  const repositories = await openRepositories();
  const front = await gate(repositories.url);
  const server = await startServer({ env });
  const load = await Load.on(server);
  try {
    await addBlobs(server.dataDir, 200);
    await repositories.commit('waiting', { 'README.md': '# Imported\n' });
    const space = await newSpace(server, await newOrganization(server));
    await server.post(`/v1/spaces/${space}/git/import`, { url: `${front.url}/waiting.git`, ref: 'refs/heads/main' });
    load.start();
    await eventually('20 pages', () => load.acknowledged().pages.length >= 20);
    const acknowledged = load.acknowledged();
    const { code, output } = await runCommand('backup', [join(folder, 'loaded')], { DATA_DIR: server.dataDir });
    expect([code, output]).toEqual([0, expect.stringMatching(/Backed up \d+ files/)]);
    const after = load.acknowledged();
    await load.stop();
    expect(load.failures).toEqual([]);
    for (const kind of ['pages', 'comments', 'events'] as const)
      expect([kind, after[kind].length > acknowledged[kind].length]).toEqual([kind, true]);

    const dataDir = join(folder, 'restored');
    expect((await runCommand('restore', [join(folder, 'loaded')], { DATA_DIR: dataDir })).code).toBe(0);
    const restored = await startServer({ dataDir, env });
    try {
      await load.expectOn(restored, acknowledged);
      await load.writeOn(restored);
      front.open();
      expect((await operationEnd(restored, space)).state).toBe('success');
      expect((await pagesOf(restored, space)).map(({ title }) => title)).toEqual(['Imported']);
    } finally {
      expect(await restored.stop()).toBe(0);
    }
  } finally {
    await load.stop();
    await server.stop();
    front.close();
    await repositories.close();
  }
});
