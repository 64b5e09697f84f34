import { createHmac } from 'node:crypto';
import { gitPreviews } from '../../services/content/exchange/sync/previews/model.js';
import { eventually } from '../../shared/testing/eventually.js';
import { exportSetting } from '../support/exports.js';
import { withStore } from '../support/fixtures.js';
import { gitHost } from '../support/git-host.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import type { CommittedFiles } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

const docs: CommittedFiles = { 'README.md': '# Welcome\n\nHello.\n' };

let host: Awaited<ReturnType<typeof gitHost>>;
beforeAll(async () => {
  host = await gitHost(setting.repositories);
});
afterAll(() => host.close());

/** A connection by way of a host, and how the host sends its webhooks. */
async function hooked(provider: string) {
  const made = await spaceWithRepository(setting, docs);
  const repositoryUrl = `${host.url}/${made.name}.git`;
  const connection = await connect(made, {
    provider,
    providerConfiguration: { repositoryUrl, branch: 'refs/heads/main', accessToken: 'token-of-host' },
  });
  await connection.settled();
  const { url, secret } = connection.first.webhook;
  const send = async (headers: Record<string, string>, body: string) =>
    (await fetch(`${client.url}${new URL(url).pathname}`, { method: 'POST', headers, body })).status;
  return { made, connection, send, secret: secret as string };
}

const macOf = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

describe('a push is noticed by the webhook', () => {
  const push = JSON.stringify({ ref: 'refs/heads/main' });
  const bitbucket = JSON.stringify({ push: { changes: [{ new: { type: 'branch', name: 'main' } }] } });
  it.each<[string, string, (secret: string) => Record<string, string>, string]>([
    [
      'github',
      'of GitHub',
      (secret) => ({ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${macOf(secret, push)}` }),
      push,
    ],
    [
      'gitea',
      'of Gitea and Forgejo',
      (secret) => ({ 'x-gitea-event': 'push', 'x-gitea-signature': macOf(secret, push) }),
      push,
    ],
    ['gitlab', 'of GitLab', (secret) => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }), push],
    [
      'bitbucket',
      'of Bitbucket',
      (secret) => ({ 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${macOf(secret, bitbucket)}` }),
      bitbucket,
    ],
    ['git', 'of any program', (secret) => ({ authorization: `Bearer ${secret}` }), ''],
  ])('%s: %s', async (provider, _, headers, body) => {
    const { made, connection, send, secret } = await hooked(provider);
    await made.commit({ 'README.md': '# Welcome\n\nPushed.\n' });
    expect(await send(headers(secret), body)).toBe(202);
    await eventually(
      'the push',
      () => made.source('Welcome'),
      (source) => source.includes('Pushed.'),
    );
    await connection.settled();
  });
});

it('is refused without the secret, and ignored when it is about something else', async () => {
  const { send, secret } = await hooked('github');
  const body = JSON.stringify({ ref: 'refs/heads/other' });
  const signed = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${macOf(secret, body)}` };
  expect(await send({ 'x-github-event': 'push' }, body)).toBe(401);
  expect(await send({ ...signed, 'x-hub-signature-256': `sha256=${macOf('guess', body)}` }, body)).toBe(401);
  expect(await send(signed, `${body} `)).toBe(401);
  expect(await send(signed, body)).toBe(200);
  expect(await send({ 'x-github-event': 'ping', authorization: `Bearer ${secret}` }, '{"zen":1}')).toBe(200);
  expect(await send({ 'x-github-event': 'pull_request', authorization: `Bearer ${secret}` }, '{"number":')).toBe(200);
  const unknown = await fetch(`${client.url}/~git/hooks/nobody`, { method: 'POST', body: '' });
  expect(unknown.status).toBe(404);
});

it('a pull request gets a preview of each commit, a status and one comment; the space stays as it is', async () => {
  const { made, connection, send, secret } = await hooked('gitea');
  const pullNews = async (sha: string, { title = 'Say more' } = {}) => {
    const pull_request = { title, state: 'open', head: { sha }, base: { ref: 'main' } };
    const body = JSON.stringify({ number: 7, pull_request });
    expect(await send({ 'x-gitea-event': 'pull_request', 'x-gitea-signature': macOf(secret, body) }, body)).toBe(202);
  };
  const pull = async (text: string) => {
    const sha = await made.commit({ 'README.md': `# Welcome\n\n${text}\n` }, 'change');
    await made.repository.git('update-ref', 'refs/pull/7/head', sha);
    await pullNews(sha);
    return sha;
  };
  const told = (method: string, part: string) =>
    eventually(
      `${method} ${part}`,
      async () => host.calls.find((call) => call.method === method && call.path.includes(part)),
      (call) => call !== undefined,
    );
  const sha = await pull('Proposed.');
  const status = await told('POST', `${made.name}/statuses/${sha}`);
  expect(status).toMatchObject({
    authorization: 'token token-of-host',
    body: { state: 'success', context: 'bindery/preview', target_url: expect.stringContaining('/~/revisions/') },
  });
  const comment = await told('POST', `${made.name}/issues/7/comments`);
  const revision = /revisions\/(\w+)\)/.exec(comment?.body.body)?.[1];
  const pages = (await client.get(`/v1/spaces/${made.space}/revisions/${revision}/pages`)).body.pages;
  const page = `/v1/spaces/${made.space}/revisions/${revision}/page/${pages[0].id}?format=markdown`;
  expect((await client.get(page)).body.markdown).toContain('Proposed.');
  expect(await made.source('Welcome')).toContain('Hello.');
  const again = await pull('Proposed again.');
  await told('PATCH', `${made.name}/issues/comments/`);

  const previews = () => withStore([gitPreviews], (store) => store.count(gitPreviews, { space: made.space }));
  await eventually(
    'what was told',
    () => withStore([gitPreviews], (store) => store.findOne(gitPreviews, { space: made.space, told: true })),
    (preview) => preview?.commit === again,
  );
  const calls = host.calls.length;
  await pullNews(again, { title: 'With a label' });
  const next = await pull('Proposed a third time.');
  await told('POST', `${made.name}/statuses/${next}`);
  expect(host.calls.slice(calls).filter(({ path }) => path.includes(`statuses/${again}`))).toEqual([]);

  expect((await client.delete(connection.path)).status).toBe(205);
  expect(await previews()).toBe(0);
});
