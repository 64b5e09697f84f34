import { signedIn } from '../support/app-browser.js';
import type { Setting } from '../support/exports.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';
import { sshServer } from '../support/ssh-server.js';

let server: StartedServer;
let repositories: Repositories;
let ssh: Awaited<ReturnType<typeof sshServer>>;
let setting: Setting;
beforeAll(async () => {
  repositories = await openRepositories({ allowPush: true });
  ssh = await sshServer();
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  const [organization] = (await server.get('/v1/orgs')).body.items;
  setting = { client: server, organization: organization.id, repositories };
});
afterAll(async () => {
  expect(server.output()).not.toMatch(/PRIVATE KEY/);
  expect(await server.stop()).toBe(0);
  await ssh.close();
  await repositories.close();
});

it('a deploy key reaches a repository by ssh, both ways; a server with another host key is not trusted', async () => {
  const made = await spaceWithRepository(setting, { 'README.md': '# Welcome\n\nHello.\n' });
  const repositoryUrl = ssh.urlOf(repositories.folderOf(made.name));
  const configured = { repositoryUrl, branch: 'refs/heads/main', deployKey: 'generate' };
  const connection = await connect(made, { providerConfiguration: configured });
  const { publicKey } = connection.first.providerConfiguration;
  expect(JSON.stringify(connection.first)).not.toContain('PRIVATE');
  expect(await connection.settled('broken')).toMatchObject({
    status: 'unauthenticated',
    error: 'the deploy key was not accepted',
  });
  await ssh.authorize(publicKey);
  await connection.sync();
  await made.write(await made.edited('Welcome', '# Welcome\n\nBy ssh.\n'));
  await connection.sync();
  expect(await made.repository.file('README.md')).toContain('By ssh.');

  const browser = await signedIn(server, server.token);
  const screen = `/app/s/${made.space}/~/git`;
  await ssh.change();
  await browser.act(screen, 'configure', { message: 'Docs' });
  const { state, error } = await connection.sync();
  expect([state, error]).toEqual(['broken', expect.stringContaining('another host key')]);
  await browser.act(screen, 'configure', { message: 'Docs' });
  await connection.settled();

  await ssh.change();
  expect(await connection.sync()).toMatchObject({ state: 'broken' });
  await server.patch(connection.path, { providerConfiguration: { repositoryUrl } });
  await connection.settled();
});

it('an address that is not allowed is refused where ssh connects', async () => {
  const made = await spaceWithRepository(setting, null);
  const repositoryUrl = 'ssh://git@169.254.169.254/x.git';
  const configured = { repositoryUrl, branch: 'refs/heads/main', deployKey: 'generate' };
  const connection = await connect(made, { providerConfiguration: configured });
  expect((await connection.settled('broken')).error).toContain('169.254.169.254');
});
