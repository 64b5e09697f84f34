import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimesOf } from '../../services/integrations/runtime/testing/processes.js';
import { freePort } from '../../shared/free-port.js';
import { newOrganization, newSpace, walk } from '../support/fixtures.js';
import { install, publish } from '../support/installing.js';
import { type StartedServer, startServer } from '../support/server.js';
import { eventsOf, installWebhook, openReceiver, type WebhookReceiver } from '../support/webhooks.js';

const installations = 40;
/** So many of them are of a script, which sends the events on; the others of the webhook. */
const scripts = 4;
const eventsOfEach = 250;
const all = installations * eventsOfEach;

/** An organization whose comments are told to the receiver. */
interface Told {
  /** Of the installation. */
  at: string;
  space: string;
  /** The ids of the comments that were acknowledged, in their order. */
  comments: string[];
}

let dataDir: string;
let receiver: WebhookReceiver;
let server: StartedServer;
let starting: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-webhooks-'));
  // One request in five fails, but no event four times.
  let requests = 0;
  receiver = await openReceiver((_, nth) => (requests++ % 5 === 0 && nth < 4 ? 500 : 200));
});
afterAll(async () => {
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

const env = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', CHECK_RESPONSES: 'false' };

async function restart(port: number): Promise<void> {
  await server.kill();
  server = await startServer({ dataDir, env, port });
}

/** Answers an event as the receiver does. */
const scriptFor = (url: string) => `
export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get('event'));
  if (event.type !== 'comment_created') return new Response(null, { status: 406 });
  const { status } = await fetch('${url}', { method: 'POST', body: JSON.stringify(event) });
  return new Response(null, { status });
} };`;

async function installScript(organization: string, url: string): Promise<string> {
  const manifest = { organization, script: scriptFor(url), scopes: ['space:content:read'] };
  return install(server, await publish(server, manifest), { organization, space_selection: 'all' });
}

/** Kills what runs scripts for the server. Answers how many processes that were. */
function killRuntimes(): number {
  const runtimes = runtimesOf(Number(server.process.pid));
  for (const pid of runtimes) process.kill(pid, 'SIGKILL');
  return runtimes.length;
}

async function newTold(nth: number): Promise<Told> {
  const organization = await newOrganization(server);
  const space = await newSpace(server, organization);
  const url = `${receiver.url}/${nth}`;
  const configuration = { comment_events: true };
  const at =
    nth < scripts
      ? await installScript(organization, url)
      : await installWebhook(server, { organization, url, configuration });
  return { at, space, comments: [] };
}

/** Writes comments one after the other, also while the server comes and goes. */
async function write({ space, comments }: Told): Promise<void> {
  while (comments.length < eventsOfEach) {
    await starting;
    const answer = await server
      .post(`/v1/spaces/${space}/comments`, { body: { markdown: `${comments.length}` } })
      .catch(() => undefined);
    if (answer?.status === 200) comments.push(answer.body.id);
  }
}

it('after each kill -9 of the server and of what runs scripts, webhooks and scripts get every event, those of an installation in order', async () => {
  const port = await freePort();
  server = await startServer({ dataDir, env, port });
  const told: Told[] = [];
  for (let nth = 0; nth < installations; nth++) told.push(await newTold(nth));
  const began = Date.now();
  const written = Promise.all(told.map(write));
  let killed = 0;
  for (const share of [0.2, 0.45, 0.7]) {
    await receiver.until(({ length }) => length >= all * (share - 0.1));
    killed += killRuntimes();
    await receiver.until(({ length }) => length >= all * share);
    starting = restart(port);
    await starting;
  }
  await written;
  const writing = (Date.now() - began) / 1000;
  const succeeded = () => receiver.deliveries.filter(({ status }) => status === 200);
  const missing = new Set(told.flatMap(({ comments }) => comments));
  let seen = 0;
  await receiver.until((deliveries) => {
    for (; seen < deliveries.length; seen++)
      if (deliveries[seen]?.status === 200) missing.delete(deliveries[seen]?.event.commentId);
    return missing.size === 0;
  });
  const seconds = (Date.now() - began) / 1000;

  for (const [nth, { at, comments }] of told.entries()) {
    await eventsOf(server, at, (events) => events.every(({ status }: any) => status === 'success'), 'limit=1000');
    const firsts = new Set(
      succeeded()
        .filter(({ path }) => path === `/${nth}`)
        .map(({ event }) => event.commentId),
    );
    const acknowledged = new Set(comments);
    expect([...firsts].filter((id) => acknowledged.has(id))).toEqual(comments);
    const events = await walk(server, `${at}/events?status=success`, 1000);
    // Besides them, the event of the installation, and comments whose answer was lost.
    expect(events.length).toBeGreaterThanOrEqual(eventsOfEach + 1);
    expect((await server.get(`${at}/events?dead=true&limit=0`)).body.count).toBe(0);
  }
  const repeated = succeeded().length - new Set(succeeded().map(({ event }) => event.eventId)).size;
  console.log(
    `${all} comments written in ${writing} s, told in ${seconds} s; ${repeated} events came again, ${killed} runtimes were killed`,
  );
  expect(killed).toBeGreaterThan(0);
  expect(await server.stop()).toBe(0);
}, 600_000);
