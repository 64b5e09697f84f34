import type { ServerResponse } from 'node:http';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { ended, ImportTarget, titles } from '../support/imports/import-target.js';
import { type Answer, Web } from '../support/imports/web.js';
import { type StartedServer, startServer } from '../support/server.js';

/** A body that never ends, a few bytes at a time. */
const slowly =
  (type: string): Answer =>
  (_, response: ServerResponse) => {
    response.setHeader('content-type', type);
    const sending = setInterval(() => response.write('# x\n'), 200);
    response.on('close', () => clearInterval(sending));
  };
const silence: Answer = () => {};

const web = new Web({
  '/slow.md': slowly('text/markdown'),
  '/silent.html': silence,
  '/robots.txt': 'User-agent: *\nAllow: /\n',
  '/docs/': '<h1>Home</h1><a href="a">a</a><a href="slow">slow</a><a href="b">b</a>',
  '/docs/a': '<h1>A</h1>',
  '/docs/b': '<h1>B</h1>',
  '/docs/slow': slowly('text/html'),
});
const robots = new Web({ '/robots.txt': slowly('text/plain'), '/': '<h1>Home</h1>' });

let server: StartedServer;
beforeAll(async () => {
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', TIME_SCALE: '0.2' } });
  await Promise.all([web.start(), robots.start()]);
});
afterAll(async () => {
  web.stop();
  robots.stop();
  await server.stop();
});

it('imports of servers that answer slowly end, and leave out what is slow or nothing at all', async () => {
  const imported = async (from: Web, source: string, path: string) => {
    const space = new ImportTarget(from, await newSpace(server, await newOrganization(server)), server);
    const { body } = await space.send(source, path);
    const { state, error, importedResources, totalResources } = await ended(server, body);
    return { state, error: error?.message, counts: [importedResources, totalResources], pages: await space.pages() };
  };
  const [page, silent, forbidden, website] = await Promise.all([
    imported(web, 'markdown', '/slow.md'),
    imported(web, 'html', '/silent.html'),
    imported(robots, 'website', '/'),
    imported(web, 'website', '/docs/'),
  ]);
  const nothing = { state: 'failed', counts: [0, expect.any(Number)], pages: [] };
  expect(page).toMatchObject({ ...nothing, error: expect.stringMatching(/^url: .* within 4 s$/) });
  expect(silent).toMatchObject({ ...nothing, error: expect.stringMatching(/^url: .* within 4 s$/) });
  expect(forbidden).toMatchObject({ ...nothing, error: expect.stringMatching(/^url: robots\.txt cannot be read: /) });
  expect(website).toMatchObject({ state: 'completed', counts: [3, 4] });
  expect(titles(website.pages)).toEqual([['Home', 'A', 'B']]);
});
