import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { type ApiAnswer, gitApi } from '../support/git-api.js';

const client = shared();

let host: Awaited<ReturnType<typeof gitApi>>;
let organization: string;
beforeAll(async () => {
  host = await gitApi({});
  organization = await newOrganization(client);
});
afterAll(() => host.close());

/** A connection that is not to sync, so that its host is asked for nothing else. */
async function connection(provider: string, providerConfiguration: object, answers: Record<string, ApiAnswer> = {}) {
  Object.assign(host.answers, answers);
  const made = await client.post('/v1/git/installations', {
    provider,
    paused: true,
    target: { type: 'space', spaceId: await newSpace(client, organization) },
    providerConfiguration,
  });
  const at = `/v1/git/installations/${made.body.id}`;
  const get = async (path: string) => {
    const { status, body } = await client.get(`${at}${path}`);
    return { status, body };
  };
  return { made, at, get };
}

const next = { link: '<https://host/?page=2>; rel="next", <https://host/?page=9>; rel="last"' };

const repository = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  full_name: `acme/${name}`,
  owner: { login: 'acme' },
  default_branch: 'main',
  ...more,
});
const shown = (id: number, name: string) => ({
  id,
  accountName: 'acme',
  repositoryName: name,
  fullName: `acme/${name}`,
  defaultBranch: 'main',
});

const paged = '?per_page=100&limit=100&page=';

describe.each([
  ['github', '/api/v3', 'Bearer secret'],
  ['gitea', '/api/v1', 'token secret'],
])('with a repository of %s', (provider, api, authorization) => {
  const setup = () => ({ repositoryUrl: `${host.url}/acme/docs.git`, accessToken: 'secret' });

  it('the repositories of its token are listed in pages, as its host makes them', async () => {
    const { get } = await connection(provider, setup(), {
      [`GET ${api}/user/repos${paged}1`]: { body: [repository(1, 'docs')], headers: next },
      [`GET ${api}/user/repos${paged}2`]: { body: [repository(2, 'empty', { default_branch: null })] },
    });
    const first = await get('/github/repos');
    expect(first).toEqual({ status: 200, body: { items: [shown(1, 'docs')], next: { page: '0.2' } } });
    const second = await get(`/github/repos?page=${first.body.next.page}`);
    expect(second.body).toEqual({ items: [{ ...shown(2, 'empty'), defaultBranch: null }] });
    expect(host.asked.at(-1)).toEqual({ path: `${api}/user/repos${paged}2`, authorization });
    expect((await get('/github/repos?page=7.1')).status).toBe(400);
    expect((await get('/github/repos?page=two')).status).toBe(400);
  });

  it('the branches of a repository are listed, and a file is found', async () => {
    const file = { name: 'README.md', path: 'docs/README.md', sha: 'a1', size: 7 };
    const { get } = await connection(provider, setup(), {
      [`GET ${api}/repos/acme/docs/branches`]: { body: [{ name: 'main' }, { name: 'feature/a' }] },
      [`GET ${api}/repos/acme/docs/contents/docs/README.md?ref=feature%2Fa`]: { body: { type: 'file', ...file } },
      [`GET ${api}/repos/acme/docs/contents/docs?ref=main`]: { body: [{ type: 'file', ...file }] },
    });
    const at = '/github/repos/acme/docs';
    expect((await get(`${at}/branches`)).body).toEqual({
      items: [
        { name: 'main', ref: 'refs/heads/main' },
        { name: 'feature/a', ref: 'refs/heads/feature/a' },
      ],
    });
    expect(await get(`${at}/file?path=docs/README.md&ref=refs/heads/feature/a`)).toEqual({ status: 200, body: file });
    const refused = [
      `${at}/file?path=docs&ref=main`,
      `${at}/file?path=none.md&ref=main`,
      '/github/repos/acme/none/branches',
      '/github/repos/acme/../branches',
      `${at}/file?path=../../secret&ref=main`,
      `${at}/file?path=a.md`,
    ];
    const statuses = await Promise.all(refused.map(async (path) => (await get(path)).status));
    expect(statuses).toEqual([404, 404, 404, 404, 400, 400]);
  });

  it('a repository is chosen by its number', async () => {
    const { at, get } = await connection(provider, setup(), {
      [`GET ${api}/repositories/5`]: { body: { clone_url: `${host.url}/acme/five.git` } },
      [`GET ${api}/repositories/6`]: { body: { clone_url: 'https://elsewhere.example/acme/six.git' } },
    });
    const choose = (providerConfiguration: object) => client.patch(at, { providerConfiguration });
    const five = { repositoryUrl: `${host.url}/acme/five.git`, repositoryId: 5 };
    expect((await choose({ repositoryId: 5 })).body).toMatchObject({
      providerConfiguration: five,
      repositoryConnection: { repositoryId: '5', repositoryName: 'acme/five' },
    });
    for (const wrong of [{ repositoryId: 6 }, { repositoryId: 7 }, { repositoryId: 5, projectId: 5 }, { projectId: 5 }])
      expect([wrong, (await choose(wrong)).status]).toEqual([wrong, 400]);
    expect((await get('')).body.providerConfiguration).toEqual(five);
    const { body } = await choose({ repositoryUrl: `${host.url}/acme/docs.git` });
    expect(body.providerConfiguration).toEqual({ repositoryUrl: `${host.url}/acme/docs.git` });
  });
});

describe('with a project of GitLab', () => {
  const api = '/api/v4';
  const setup = () => ({ customInstanceURL: host.url, accessToken: 'secret' });

  it('projects and branches are listed, a file is found, and a project is chosen by its number', async () => {
    const { at, get } = await connection('gitlab', setup(), {
      [`GET ${api}/projects?membership=true&simple=true&per_page=100&limit=100&page=1`]: {
        body: [{ id: 3, path: 'docs', path_with_namespace: 'acme/web/docs', namespace: { full_path: 'acme/web' } }],
      },
      [`GET ${api}/projects/3/repository/branches`]: { body: [{ name: 'main' }] },
      [`HEAD ${api}/projects/3/repository/files/docs%2FREADME.md?ref=main`]: {
        headers: { 'x-gitlab-size': '7', 'x-gitlab-blob-id': 'a1' },
      },
      [`GET ${api}/projects/3`]: { body: { http_url_to_repo: `${host.url}/acme/web/docs.git` } },
    });
    expect((await get('/gitlab/projects')).body.items).toEqual([
      { id: 3, accountName: 'acme/web', repositoryName: 'docs', fullName: 'acme/web/docs', defaultBranch: null },
    ]);
    expect(host.asked.at(-1)?.authorization).toBe('Bearer secret');
    expect((await get('/gitlab/projects/3/branches')).body.items).toEqual([{ name: 'main', ref: 'refs/heads/main' }]);
    expect((await get('/gitlab/projects/3/file?path=docs/README.md&ref=main')).body).toEqual({
      name: 'README.md',
      path: 'docs/README.md',
      sha: 'a1',
      size: 7,
    });
    for (const path of [
      '/gitlab/projects/4/branches',
      '/gitlab/projects/x/branches',
      '/gitlab/projects/3/file?path=a&ref=b',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    const { body } = await client.patch(at, { providerConfiguration: { projectId: 3 } });
    expect(body.providerConfiguration).toEqual({
      repositoryUrl: `${host.url}/acme/web/docs.git`,
      projectId: 3,
      customInstanceURL: host.url,
    });
    const cleared = await client.patch(at, { providerConfiguration: { customInstanceURL: null } });
    expect(cleared.body.providerConfiguration).not.toHaveProperty('customInstanceURL');
  });
});

describe('a host that is not as it should be', () => {
  const cases: [string, ApiAnswer, RegExp][] = [
    ['refuses the token', { status: 401 }, /did not accept the credentials/],
    ['fails', { status: 500 }, /answered 500/],
    ['redirects', { status: 302, headers: { location: 'https://elsewhere.example/' } }, /answered 302/],
    ['answers something else', { body: '<html>' }, /in another form/],
    ['answers without end', { body: `["${'x'.repeat(9_000_000)}"]` }, /could not be asked/],
  ];
  it.each(cases)('and %s is a 422 that says so', async (_, answer, words) => {
    const own = await gitApi({ 'GET /api/v3/user/repos': answer });
    const { get } = await connection('github', { repositoryUrl: `${own.url}/a/b.git`, accessToken: 'secret' });
    const { status, body } = await get('/github/repos');
    expect([status, body.error.message]).toEqual([422, expect.stringMatching(words)]);
    await own.close();
  });
});

it('another host, no token and an address without a host are refused, with words', async () => {
  const github = await connection('github', { repositoryUrl: `${host.url}/acme/docs.git` });
  expect(await github.get('/gitlab/projects')).toMatchObject({ status: 409 });
  expect(await github.get('/github/repos')).toMatchObject({
    status: 409,
    body: { error: { message: 'This connection has no accessToken for the API of its host' } },
  });
  const gitea = await connection('gitea', { accessToken: 'secret' });
  expect(await gitea.get('/github/repos')).toMatchObject({ status: 409 });
  const gitlab = await connection('gitlab', { customInstanceURL: `${host.url}/path`, accessToken: 'secret' });
  expect(gitlab.made.body.error.message).toMatch('customInstanceURL: must be');
});

it('a token stays with the host that it was given for', async () => {
  const other = await gitApi({ 'GET /api/v3/user/repos': { body: [] } });
  const { at, get } = await connection('github', { repositoryUrl: `${host.url}/acme/docs.git`, accessToken: 'secret' });
  const move = (providerConfiguration: object) => client.patch(at, { providerConfiguration });
  expect((await move({ repositoryUrl: `${other.url}/acme/docs.git` })).status).toBe(200);
  expect((await get('/github/repos')).status).toBe(409);
  await move({ accessToken: 'another' });
  await move({ repositoryUrl: `${other.url}/acme/more.git` });
  expect((await get('/github/repos')).status).toBe(200);
  expect(other.asked.map(({ authorization }) => authorization)).toEqual(['Bearer another']);
  await other.close();
});

it('only who may sync the space asks its host', async () => {
  const { at } = await connection('github', { repositoryUrl: `${host.url}/acme/docs.git`, accessToken: 'secret' });
  const reader = await newUser(client, { organization, role: 'read' });
  const stranger = await newUser(client);
  const before = host.asked.length;
  const statuses = await Promise.all(
    [reader, stranger].map(async (user) => (await user.client.get(`${at}/github/repos`)).status),
  );
  expect([statuses, host.asked.length]).toEqual([[404, 404], before]);
});
