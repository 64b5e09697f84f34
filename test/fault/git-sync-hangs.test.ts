import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import { exportedSpace } from '../support/exports.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { passed } from '../support/git-front.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

let repositories: Repositories;
let server: StartedServer;
beforeAll(async () => {
  repositories = await openRepositories({ allowPush: true });
  await repositories.commit('docs', { 'README.md': '# Welcome\n' });
  // A look is given up after six seconds, and so is a transfer without bytes.
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', TIME_SCALE: '0.2' } });
});
afterAll(async () => {
  await server.stop();
  await repositories.close();
});

/** A host that takes some requests and never answers; the first folder of an address says whose repository it is. */
async function hangingHost(hangs: (message: IncomingMessage) => boolean) {
  const hung = new Map<string, number>();
  let open = 0;
  const host = createServer((message, reply) => {
    const [, tenant = '', path] = /^\/([^/]+)(.*)$/.exec(message.url ?? '') ?? [];
    if (!hangs(message)) {
      message.url = path;
      // Without it, the branches are listed before any transfer.
      delete message.headers['git-protocol'];
      return void passed(repositories.url, message, reply);
    }
    hung.set(tenant, (hung.get(tenant) ?? 0) + 1);
    open++;
    reply.once('close', () => open--);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    hung,
    open: () => open,
    async close() {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
    },
  };
}

/** Connections of many tenants with repositories of a host; all sync at once when it is called. */
async function hostileTenants(host: { url: string }, count: number) {
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, tenant) => {
      const { body } = await server.post('/v1/git/installations', {
        provider: 'git',
        target: { type: 'space', spaceId: await newSpace(server, await newOrganization(server)) },
        providerConfiguration: { repositoryUrl: `${host.url}/${tenant}/docs.git`, branch: 'refs/heads/main' },
      });
      return body.id as string;
    }),
  );
  return () => Promise.all(ids.map((id) => server.post(`/v1/git/installations/${id}/sync`, {})));
}

/** Connects, syncs, imports and exports for a tenant whose host answers. */
async function expectOthersGoOn(name: string) {
  const setting = { client: server, organization: await newOrganization(server), repositories };
  const made = await spaceWithRepository(setting, { 'README.md': '# Welcome\n' });
  await (await connect(made)).settled();
  const other = await exportedSpace(setting, name);
  await repositories.commit(name, { 'README.md': '# Welcome\n' });
  expect((await other.importNow()).state).toBe('success');
  expect((await other.exportNow()).state).toBe('success');
}

const cases: [string, (message: IncomingMessage) => boolean, number][] = [
  ['look', () => true, 20],
  ['transfer', ({ url }) => url?.endsWith('/git-upload-pack') === true, 10],
];

it.each(cases)(
  'more tenants than lanes whose hosts hang at each %s hold up nobody else',
  async (name, hangs, tenants) => {
    const host = await hangingHost(hangs);
    const syncAll = await hostileTenants(host, tenants);
    await eventually('each of them hanging once', () => host.hung.size === tenants);
    const before = new Map(host.hung);
    const again = () => [...host.hung].filter(([tenant, times]) => times > (before.get(tenant) ?? 0)).length;
    await syncAll();
    await eventually('several of them hanging again', () => again() >= 2 && host.open() >= 2);
    await expectOthersGoOn(`others-${name}`);
    expect(host.open()).toBeGreaterThan(0);
    expect(again()).toBeLessThan(tenants);
    await host.close();
  },
);
