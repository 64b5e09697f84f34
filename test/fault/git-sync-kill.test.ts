import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import { inserted } from '../support/content-changes.js';
import { passed } from '../support/git-front.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { Installation } from './kills/installation.js';
import { heldAt } from './kills/jobs.js';

/** How often the server is killed; more on request. */
const kills = Number(process.env.KILLS ?? 3);
/** Answers of the repository after which a kill comes at the latest: about those of a sync. */
const maxAnswers = 8;

let installation: Installation;
let repositories: Repositories;
let front: Awaited<ReturnType<typeof watchedFront>>;
beforeAll(async () => {
  repositories = await openRepositories({ allowPush: true });
  front = await watchedFront(repositories);
  installation = await Installation.start();
});
afterAll(async () => {
  await installation.close();
  await front.close();
  await repositories.close();
});

/** A server in front of repositories, which counts what it answered. While it is silent, it answers nothing. */
async function watchedFront({ url }: { url: string }) {
  const seen = { answers: 0, silent: false, waiting: 0 };
  const server = createServer((message, reply) => {
    if (seen.silent) seen.waiting++;
    else void passed(url, message, reply).then(() => seen.answers++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function connected() {
  const { client } = installation;
  const [organization] = (await client.get('/v1/orgs')).body.items;
  const setting = { client, organization: organization.id, repositories };
  const made = await spaceWithRepository(setting, { 'README.md': '# Welcome\n', 'a.md': '# A\n', 'b.md': '# B\n' });
  const repositoryUrl = `${front.url}/${made.name}.git`;
  const connection = await connect(made, { providerConfiguration: { repositoryUrl, branch: 'refs/heads/main' } });
  await connection.settled();
  return { made, connection };
}
type Connected = Awaited<ReturnType<typeof connected>>;

/** Both sides have the same pages, each once, and each word came to the branch by one commit. */
async function expectEqual({ made }: Connected, words: string[]) {
  const { client } = installation;
  const sourceOf = async ({ id }: { id: string }): Promise<string> =>
    (await client.get(`/v1/spaces/${made.space}/content/page/${id}?format=source`)).body.source.trim();
  const paths = (await made.repository.paths()).filter((path) => path.endsWith('.md') && path !== 'SUMMARY.md');
  const files = await Promise.all(paths.map((path) => made.repository.file(path)));
  const pages = await Promise.all((await made.pages()).map(sourceOf));
  expect(pages.sort()).toEqual(files.sort());
  for (const word of words) {
    const commits = await made.repository.git('log', '--format=%h', '-S', word, 'main', '--', ...paths);
    expect([word, commits.split('\n').filter(Boolean).length]).toEqual([word, 1]);
  }
}

/** Commits what a person wrote, again where a sync was faster. */
async function commitTo({ made }: Connected, path: string, word: string, attempts = 5): Promise<void> {
  try {
    await made.commit({ [path]: appended(await made.repository.file(path), word) });
  } catch (error) {
    if (attempts === 1) throw error;
    await commitTo({ made } as Connected, path, word, attempts - 1);
  }
}

const appended = (text: string, word: string) => `${text.trim()}\n\n${word}\n`;

it('kill -9 at random points of syncs, with both sides writing: no word is lost, and none is written twice', async () => {
  const pair = await connected();
  const { made, connection } = pair;
  const words: string[] = [];
  for (let round = 0; round < kills; round++) {
    const [git, bindery, page] = [`g${round}g`, `b${round}b`, `p${round}p`];
    await commitTo(pair, 'a.md', git);
    await made.write(await made.edited('B', appended(await made.source('B'), bindery)), inserted(page));
    words.push(git, bindery);
    const wanted = front.seen.answers + randomInt(1, maxAnswers + 1);
    await installation.client.post(`${connection.path}/sync`);
    await eventually('so many answers', () => front.seen.answers >= wanted);
    await installation.killAndStart();
  }
  await connection.sync();
  await connection.settled();
  await connection.sync();
  await expectEqual(pair, words);
});

it('two kills, of which the first came after the push: what the set aside sync pushed is not taken for news of the branch', async () => {
  const pair = await connected();
  const { made, connection } = pair;
  await made.write(inserted('New'));
  const held = await heldAt(repositories, made.name, 'post-receive');
  await held.hold('exit 0');
  await installation.client.post(`${connection.path}/sync`);
  await held.waits();
  front.seen.silent = true;
  await installation.killAndStart();
  await held.release();
  await eventually('the second run', () => front.seen.waiting > 0);
  await installation.killAndStart();
  front.seen.silent = false;
  expect((await connection.sync()).state).toBe('connected');
  expect((await made.pages()).map(({ title }) => title)).toEqual(['Welcome', 'A', 'B', 'New']);
  expect(await made.repository.messages()).toHaveLength(2);
  await expectEqual(pair, []);
});
