import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSpace } from '../support/fixtures.js';
import { importInto, openRepositories, operationEnd, type Repositories } from '../support/repository.js';
import { startServer } from '../support/server.js';

const pages = 1500;
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
    const first = await importInto(server, space, { url });
    const files = Object.fromEntries(
      Array.from({ length: pages }, (_, i) => [
        `page-${i}.md`,
        `# Page ${i}\n\n${'Some words to read. '.repeat(200)}\n`,
      ]),
    );
    await repositories.commit('docs', { 'README.md': '# New\n', ...files });

    let kills = 0;
    for (const delay of [60, 150, 300, 500, 800]) {
      if (kills === 0) await server.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
      await new Promise((resolve) => setTimeout(resolve, delay));
      await server.kill();
      kills++;
      server = await start();
      const { body: revision } = await server.get(`/v1/spaces/${space}/content`);
      if (revision.id === first.revision)
        expect(revision.pages.map(({ title }: { title: string }) => title)).toEqual(['Old']);
      else expect(revision.pages).toHaveLength(pages + 1);
    }

    const end = await operationEnd(server, space);
    expect(end).toMatchObject({ state: 'success' });
    const { body: revision } = await server.get(`/v1/spaces/${space}/content`);
    expect([revision.id, revision.parents, revision.pages.length]).toEqual([end.revision, [first.revision], pages + 1]);
    const last = revision.pages.find(({ title }: { title: string }) => title === `Page ${pages - 1}`);
    const { body: page } = await server.get(`/v1/spaces/${space}/content/page/${last.id}?format=markdown`);
    expect(page.markdown).toBe(files[`page-${pages - 1}.md`]);
    expect((await server.get(`/v1/spaces/${space}/search?query=page ${pages - 1}`)).body.items[0].id).toBe(last.id);
    expect((await server.get(`/v1/spaces/${space}/search?query=home`)).body.count).toBe(0);
    expect(await server.stop()).toBe(0);
  }, 120_000);
});
