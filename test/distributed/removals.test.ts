import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { issueApiToken } from '../../services/identity/accounts/api-tokens.js';
import { callersChanged } from '../../services/identity/events.js';
import { outboxCollection } from '../../shared/jobs/outbox.js';
import { createLog } from '../../shared/monitoring/log.js';
import { openStore } from '../../shared/process/platform.js';
import { readConfig } from '../../shared/settings/config.js';
import type { Store } from '../../shared/store/port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { personWith } from '../support/app-person.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { idOf } from '../support/requests/setting.js';
import { type StartedServer, startServer } from '../support/server.js';
import { silentOutboxes, slowClock } from './clocks.js';

const { MONGODB_URL, NATS_URL } = process.env;
const servers = MONGODB_URL && NATS_URL ? describe : describe.skip;
if (servers === describe.skip)
  console.warn('SKIPPED: what is taken away on NATS and MongoDB; set NATS_URL and MONGODB_URL to test it');

/** Two gateways, one with the app beside it, that keep what they know of callers longer than any test here, and hear of no change: all that the bus may lose is lost. */
servers('what was taken away at one gateway', () => {
  const url = new URL(String(MONGODB_URL));
  url.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
  const secretKey = randomBytes(32).toString('base64');
  const started: StartedServer[] = [];
  let gateway: StartedServer;
  let other: StartedServer;
  let store: Store;
  let organization: string;
  let space: string;

  const start = async (services: string, more: Record<string, string> = {}) => {
    const env = { SERVICES: services, NATS_URL: String(NATS_URL), MONGODB_URL: url.href, SECRET_KEY: secretKey };
    const server = await startServer({ env: { ...env, ...more } });
    started.push(server);
    return server;
  };
  beforeAll(async () => {
    store = await openStore(readConfig({ MONGODB_URL: url.href, SECRET_KEY: secretKey }), createLog('silent'));
    await start('identity', silentOutboxes);
    for (const service of ['content', 'comments']) await start(service);
    gateway = await start('gateway,app', slowClock);
    other = await start('gateway', slowClock);
    for (const each of [gateway, other])
      await eventually('an answer', async () => (await each.get('/v1/orgs')).status === 200);
    organization = await newOrganization(gateway);
    space = await newSpace(gateway, organization);
  });
  afterAll(async () => {
    for (const server of started.toReversed()) await server.stop();
    await store.close();
    const client = await new MongoClient(url.href).connect();
    await client.db().dropDatabase();
    await client.close();
  });

  /** A member whom both gateways know, and what it asks of the other one. */
  async function knownMember(role: string) {
    const email = `${randomBytes(6).toString('hex')}@people.example`;
    const { body } = await gateway.post(`/v1/orgs/${organization}/invites`, { emails: [email], role });
    const token = await issueApiToken(store, { email, label: 'test' });
    const changeRequests = `/v1/spaces/${space}/change-requests`;
    const create = async () => (await other.post(changeRequests, {}, { token })).status;
    for (const each of [gateway, other]) expect((await each.get(changeRequests, { token })).status).toBe(200);
    expect(await create()).toBe(201);
    const counted = async () => (await gateway.get(`${changeRequests}?status=draft`)).body.count;
    return { id: body.users[0] as string, token, create, counted };
  }

  it.each<[string, number, (member: string, token: string) => Promise<{ status: number }>]>([
    ['a membership', 404, (member) => gateway.delete(member)],
    ['a role', 403, (member) => gateway.patch(member, { role: 'read' })],
    ['all that is not disabled', 404, (member) => gateway.patch(member, { disabled: true })],
    [
      'a token',
      401,
      async (_, token) => {
        const { items } = (await gateway.get('/v1/user/tokens', { token })).body;
        return gateway.delete(`/v1/user/tokens/${items[0].id}`, { token });
      },
    ],
  ])('changes nothing at the other one: %s', async (_, refused, takeAway) => {
    const { id, token, create, counted } = await knownMember('edit');
    const before = await counted();
    expect((await takeAway(`/v1/orgs/${organization}/members/${id}`, token)).status).toBeLessThan(300);
    expect(await create()).toBe(refused);
    expect(await counted()).toBe(before);
  });

  it('lets nobody merge at the other one', async () => {
    const { id, token } = await knownMember('review');
    const changeRequests = `/v1/spaces/${space}/change-requests`;
    const number = await idOf(gateway.post(changeRequests, {}));
    await gateway.patch(`/v1/orgs/${organization}/members/${id}`, { role: 'edit' });
    expect((await other.post(`${changeRequests}/${number}/merge`, undefined, { token })).status).toBe(403);
    expect((await gateway.get(`${changeRequests}/${number}`)).body.status).toBe('draft');
  });

  it('is gone at once from the app beside it, and there at once when the app gives it back', async () => {
    const { id, token } = await knownMember('admin');
    const member = `/v1/orgs/${organization}/members/${id}`;
    const people = `/app/o/${organization}/members`;
    const [admin, person] = [await personWith(gateway, gateway.token), await personWith(gateway, token)];
    const isAdmin = async () => [
      (await person.open(people)).canAsk('role'),
      (await gateway.get(`/v1/orgs/${organization}`, { token })).body.permissions.admin,
    ];
    expect(await isAdmin()).toEqual([true, true]);
    await gateway.patch(member, { role: 'read' });
    expect(await isAdmin()).toEqual([false, false]);
    await admin.open(people);
    await admin.submit({ action: 'role', where: { member: id } }, { role: 'admin' });
    expect(await isAdmin()).toEqual([true, true]);
  });

  it('was told to neither of them', async () => {
    expect(await store.count(outboxCollection('identity'), { name: callersChanged.name })).toBeGreaterThan(10);
  });
});
