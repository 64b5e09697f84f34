import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSpace } from '../support/fixtures.js';
import { importInto, openRepositories, operationEnd, type Repositories } from '../support/repository.js';
import { startServer } from '../support/server.js';

const pages = 600;
const words = 'Some words to read. '.repeat(200);
let dataDir: string;
let repositories: Repositories;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-kill-'));
  repositories = await openRepositories();
});
afterAll(async () => {
  await repositories.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startServer({ dataDir, env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', CHECK_RESPONSES: 'false' } });

describe('kill -9 in the middle of an import', () => {
  it('leaves the old content until the import, which goes on by itself, is whole', async () => {
    await repositories.commit('docs', { 'README.md': '# Old\n\nThe old home.\n' });
    const url = `${repositories.url}/docs.git`;
    let server = await start();
    const [organization] = (await server.get('/v1/orgs')).body.items;
    const space = await newSpace(server, organization.id);
    let last = await importInto(server, space, { url });
    let shown = ['Old'];
    let files: Record<string, string> = {};
    for (const [round, delay] of [60, 200, 500, 900].entries()) {
      files = Object.fromEntries(
        Array.from({ length: pages }, (_, i) => [`page-${i}.md`, `# Page ${i} of ${round}\n\n${words}\n`]),
      );
      await repositories.commit('docs', { 'README.md': '# New\n', ...files });
      await server.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
      await new Promise((resolve) => setTimeout(resolve, delay));
      await server.kill();
      server = await start();
      const { body: revision } = await server.get(`/v1/spaces/${space}/content`);
      const titles = revision.pages.map(({ title }: { title: string }) => title);
      if (revision.id === last.revision) expect(titles).toEqual(shown);
      else expect(titles).toHaveLength(pages + 1);

      const end = await operationEnd(server, space);
      expect(end).toMatchObject({ state: 'success' });
      const { body: made } = await server.get(`/v1/spaces/${space}/content`);
      expect([made.id, made.parents, made.pages.length]).toEqual([end.revision, [last.revision], pages + 1]);
      shown = made.pages.map(({ title }: { title: string }) => title);
      last = end;
    }

    const { body: revision } = await server.get(`/v1/spaces/${space}/content`);
    const page = revision.pages.find(({ title }: { title: string }) => title.startsWith(`Page ${pages - 1} `));
    const { body } = await server.get(`/v1/spaces/${space}/content/page/${page.id}?format=markdown`);
    expect(body.markdown).toBe(files[`page-${pages - 1}.md`]);
    expect((await server.get(`/v1/spaces/${space}/search?query=page ${pages - 1}`)).body.items[0].id).toBe(page.id);
    expect((await server.get(`/v1/spaces/${space}/search?query=home`)).body.count).toBe(0);
    expect(await server.stop()).toBe(0);
  }, 240_000);

  it('happens twice to one import at most: then it is set aside, and says so', async () => {
    const { waiting, close, url } = await silentServer();
    let server = await start();
    const [organization] = (await server.get('/v1/orgs')).body.items;
    const space = await newSpace(server, organization.id);
    await server.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
    for (const request of [1, 2]) {
      await waiting(request);
      await server.kill();
      server = await start();
    }
    const end = await operationEnd(server, space);
    expect(end).toMatchObject({ state: 'failure', error: expect.stringContaining('twice') });
    // Counted after the operation ended.
    const counted = async () =>
      /bindery_job_runs_total\{.*outcome="set_aside"\} 1/.test((await server.get('/metrics')).body);
    while (!(await counted())) await new Promise((resolve) => setTimeout(resolve, 20));
    await importInto(server, space, { url: `${repositories.url}/docs.git` });
    expect(await server.stop()).toBe(0);
    await close();
  }, 120_000);
});

/** A Git server that answers nothing; `waiting` resolves at its request of this number. */
async function silentServer() {
  const requests = new EventEmitter();
  let count = 0;
  const server = createServer(() => requests.emit(String(++count)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/silent.git`,
    waiting: async (number: number) => (count >= number ? undefined : once(requests, String(number))),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
