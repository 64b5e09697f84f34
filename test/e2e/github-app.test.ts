import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import { githubWithApp } from '../support/github.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

let repositories: Repositories;
let github: Awaited<ReturnType<typeof githubWithApp>>;
let server: StartedServer;
let dataDir: string;
/** The organization that uses the installation on `acme`, and one that uses none. */
let [acme, others] = ['', ''];
beforeAll(async () => {
  repositories = await openRepositories({ allowPush: true });
  github = await githubWithApp(repositories, [
    { id: 11, account: 'acme' },
    { id: 22, account: 'globex' },
  ]);
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-github-'));
  const first = await startServer({ dataDir });
  [acme, others] = [await newOrganization(first), await newOrganization(first)];
  await first.stop();
  server = await startServer({
    dataDir,
    env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', ...github.settings, GITHUB_APP_INSTALLATIONS: `${acme}=11` },
  });
});
afterAll(async () => {
  await server.stop();
  await github.close();
  await repositories.close();
  await rm(dataDir, { recursive: true, force: true });
});

const docs = { 'README.md': '# Welcome\n\nHello.\n' };

const withRepository = () => spaceWithRepository({ client: server, organization: acme, repositories }, docs);

const setupFor = (repositoryUrl: string) => ({
  provider: 'github',
  providerConfiguration: { repositoryUrl, branch: 'refs/heads/main' },
});

/** Connects a new space with a repository; the connection when the first look has failed. */
async function refused(organization: string, repositoryUrl: string) {
  const { body } = await server.post('/v1/git/installations', {
    target: { type: 'space', spaceId: await newSpace(server, organization) },
    ...setupFor(repositoryUrl),
  });
  return eventually(
    'the end of a look',
    async () => (await server.get(`/v1/git/installations/${body.id}`)).body,
    ({ error }) => error !== undefined,
  );
}

it('a connection without a token syncs both ways by the App, and tells of it', async () => {
  const made = await withRepository();
  const connection = await connect(made, setupFor(`${github.url}/acme/${made.name}.git`));
  await connection.settled();
  expect(await made.source('Welcome')).toContain('Hello.');
  await made.write(await made.edited('Welcome', 'Written.\n'));
  await connection.sync();
  expect(await repositories.git(made.name, 'show', 'main:README.md')).toContain('Written.');
  const statuses = () => github.asked.filter(({ path }) => path.startsWith(`/repos/acme/${made.name}/statuses/`));
  await eventually('a status of both commits', statuses, ({ length }) => length >= 2);
  expect(statuses().every(({ token }) => token.startsWith('ghs_'))).toBe(true);
  const made2 = github.asked.filter(({ body }) => body?.repositories?.includes(made.name));
  // One token for one repository serves all of it.
  expect(made2.map(({ body, path }) => [path, body])).toEqual([
    ['/app/installations/11/access_tokens', { repositories: [made.name] }],
  ]);
});

it('a token that the host no longer accepts is made anew', async () => {
  const made = await withRepository();
  const connection = await connect(made, setupFor(`${github.url}/acme/${made.name}.git`));
  await connection.settled();
  github.revokeTokens();
  await made.commit({ 'README.md': '# Welcome\n\nPushed.\n' });
  const { path } = connection;
  await server.post(`${path}/sync`, {});
  await eventually('a refusal', connection.get, ({ status }) => status === 'unauthenticated');
  await server.post(`${path}/sync`, {});
  await connection.settled();
  expect(await made.source('Welcome')).toContain('Pushed.');
});

it('the repositories of the installations of an organization are listed, and of no other', async () => {
  const list = async (organization: string) => {
    const target = { type: 'space', spaceId: await newSpace(server, organization) };
    const { body } = await server.post('/v1/git/installations', { provider: 'github', target });
    return server.get(`/v1/git/installations/${body.id}/github/repos`);
  };
  const [ofAcme, ofOthers] = [await list(acme), await list(others)];
  expect(ofAcme.body.items.map(({ fullName }: { fullName: string }) => fullName)).toEqual(['acme/docs']);
  expect(ofOthers.status).toBe(409);
});

describe('the App is of no use', () => {
  it('to an organization that has no installation', async () => {
    const { name } = await withRepository();
    expect(await refused(others, `${github.url}/acme/${name}.git`)).toMatchObject({ status: 'unauthenticated' });
  });

  it('for repositories of an installation that the organization does not have', async () => {
    const { name } = await withRepository();
    const asked = github.asked.length;
    expect(await refused(acme, `${github.url}/globex/${name}.git`)).toMatchObject({
      status: 'unauthenticated',
      error: `the GitHub App is not installed on globex/${name} for this organization`,
    });
    const tokens = github.asked.slice(asked).filter(({ path }) => path.endsWith('access_tokens'));
    expect(tokens).toEqual([]);
  });

  it('on another host, which is shown no token', async () => {
    const { name } = await withRepository();
    const asked = github.asked.length;
    const repositoryUrl = `${github.url.replace('127.0.0.1', 'localhost')}/acme/${name}.git`;
    await refused(acme, repositoryUrl);
    expect(github.asked.slice(asked).filter(({ token }) => token !== '')).toEqual([]);
  });
});
