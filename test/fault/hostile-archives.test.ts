import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { ImportTarget } from '../support/imports/import-target.js';
import { Web } from '../support/imports/web.js';
import { zipOf } from '../support/imports/zip.js';
import { type StartedServer, startServer, whileServing } from '../support/server.js';

/** A table whose conversion takes seconds. */
const slow = `# Slow\n\n|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n${'|a|b|c|d|e|f|g|h|\n'.repeat(20_000)}`;
const slowPages = 20;
/** Each would wait for a slow one, if they took turns in one process. */
const honestPages = 40;
const archiveOf = (count: number, content: string) =>
  zipOf(Array.from({ length: count }, (_, at) => ({ name: `${10 + at}.md`, content })));

const web = new Web({
  '/hostile.zip': archiveOf(slowPages, slow),
  '/honest.zip': archiveOf(honestPages, '# Page\n'),
});
let server: StartedServer;
beforeAll(async () => {
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  await web.start();
});
afterAll(async () => {
  web.stop();
  expect(await server.stop()).toBe(0);
});

it('an import of many pages ends while another organization converts few that take long', async () => {
  const [busy, other] = [await newOrganization(server), await newOrganization(server)];
  const hostile = new ImportTarget(web, await newSpace(server, busy), server);
  const honest = new ImportTarget(web, await newSpace(server, other), server);
  const sent = hostile.send('zip', '/hostile.zip');
  const hostileNow = async () => (await server.get(`/v1/orgs/${busy}/imports`)).body.items[0];
  await eventually('slow pages', hostileNow, (item) => item?.totalResources > 0);
  await whileServing(
    server,
    async () => expect((await server.get('/v1/user')).status).toBe(200),
    async () => {
      await honest.imported('zip', '/honest.zip');
      expect(await honest.pages()).toHaveLength(honestPages);
    },
  );
  expect((await hostileNow()).totalResources).toBeLessThan(slowPages / 2);
  await sent;
  expect((await server.delete(`/v1/orgs/${busy}/imports/${(await hostileNow()).id}`)).status).toBe(204);
});
