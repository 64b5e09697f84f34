import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { petstore, processed, textOf } from '../support/openapi.js';
import { startServer } from '../support/server.js';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-openapi-kill-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const start = () => startServer({ dataDir, env: { CHECK_RESPONSES: 'false' } });

/** About five megabytes. */
const large = (title: string) => {
  const paths = Object.fromEntries(
    Array.from({ length: 4000 }, (_, at) => [
      `/${at}`,
      { get: { summary: `${title} ${at}`, description: 'x'.repeat(1200) } },
    ]),
  );
  return petstore(title, { paths });
};

it('kill -9 while a specification is processed leaves the version before, until the next is whole', async () => {
  let server = await start();
  const [organization] = (await server.get('/v1/orgs')).body.items;
  const path = `/v1/orgs/${organization.id}/openapi/large`;
  const titleOf = async () =>
    (await server.get(`${path}/versions/latest/content`)).body.filesystem['openapi.json'].specification.info.title;
  expect((await server.put(path, textOf(large('0')))).status).toBe(200);
  await processed(server, path);
  for (const [round, delay] of [0, 100, 250, 500].entries()) {
    const title = `${round + 1}`;
    expect((await server.put(path, textOf(large(title)))).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await server.kill();
    server = await start();
    expect([`${round}`, title]).toContain(await titleOf());
    expect(await processed(server, path)).not.toHaveProperty('lastProcessErrorCode');
    expect([await titleOf(), (await server.get(`${path}/versions`)).body.count]).toEqual([title, round + 2]);
  }
  expect(await server.stop()).toBe(0);
}, 120_000);
