import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../shared/free-port.js';
import { newOrganization, newSpace, walk } from '../support/fixtures.js';
import { flatPages, type ShownPage } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

/** How often the server is killed; more on request. */
const kills = Number(process.env.KILLS ?? 5);
const clients = 8;

let folder: string;
let port: number;
let server: StartedServer;
let space: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-writing-kill-'));
  port = await freePort();
  await start();
  space = await newSpace(server, await newOrganization(server));
});
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

const start = async () => {
  server = await startServer({ dataDir: folder, port, env: { RATE_LIMIT_PER_MINUTE: '0' } });
};
const at = (path: string) => `/v1/spaces/${space}/${path}`;

/** What was acknowledged: change requests with their numbers, and the titles that each holds. */
const created = new Map<string, number>();
const written = new Map<string, string[]>();
const merges = new EventEmitter();
let stopped = false;
let count = 0;

/** The body of an answer; undefined where none came, so that nothing is known. */
async function acknowledged(path: string, body?: unknown): Promise<any> {
  const answer = await server.post(at(path), body).catch(() => undefined);
  if (answer && answer.status < 300) return answer.body;
  // A server that goes down answers 503 or 504 at most.
  if (answer) expect([path, [503, 504].includes(answer.status) ? '' : answer.body]).toEqual([path, '']);
  await delay(20);
  return undefined;
}

/** Creates change requests, writes into them, some together with the others, and merges them. */
async function work(shared: string[]): Promise<void> {
  while (!stopped) {
    const made = await acknowledged('change-requests', { subject: 'Killed' });
    if (!made) continue;
    created.set(made.id, made.number);
    shared.push(made.id);
    for (let each = 0; each < 3; each++) await write(shared.at(-1 - (count % Math.min(4, shared.length))) as string);
    if (await acknowledged(`change-requests/${made.id}/merge`)) merges.emit('acknowledged');
  }
}

async function write(request: string): Promise<void> {
  const title = `page-${count++}`;
  const changes = [{ operation: 'insert_page', title, document: { markdown: `Text of ${title}.\n` } }];
  const answer = await server.post(at(`change-requests/${request}/content`), { changes }).catch(() => undefined);
  if (answer?.status === 200) written.set(request, [...(written.get(request) ?? []), title]);
  // It may have been merged by then.
  else if (answer) expect([400, 503, 504]).toContain(answer.status);
}

/** The titles of the pages in a place, each of which can be read. */
async function titlesIn(place: string): Promise<string[]> {
  const { status, body } = await server.get(at(`${place}/pages`));
  expect([place, status]).toEqual([place, 200]);
  const pages: ShownPage[] = flatPages(body.pages);
  const sources = await Promise.all(pages.map(({ id }) => server.get(at(`${place}/page/${id}?format=source`))));
  for (const [each, { title }] of pages.entries()) expect(sources[each]?.body.source).toBe(`Text of ${title}.\n`);
  return pages.map(({ title }) => title);
}

it('a server that is killed while people write and merge loses nothing that it acknowledged, and gives no number twice', async () => {
  const shared: string[] = [];
  const workers = Promise.all(Array.from({ length: clients }, () => work(shared)));
  for (let each = 0; each < kills; each++) {
    await Promise.race([once(merges, 'acknowledged'), workers]);
    await delay(Math.random() * 300);
    await server.kill();
    await start();
  }
  stopped = true;
  await workers;
  const listed = await Promise.all(
    ['draft', 'open', 'archived', 'merged'].map((status) => walk(server, at(`change-requests?status=${status}`), 100)),
  );
  const all = listed.flat();
  const numbers = all.map(({ number }) => number).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, before) => before + 1));
  for (const [id, number] of created) expect(all.find((item) => item.id === id)?.number).toBe(number);
  const { body: found } = await server.get(`/v1/spaces/${space}`);
  const counters = [found.changeRequests, found.changeRequestsOpen, found.changeRequestsDraft];
  expect(counters).toEqual([all.length, 0, listed[0]?.length]);
  const primary = await titlesIn('content');
  expect(new Set(primary).size).toBe(primary.length);
  for (const { id, status } of all) {
    const titles = status === 'merged' ? primary : await titlesIn(`change-requests/${id}/content`);
    for (const title of written.get(id) ?? []) expect([title, titles.includes(title)]).toEqual([title, true]);
  }
  expect(listed[3]?.length).toBeGreaterThan(0);
  expect((await walk(server, at('revisions'), 1000)).filter(({ type }) => type === 'merge').length).toBe(
    listed[3]?.length,
  );
}, 300_000);
