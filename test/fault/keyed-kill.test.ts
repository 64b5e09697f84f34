import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../shared/free-port.js';
import { newOrganization, walk } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

const clients = 16;
const kills = 3;
const writesOfClient = 60;

it('a write with an Idempotency-Key that is sent until it is answered is done once, over kill -9', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-keyed-kill-'));
  const port = await freePort();
  const start = () => startServer({ dataDir: folder, port });
  let server: StartedServer = await start();
  const path = `/v1/orgs/${await newOrganization(server)}/spaces`;
  const told = { first: 0, again: 0, lost: 0 };

  async function write(title: string): Promise<void> {
    for (;;) {
      const answer = await server
        .post(path, { title }, { headers: { 'Idempotency-Key': title } })
        .catch(() => undefined);
      if (answer?.status === 201) {
        told[answer.headers.get('idempotent-replayed') ? 'again' : 'first'] += 1;
        return;
      }
      if (answer?.status === 409 && answer.body.error.message.includes('its answer is lost')) {
        told.lost += 1;
        return;
      }
      // Under way still, as far as the server knows; or down.
      if (answer) expect([409, 503, 504]).toContain(answer.status);
      await delay(20);
    }
  }
  let left = clients * writesOfClient;
  const writing = Promise.all(
    Array.from({ length: clients }, async () => {
      while (left > 0) await write(`space-${left--}`);
    }),
  );
  for (let kill = 1; kill <= kills; kill++) {
    const until = clients * writesOfClient * (1 - kill / (kills + 1));
    while (left > until) await delay(5);
    await server.kill();
    server = await start();
  }
  await writing;
  const titles = (await walk<{ title: string }>(server, path, 1000)).map(({ title }) => title);
  expect(titles.sort()).toEqual(Array.from({ length: clients * writesOfClient }, (_, at) => `space-${at + 1}`).sort());
  expect(told.first + told.again + told.lost).toBe(clients * writesOfClient);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 180_000);
