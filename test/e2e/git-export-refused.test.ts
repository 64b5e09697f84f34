import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { RefusalClient } from '../support/refusals.js';

const client = shared();
const asking = new RefusalClient(client);
const ref = 'refs/heads/main';
const url = 'https://github.com/acme/docs.git';
const commitMessage = 'Export';
const good = { url, ref, commitMessage };
let space: string;
beforeAll(async () => {
  space = await newSpace(client, await newOrganization(client));
});

const urls = [
  '',
  5,
  null,
  [url],
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ext::sh -c id',
  'data:text/html,x',
  'git://github.com/acme/docs.git',
  '--receive-pack=id',
  '-u',
  '/etc',
  'git@github.com:acme/docs.git',
  'ssh://git@github.com/acme/docs.git',
  'ftp://github.com/acme/docs.git',
  'https://',
  'https://[',
  'http://10.0.0.1/docs.git',
  'http://169.254.169.254/latest',
  'http://[::1]/docs.git',
  'http://[::ffff:10.0.0.1]/docs.git',
  'http://0x0a000001/docs.git',
  'http://192.168.1.1:8080/docs.git',
  'https://ada:a%0Ab@github.com/acme/docs.git',
  'https://ada%00:b@github.com/acme/docs.git',
  `https://github.com/${'x'.repeat(2048)}`,
];
const refs = [
  '',
  7,
  'main',
  'refs/heads/',
  'refs/heads/a..b',
  'refs/heads/--output=x',
  'refs/heads/a b',
  'refs/heads/a\nb',
  'refs/heads/a:refs/heads/b',
  'refs/heads/HEAD',
  'refs/heads/x.lock',
  'refs/tags/v1',
  '+refs/heads/main',
  ':refs/heads/main',
  `refs/heads/${'x'.repeat(600)}`,
];
const messages = ['', '  \n\t ', 5, null, 'x'.repeat(10_001)];
const others: [object, string][] = [
  [{ timestamp: 'yesterday' }, 'timestamp'],
  [{ timestamp: '2026-13-01T00:00:00Z' }, 'timestamp'],
  [{ timestamp: 5 }, 'timestamp'],
  [{ force: 'yes' }, 'force'],
  [{ force: 1 }, 'force'],
  [{ repoCacheID: '' }, 'repoCacheID'],
  [{ repoCacheID: 'x'.repeat(257) }, 'repoCacheID'],
  [{ repoProjectDirectory: '../..' }, 'repoProjectDirectory'],
  [{ repoProjectDirectory: 'docs/../../x' }, 'repoProjectDirectory'],
  [{ repoProjectDirectory: 'x'.repeat(1025) }, 'repoProjectDirectory'],
  [{ repoProjectDirectory: 5 }, 'repoProjectDirectory'],
  [{ repoTreeURL: 'javascript:alert(1)' }, 'repoTreeURL'],
  [{ repoTreeURL: 'http://%' }, 'repoTreeURL'],
  [{ repoCommitURL: 'nope' }, 'repoCommitURL'],
  [{ gitInfo: 'github' }, 'gitInfo'],
  [{ gitInfo: { provider: 'svn', url } }, 'provider'],
  [{ gitInfo: { provider: 'github', url: 'nope' } }, 'gitInfo.url'],
  [{ gitInfo: { provider: 'github', url: 'data:text/html,x' } }, 'gitInfo.url'],
  [{ gitInfo: { provider: 'github' } }, 'gitInfo.url'],
];
const bad: [body: object, field: string][] = [
  [{ ref, commitMessage }, 'url'],
  [{ url, commitMessage }, 'ref'],
  [{ url, ref }, 'commitMessage'],
  ...urls.map((value): [object, string] => [{ ...good, url: value }, 'url']),
  ...refs.map((value): [object, string] => [{ ...good, ref: value }, 'ref']),
  ...messages.map((value): [object, string] => [{ ...good, commitMessage: value }, 'commitMessage']),
  ...others.map(([fields, field]): [object, string] => [{ ...good, ...fields }, field]),
];
const named = bad.map(([body, field]): [string, object, string] => [JSON.stringify(body).slice(0, 120), body, field]);

describe('a request to export', () => {
  it.each(named)('%s is refused by name and starts nothing', async (_, body, field) => {
    const answer = await asking.post(`/v1/spaces/${space}/git/export`, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    expect(answer.body.error.message).not.toContain('ada');
    if (asking.hasSent()) expect((await client.get(`/v1/spaces/${space}/git/info`)).status).toBe(404);
  });

  it.each([
    ['no JSON', '{"url":', 400],
    ['a list', '[]', 400],
    ['nothing', '', 400],
    ['too much', JSON.stringify({ ...good, commitMessage: 'x'.repeat(1_500_000) }), 413],
  ])('with a body that is %s is refused', async (_, raw, status) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await client.request('POST', `/v1/spaces/${space}/git/export`, undefined, { raw, headers });
    expect(answer.status).toBe(status);
    expect((await client.get(`/v1/spaces/${space}/git/info`)).status).toBe(404);
  });

  it('of a space that is deleted or unknown is 404', async () => {
    const gone = await newSpace(client, await newOrganization(client));
    await client.delete(`/v1/spaces/${gone}`);
    for (const id of [gone, 'nowhere'])
      expect((await client.post(`/v1/spaces/${id}/git/export`, good)).status).toBe(404);
  });
});
