import { rename } from 'node:fs/promises';
import { inserted, updated } from '../support/content-changes.js';
import { type Setting, syncedSpace } from '../support/exports.js';
import { gitFront, type Push } from '../support/git-front.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

const credentials = { username: 'ada', password: 'correct-horse' };
let server: StartedServer;
let repositories: Repositories;
let guarded: Repositories;
let setting: Setting;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  repositories = await openRepositories({ allowPush: true });
  guarded = await openRepositories({ allowPush: true, credentials });
  server = await startServer({
    env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', GIT_COMMIT_AUTHOR: 'Docs <docs@acme.test>' },
  });
  const [organization] = (await server.get('/v1/orgs')).body.items;
  setting = { client: server, organization: organization.id, repositories };
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  expect(server.output()).not.toMatch(/horse/);
  expect(await server.stop()).toBe(0);
  await repositories.close();
  await guarded.close();
});

const docs = { 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n', 'README.md': '# Home\n', 'a.md': '# A\n\nOne.\n' };
const body = (text: string) => ({ document: { markdown: `# A\n\n${text}\n` } });
let made = 0;

/** A space with one change that its repository does not have. */
async function changedSpace(onPush?: (push: Push, name: string) => Promise<void>) {
  const name = `faults-${made++}`;
  const front = onPush && (await gitFront(repositories, (push) => onPush(push, name)));
  if (front) ends.push(front.close);
  const at = { ...repositories, ...(front ? { url: front.url } : {}) };
  const space = await syncedSpace({ ...setting, repositories: at }, name, docs);
  await space.write(updated(await space.idOf('A'), body('Ours.')));
  return { ...space, name, before: (await space.revision()).id };
}
type Changed = Awaited<ReturnType<typeof changedSpace>>;

async function expectNothingDone({ repository, first, revision, before }: Changed) {
  expect(await repository.git('for-each-ref', '--format=%(objectname)')).toBe(first);
  expect((await revision()).id).toBe(before);
}

async function expectOneCommit({ repository, first, revision }: Changed) {
  expect(await repository.git('rev-parse', 'main~1')).toBe(first);
  expect(await repository.changes(first)).toEqual(['M a.md']);
  expect((await revision()).git).toMatchObject({ oid: await repository.head(), createdByService: true });
}

describe('a push that is refused', () => {
  it.each([
    ['pre-receive', 'echo "main is protected" >&2; echo "ask Ada" >&2; exit 1', /main is protected ask Ada/],
    ['pre-receive', 'exit 1', /refused|rejected/],
    ['update', 'echo "sign your commits" >&2; exit 1', /sign your commits/],
    ['pre-receive', 'echo "see https://ada:correct-horse@host/x" >&2; exit 1', /see https:\/\/host/],
  ])('by a %s hook that says %j fails with its words, and works when it is gone', async (which, script, told) => {
    const space = await changedSpace();
    await repositories.hook(space.name, which, script);
    const { state, error } = await space.exportNow();
    expect([state, error]).toEqual(['failure', expect.stringMatching(told)]);
    await expectNothingDone(space);
    await repositories.hook(space.name, which, 'exit 0');
    expect(await space.exportNow()).toMatchObject({ state: 'success' });
    await expectOneCommit(space);
  });

  it('because the branch is checked out fails and says so', async () => {
    const space = await changedSpace();
    await space.repository.git('config', 'core.bare', 'false');
    const { state, error } = await space.exportNow();
    expect([state, error]).toEqual(['failure', expect.stringContaining('checked out')]);
    await space.repository.git('config', 'core.bare', 'true');
    await expectNothingDone(space);
  });

  it('because the repository is read-only fails and says so', async () => {
    const readOnly = await openRepositories();
    await readOnly.commit('docs', docs);
    const space = await changedSpace();
    const { state, error } = await space.exportNow({ url: `${readOnly.url}/docs.git`, force: true });
    expect([state, error]).toEqual(['failure', expect.stringContaining('denied')]);
    await expectNothingDone(space);
    await readOnly.close();
  });

  it.each([
    ['ada:wrong-horse@', /credentials were not accepted/],
    ['', /is private or does not exist/],
  ])('for the credentials "%s" fails, and works with the right ones', async (given, told) => {
    const name = `guarded-${made++}`;
    await guarded.commit(name, docs);
    const url = (login: string) => `${guarded.url.replace('//', `//${login}`)}/${name}.git`;
    const space = await changedSpace();
    const right = url('ada:correct-horse@');
    expect(await space.importNow({ url: right, force: true })).toMatchObject({ state: 'success' });
    await space.write(updated(await space.idOf('A'), body('Ours.')));
    expect(await space.exportNow({ url: url(given) })).toMatchObject({
      state: 'failure',
      error: expect.stringMatching(told),
    });
    expect(await space.exportNow({ url: right })).toMatchObject({ state: 'success' });
    expect(await guarded.git(name, 'show', 'main:a.md')).toBe('# A\n\nOurs.');
    expect(await guarded.git(name, 'log', '-1', '--format=%an <%ae>')).toBe('Docs <docs@acme.test>');
    const shown = await Promise.all(
      ['', '/git/info', '/content'].map((at) => server.get(`/v1/spaces/${space.space}${at}`)),
    );
    expect(JSON.stringify(shown)).not.toContain('horse');
  });
});

describe('a repository', () => {
  it('that vanishes fails the export, which works when it is back', async () => {
    const space = await changedSpace();
    const folder = repositories.folderOf(space.name);
    await rename(folder, `${folder}.away`);
    const { state, error } = await space.exportNow();
    expect([state, error]).toEqual(['failure', expect.stringContaining('not found')]);
    await rename(`${folder}.away`, folder);
    await expectNothingDone(space);
    expect(await space.exportNow()).toMatchObject({ state: 'success' });
    await expectOneCommit(space);
  });

  it('that cuts every push fails the export after some attempts, with nothing done', async () => {
    let attempts = 0;
    const space = await changedSpace(async ({ cut, count }) => {
      attempts = count;
      cut();
    });
    expect(await space.exportNow()).toMatchObject({
      state: 'failure',
      error: expect.stringContaining('connection'),
    });
    expect(attempts).toBeGreaterThan(1);
    await expectNothingDone(space);
  });

  it('that cuts a push before it comes in gets it with the next attempt', async () => {
    const space = await changedSpace(async ({ forward, cut, count }) => (count === 1 ? cut() : forward()));
    expect(await space.exportNow()).toMatchObject({ state: 'success' });
    await expectOneCommit(space);
  });

  it('that takes a push, whose answer is lost, has it once', async () => {
    const space = await changedSpace(async ({ forward, cut, count }) => {
      if (count > 1) return forward();
      await forward({ answer: false });
      cut();
    });
    await space.write(inserted('New'));
    const { state, commit } = await space.exportNow();
    expect([state, commit]).toEqual(['success', await space.repository.head()]);
    expect(await space.repository.messages()).toHaveLength(2);
    expect((await space.repository.paths()).filter((path) => path.includes('new'))).toEqual(['new.md']);
  });
});

describe('a branch that moves between commit and push', () => {
  it('is written once more, with both changes', async () => {
    const space = await changedSpace(async ({ forward, count }, name) => {
      if (count === 1) await repositories.commit(name, { 'README.md': '# Home\n\nTheirs.\n' });
      await forward();
    });
    expect(await space.exportNow()).toMatchObject({ state: 'success' });
    expect((await space.repository.changes(space.first)).sort()).toEqual(['M README.md', 'M a.md']);
    expect(await space.repository.messages()).toEqual(['Export', 'Change README.md', expect.stringMatching(/^Change/)]);
    await space.importNow();
    expect([await space.source('A'), await space.source('Home')]).toEqual(['# A\n\nOurs.\n', '# Home\n\nTheirs.\n']);
  });

  it('with a change of the same file fails with its name', async () => {
    let theirs = '';
    const space = await changedSpace(async ({ forward, count }, name) => {
      if (count === 1) theirs = await repositories.commit(name, { 'a.md': '# A\n\nTheirs.\n' });
      await forward();
    });
    expect(await space.exportNow()).toMatchObject({ state: 'failure', error: expect.stringContaining('a.md') });
    expect(await space.repository.head()).toBe(theirs);
    expect((await space.revision()).id).toBe(space.before);
  });

  it('every time fails the export, and says why', async () => {
    const space = await changedSpace(async ({ forward, count }, name) => {
      await repositories.commit(name, { 'README.md': `# Home\n\n${count}\n` });
      await forward();
    });
    expect(await space.exportNow()).toMatchObject({
      state: 'failure',
      error: expect.stringContaining('changed'),
    });
    expect(await space.repository.changes(space.first)).toEqual(['M README.md']);
    expect((await space.revision()).id).toBe(space.before);
  });
});
