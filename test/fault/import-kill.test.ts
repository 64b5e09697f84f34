import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { newSpace } from '../support/fixtures.js';
import { importInto, openRepositories, operationEnd, type Repositories } from '../support/repository.js';
import { startServer } from '../support/server.js';

let dataDir: string;
let repositories: Repositories;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-kill-'));
  repositories = await openRepositories();
});
afterAll(async () => {
  await repositories.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startServer({ dataDir, env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', CHECK_RESPONSES: 'false' } });

describe('kill -9 in the middle of an import', () => {
  it('happens twice to one import at most: then it is set aside, and says so', async () => {
    const { waiting, close, url } = await silentServer();
    let server = await start();
    const [organization] = (await server.get('/v1/orgs')).body.items;
    const space = await newSpace(server, organization.id);
    await server.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
    for (const request of [1, 2]) {
      await waiting(request);
      await server.kill();
      server = await start();
    }
    const end = await operationEnd(server, space);
    expect(end).toMatchObject({ state: 'failure', error: expect.stringContaining('twice') });
    // Counted after the operation ended.
    const counted = async () =>
      /bindery_job_runs_total\{.*outcome="set_aside"\} 1/.test((await server.get('/metrics')).body);
    await eventually('the count', counted);
    await repositories.commit('docs', { 'README.md': '# Docs\n' });
    const next = await importInto(server, space, { url: `${repositories.url}/docs.git` });
    expect(next).toMatchObject({ state: 'success' });
    expect(await server.stop()).toBe(0);
    await close();
  });
});

/** A Git server that answers nothing; `waiting` resolves at its request of this number. */
async function silentServer() {
  const requests = new EventEmitter();
  let count = 0;
  const server = createServer(() => requests.emit(String(++count)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/silent.git`,
    waiting: async (number: number) => (count >= number ? undefined : once(requests, String(number))),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
