import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import type { Setting } from '../support/exports.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { passed } from '../support/git-front.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

let repositories: Repositories;
let server: StartedServer;
beforeAll(async () => {
  repositories = await openRepositories({ allowPush: true });
  // A look is given up after six seconds.
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', TIME_SCALE: '0.2' } });
});
afterAll(async () => {
  await server.stop();
  await repositories.close();
});

type Answer = (message: IncomingMessage, reply: ServerResponse) => void;

async function listening(answer: Answer) {
  const host = createServer(answer);
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    async close() {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
    },
  };
}

const packet = (line: string) => `${(line.length + 4).toString(16).padStart(4, '0')}${line}`;

/** Refs without an end, as fast as they are taken. */
const endless: Answer = (_, reply) => {
  reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
  reply.write(`${packet('# service=git-upload-pack\n')}0000`);
  let count = 0;
  const more = () => {
    while (reply.write(packet(`${'1'.repeat(40)} refs/heads/branch-${count++}\n`)));
  };
  reply.on('drain', more);
  more();
};

const hosts: [string, Answer, RegExp][] = [
  ['never answers', () => undefined, /did not answer in time|connection to the repository failed/],
  ['lists refs without an end', endless, /more than \d+ bytes/],
  ['answers garbage', (_, reply) => void reply.end('\u0000garbage'.repeat(1000)), /no Git repository/],
  ['hangs up', (message) => void message.socket.destroy(), /could not be reached|connection/],
];

/** Connects a new space with a repository of a host; the connection as it is shown. */
async function connectWith(organization: string, repositoryUrl: string) {
  const { body } = await server.post('/v1/git/installations', {
    provider: 'git',
    target: { type: 'space', spaceId: await newSpace(server, organization) },
    providerConfiguration: { repositoryUrl, branch: 'refs/heads/main' },
  });
  return async () => (await server.get(`/v1/git/installations/${body.id}`)).body;
}

it.each(hosts)('a host that %s breaks the connection, with words', async (_, answer, words) => {
  const host = await listening(answer);
  const get = await connectWith(await newOrganization(server), `${host.url}/x.git`);
  const { error } = await eventually('the end of a look', get, ({ state }) => state === 'broken');
  expect(error).toMatch(words);
  await host.close();
});

const newSetting = async (): Promise<Setting> => ({
  client: server,
  organization: await newOrganization(server),
  repositories,
});

/** How many connections of one tenant hang at once. */
const hanging = 6;

it('connections of a tenant that hang hold up no other tenant', async () => {
  let waiting = 0;
  const host = await listening(() => waiting++);
  const hostile = await newOrganization(server);
  for (let each = 0; each < hanging; each++) await connectWith(hostile, `${host.url}/x.git`);
  await eventually('looks that hang', () => waiting > 0);
  const connection = await connect(await spaceWithRepository(await newSetting(), { 'README.md': '# Welcome\n' }));
  await connection.settled();
  expect(waiting).toBeLessThan(hanging);
  await host.close();
});

const hooks = 1000;
const maxLooks = 10;

it(`${hooks} webhooks while the branch is looked at lead to few more looks`, async () => {
  let [looks, release] = [0, () => {}];
  let held: Promise<void> | undefined;
  const front = await listening((message, reply) => {
    if (message.url?.includes('info/refs?service=git-upload-pack')) looks++;
    void Promise.resolve(held).then(() => passed(repositories.url, message, reply));
  });
  const made = await spaceWithRepository(await newSetting(), { 'README.md': '# Welcome\n' });
  const repositoryUrl = `${front.url}/${made.name}.git`;
  const connection = await connect(made, { providerConfiguration: { repositoryUrl, branch: 'refs/heads/main' } });
  await connection.settled();
  const { url, secret } = connection.first.webhook;
  const send = async () => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${server.url}${new URL(url).pathname}`, { method: 'POST', headers })).status;
  };
  held = new Promise((resolve) => {
    release = resolve;
  });
  const before = looks;
  await send();
  await eventually('a look', () => looks > before);
  const answers = new Set<number>();
  for (let sent = 0; sent < hooks; sent += 50)
    for (const status of await Promise.all(Array.from({ length: 50 }, send))) answers.add(status);
  expect([...answers]).toEqual([202]);
  release();
  await eventually('the look after them', () => looks >= before + 2);
  await made.commit({ 'README.md': '# Welcome\n\nPushed.\n' });
  await connection.sync();
  // With those of the sync.
  expect(looks - before).toBeLessThanOrEqual(maxLooks);
  await front.close();
});
