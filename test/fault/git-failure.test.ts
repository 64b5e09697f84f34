import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSpace } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

/** A server with settings as they are, but for a folder that is named from the working directory. */
let server: StartedServer;
let guarded: Repositories;
let space: string;
beforeAll(async () => {
  guarded = await openRepositories({ credentials: { username: 'ada', password: 'correct-horse' } });
  await guarded.commit('docs', { 'README.md': '# Docs\n' });
  server = await startServer({ env: { DATA_DIR: './data', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  space = await newSpace(server, (await server.get('/v1/orgs')).body.items[0].id);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await guarded.close();
});

const address = (password: string, path: string) =>
  `${guarded.url.replace('//', password ? `//ada:${password}@` : '//')}/${path}`;

interface Line {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** The lines of the log about jobs that failed, since the last look. */
function failedJobs(): Line[] {
  const lines = server.output().split('\n').slice(read);
  read += lines.length;
  return lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg.startsWith('job failed'));
}
let read = 0;

it('imports below a data folder that is named from the working directory', async () => {
  const { state } = await importInto(server, space, { url: address('correct-horse', 'docs.git') });
  expect(state).toBe('success');
  expect(existsSync(join(server.dataDir, 'data', 'git'))).toBe(true);
  expect(failedJobs()).toEqual([]);
});

it.each([
  ['refs/heads/missing', 'correct-horse', 'docs.git', 'the repository has no branch missing', /remote ref/],
  ['refs/heads/main', 'correct-horse', 'gone.git', 'the repository was not found', /not found/],
  ['refs/heads/main', 'wrong-horse', 'docs.git', 'the credentials were not accepted', /Authentication failed/],
  ['refs/heads/main', '', 'docs.git', /is private or does not exist/, /could not read Username/],
])('says what of %s is wrong, and logs no error for it: %#', async (ref, password, path, told, words) => {
  const operation = await importInto(server, space, { url: address(password, path), ref });
  expect(operation).toMatchObject({ state: 'failure', error: expect.stringMatching(told) });
  await server.said(words);
  const [line, ...others] = failedJobs();
  expect(others).toEqual([]);
  expect(line).toMatchObject({ level: 'warn', kind: 'gitImport', space, git: expect.stringMatching(words) });
  expect(line?.requestId).toEqual(expect.stringMatching(/\S{8}/));
  expect(server.output()).not.toMatch(/horse/);
});

it('says where to look when the fault is ours', async () => {
  // Git's own folder is a file.
  const other = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  await writeFile(join(other.dataDir, 'git'), '');
  const own = await newSpace(other, (await other.get('/v1/orgs')).body.items[0].id);
  const operation = await importInto(other, own, { url: address('correct-horse', 'docs.git') });
  expect(operation).toMatchObject({ state: 'failure' });
  const [, requestId] = /look for request (\S+) in its log/.exec(operation.error) ?? [];
  await other.said(new RegExp(`"level":"error".*"requestId":"${requestId}".*"msg":"job failed"`));
  expect(await other.stop()).toBe(0);
});
