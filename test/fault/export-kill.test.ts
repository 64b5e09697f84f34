import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inserted, updated } from '../support/content-changes.js';
import { exportedSpace, exportFrom, lookInto, syncedSpace } from '../support/exports.js';
import { importInto, openRepositories, operationEnd, pagesOf, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';
import { heldAt } from './kills/jobs.js';

let dataDir: string;
let repositories: Repositories;
let server: StartedServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-kill-'));
  repositories = await openRepositories({ allowPush: true });
  server = await start();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await repositories.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startServer({ dataDir, env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', CHECK_RESPONSES: 'false' } });
const docs = { 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n', 'README.md': '# Home\n', 'a.md': '# A\n\nOne.\n' };
let made = 0;

/** A space with changes and a new page, whose export was killed while a hook of its repository ran. */
async function killedExport(hook: string, end: string, later?: string) {
  const name = `killed-${made++}`;
  const [organization] = (await server.get('/v1/orgs')).body.items;
  const setting = { client: server, organization: organization.id, repositories };
  const { space, url, first, write, idOf } = await syncedSpace(setting, name, docs);
  await write(
    updated(await idOf('A'), { document: { markdown: '# A\n\nOurs.\n' } }),
    inserted('New'),
    inserted('Newer', { into: await idOf('A') }),
  );
  const held = await heldAt(repositories, name, hook);
  await held.hold(end);
  const body = { url, ref: 'refs/heads/main', commitMessage: 'Export' };
  expect((await server.post(`/v1/spaces/${space}/git/export`, body)).status).toBe(204);
  await held.waits();
  if (later) await server.post(`/v1/spaces/${space}/git/export`, { ...body, commitMessage: later });
  await server.kill();
  return { name, space, url, first, held, repository: lookInto(repositories, name) };
}
type Killed = Awaited<ReturnType<typeof killedExport>>;

const changesOfExport = ['A a/newer.md', 'A new.md', 'M SUMMARY.md', 'M a.md'];

/** The export ended well, the next one has nothing to do, and an import has nothing to change. */
async function expectDone({ space, url, repository }: Killed) {
  expect(await operationEnd(server, space)).toMatchObject({ state: 'success', direction: 'export' });
  const head = await repository.head();
  const { git } = (await server.get(`/v1/spaces/${space}/content`)).body;
  expect(git).toMatchObject({ oid: head });
  const files = (await pagesOf(server, space)).map((page) => page.git.path);
  expect(files).toEqual(['README.md', 'a.md', 'a/newer.md', 'new.md']);
  expect(await exportFrom(server, space, { url })).toMatchObject({ state: 'success', commit: head });
  const before = await pagesOf(server, space);
  expect(await importInto(server, space, { url, force: true })).toMatchObject({ state: 'success' });
  expect((await pagesOf(server, space)).map(({ id, path, title }) => [id, path, title])).toEqual(
    before.map(({ id, path, title }) => [id, path, title]),
  );
  expect(await repository.head()).toBe(head);
}

describe('kill -9 in the middle of an export', () => {
  it('before the repository took the push: it goes on by itself and makes one commit', async () => {
    const killed = await killedExport('pre-receive', 'exit 1');
    await killed.held.release();
    const { repository, first } = killed;
    await repositories.hook(killed.name, 'pre-receive', 'exit 0');
    server = await start();
    await operationEnd(server, killed.space);
    expect(await repository.git('rev-parse', 'main~1')).toBe(first);
    expect((await repository.changes(first)).sort()).toEqual(changesOfExport);
    await expectDone(killed);
  });

  it('after the repository took the push: it finds its commit there and makes no other', async () => {
    const killed = await killedExport('post-receive', 'exit 0');
    const { repository, first } = killed;
    await killed.held.release();
    await repositories.hook(killed.name, 'post-receive', 'exit 0');
    const pushed = await repository.head();
    expect(pushed).not.toBe(first);
    server = await start();
    await operationEnd(server, killed.space);
    expect(await repository.head()).toBe(pushed);
    expect((await repository.changes(first)).sort()).toEqual(changesOfExport);
    await expectDone(killed);
    expect(await repository.messages()).toHaveLength(2);
  });

  it('after the push, and others pushed since: nothing is written twice', async () => {
    const killed = await killedExport('post-receive', 'exit 0');
    const { repository, name, space, url } = killed;
    await killed.held.release();
    await repositories.hook(name, 'post-receive', 'exit 0');
    const theirs = await repositories.commit(name, { 'README.md': '# Home\n\nTheirs.\n' });
    server = await start();
    expect(await operationEnd(server, space)).toMatchObject({ state: 'success' });
    expect(await repository.head()).toBe(theirs);
    await importInto(server, space, { url });
    const files = (await pagesOf(server, space)).map((page) => page.git.path);
    expect(files).toEqual(['README.md', 'a.md', 'a/newer.md', 'new.md']);
    const home = (await pagesOf(server, space)).find(({ title }) => title === 'Home');
    const { body } = await server.get(`/v1/spaces/${space}/content/page/${home?.id}?format=source`);
    expect(body.source).toBe('# Home\n\nTheirs.\n');
    expect(await repository.messages()).toHaveLength(3);
  });

  it('after the push, while a later export waits: both end, with one commit', async () => {
    const killed = await killedExport('post-receive', 'exit 0', 'Later');
    await killed.held.release();
    await repositories.hook(killed.name, 'post-receive', 'exit 0');
    const pushed = await killed.repository.head();
    server = await start();
    await expectDone(killed);
    expect(await killed.repository.head()).toBe(pushed);
    expect(await killed.repository.messages()).toEqual(['Export', expect.stringMatching(/^Change/)]);
  });

  it('twice to one export: it is set aside, says so, and the next one is right', async () => {
    const killed = await killedExport('pre-receive', 'exit 1');
    server = await start();
    const { space, url, repository, name, first, held } = killed;
    await rm(join(repositories.folderOf(name), 'waiting'));
    await held.waits();
    await server.kill();
    await held.release();
    server = await start();
    expect(await operationEnd(server, space)).toMatchObject({
      state: 'failure',
      error: expect.stringContaining('twice'),
    });
    expect(await repository.head()).toBe(first);
    await repositories.hook(name, 'pre-receive', 'exit 0');
    expect(await exportFrom(server, space, { url })).toMatchObject({ state: 'success' });
    expect((await repository.changes(first)).sort()).toEqual(changesOfExport);
    await expectDone(killed);
  });

  it('in an empty repository makes one commit', async () => {
    const name = `killed-${made++}`;
    await repositories.makeEmpty(name);
    const [organization] = (await server.get('/v1/orgs')).body.items;
    const setting = { client: server, organization: organization.id, repositories };
    const { space, url, repository, write } = await exportedSpace(setting, name);
    await write(inserted('Home'), inserted('A'));
    const held = await heldAt(repositories, name, 'post-receive');
    await held.hold('exit 0');
    await server.post(`/v1/spaces/${space}/git/export`, { url, ref: 'refs/heads/main', commitMessage: 'Export' });
    await held.waits();
    await server.kill();
    await held.release();
    const pushed = await repository.head();
    server = await start();
    expect(await operationEnd(server, space)).toMatchObject({ state: 'success', commit: pushed });
    expect(await repository.messages()).toHaveLength(1);
    expect(await exportFrom(server, space, { url })).toMatchObject({ state: 'success', commit: pushed });
  });
});
