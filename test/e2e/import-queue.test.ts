import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';

/** A Git server that answers only when it closes. */
const waiting = new Set<ServerResponse>();
const silent = createServer((_message, reply) => waiting.add(reply));
let silentUrl: string;
let repositories: Repositories;
beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/silent.git`;
  repositories = await openRepositories();
  await repositories.commit('queue', { 'README.md': '# Quick\n' });
});
afterAll(async () => {
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  await repositories.close();
});

it('does not make one organization wait for the imports of another, and bounds how many may wait', async () => {
  const client = shared();
  const [busy, other] = [await newOrganization(client), await newOrganization(client)];
  const spaces = await Promise.all(Array.from({ length: 5 }, () => newSpace(client, busy)));
  const requested: number[] = [];
  for (let index = 0; index < 205; index++) {
    const path = `/v1/spaces/${spaces[index % spaces.length]}/git/import`;
    requested.push((await client.post(path, { url: silentUrl, ref: 'refs/heads/main' })).status);
  }
  expect(requested.slice(0, 200)).toEqual(Array(200).fill(204));
  expect(requested.slice(200)).toEqual(Array(5).fill(429));

  const space = await newSpace(client, other);
  const { state } = await importInto(client, space, { url: `${repositories.url}/queue.git` });
  expect(state).toBe('success');
  const { body } = await client.get(`/v1/spaces/${spaces[4]}/git/info`);
  expect(body.operation).toMatchObject({ state: 'running', queued: true, startedAt: expect.any(String) });
});
