import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { events } from '../../services/integrations/deliveries/queue/model.js';
import { eventually } from '../../shared/testing/eventually.js';
import { posted } from '../support/comments.js';
import { document, inserted } from '../support/content-changes.js';
import { newOrganization, newSpace, newUser, shared, unique, withStore } from '../support/fixtures.js';
import { TrackedSite } from '../support/insights/tracked-site.js';
import { installed, integrationClient } from '../support/installations.js';
import { done, idOf } from '../support/requests/setting.js';
import type { Client } from '../support/server.js';
import { eventsOf } from '../support/webhooks.js';

/** Writes what it gets into its log, and answers as its name says. */
const script = `
export default {
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get('event'));
    const { installation, apiTokens } = JSON.parse(form.get('environment'));
    console.log(JSON.stringify({ type: event.type, task: event.task, status: installation?.status, has: Object.keys(apiTokens) }));
    if (event.type === 'installation_setup') return new Response('not mine', { status: 406 });
    if (event.type === 'comment_resolved') throw new Error('it broke');
    return new Response('OK');
  },
};
`;

const client = shared();
let organization: string;
let space: string;
let name: string;
/** The path of the installation. */
let at: string;

async function publish(more: object = {}): Promise<void> {
  const scopes = ['space:content:read'];
  const manifest = { runtime: 'v2', title: 'Listens', description: 'Listens to events.', script, organization, scopes };
  await done(client.post(`/v1/integrations/${name}`, { ...manifest, ...more }));
}

beforeEach(async () => {
  organization = await newOrganization(client);
  space = await newSpace(client, organization, { editMode: 'live' });
  name = unique('listens').replaceAll(' ', '-');
  await publish();
  const path = `/v1/integrations/${name}/installations`;
  at = `${path}/${await idOf(client.post(path, { organization, space_selection: 'all' }))}`;
});

const place = () => ({ space, at: `/v1/spaces/${space}` });
const typesOf = (events: any[]) => events.map(({ payload }) => payload.type);

async function logOf(path: string): Promise<any[]> {
  const { trace } = await done(client.get(path));
  return trace.logs.map(({ message }: any) => (message.startsWith('{') ? JSON.parse(message) : message));
}

describe('the script of an integration', () => {
  it('gets the events of its installation, and what it logs is kept; 406 says that an event is not for it', async () => {
    await posted(client, place(), 'Told to a script');
    const [comment, setup] = await eventsOf(client, at, ({ length }) => length === 2);
    expect([comment, setup]).toMatchObject([
      { payload: { type: 'comment_created', spaceId: space }, status: 'success', attempts: 1, integrationId: name },
      { payload: { type: 'installation_setup', status: 'active' }, status: 'success', attempts: 1 },
    ]);
    const has = ['integration', 'installation'];
    expect(await logOf(`${at}/events/${comment.id}`)).toEqual([{ type: 'comment_created', status: 'active', has }]);
  });

  it('is given an event again later when it failed, and the events behind it wait', async () => {
    const { id } = await posted(client, place(), 'First');
    await done(client.put(`/v1/spaces/${space}/comments/${id}`, { resolved: true }));
    await done(client.delete(`/v1/spaces/${space}/comments/${id}`));
    const [event] = await eventsOf(client, at, ([latest]) => latest?.attempts > 1, 'status=failed');
    expect(event).toMatchObject({ payload: { type: 'comment_resolved' }, nextAttemptAt: expect.any(String) });
    expect((await logOf(`${at}/events/${event.id}`)).join()).toContain('it broke');
    const tried = await eventsOf(client, at, () => true);
    expect(typesOf(tried)).not.toContain('comment_deleted');
  });

  it('is told that it was uninstalled, with what the installation was, and nothing else after that', async () => {
    const { id } = await posted(client, place(), 'First');
    await done(client.put(`/v1/spaces/${space}/comments/${id}`, { resolved: true }));
    await done(client.post(`/v1/spaces/${space}/comments`, { body: { markdown: 'Second' } }));
    await eventsOf(client, at, ({ length }) => length === 1, 'status=failed');
    await done(client.delete(at));
    const own = `/v1/integrations/${name}`;
    const events = await eventsOf(client, own, ([latest]) => latest?.payload.type === 'installation_deleted');
    expect(typesOf(events)).toEqual(['installation_deleted', 'comment_created', 'installation_setup']);
    expect(await logOf(`${own}/events/${events[0].id}`)).toEqual([
      { type: 'installation_deleted', status: 'active', has: ['integration'] },
    ]);
  });

  it('is told what visitors say of pages, if its scopes allow that, and nothing is kept of who they are', async () => {
    const { id } = await done(client.post(`/v1/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] }));
    await done(client.patch(at, { site_selection: 'all' }));
    const site = new TrackedSite(client, organization, id);
    const location = { url: `${site.url}guide`, space, page: 'page' };
    const said = { rating: 'good', comment: 'Helped' };
    const tell = () =>
      done(
        site.track([
          site.event({ location }),
          site.event({ type: 'page_post_feedback', feedback: { rating: 'bad' }, location }),
          site.event({ type: 'page_post_feedback_comment', feedback: said, location }),
        ]),
      );
    await tell();
    await publish({ scopes: ['space:content:read', 'page:feedback:read'] });
    const told = await eventually(
      'both feedbacks',
      async () => {
        await tell();
        return eventsOf(client, at, () => true, 'status=success');
      },
      (events) => events.filter(({ payload }) => payload.type === 'page_feedback').length >= 2,
    );
    const feedback = told.map(({ payload }) => payload).filter(({ type }) => type === 'page_feedback');
    expect(feedback.slice(0, 2).map((payload) => payload.feedback)).toEqual(
      expect.arrayContaining([{ rating: 'bad' }, said]),
    );
    for (const payload of feedback) {
      expect(payload).toMatchObject({ siteId: id, spaceId: space, pageId: 'page', url: location.url, referrer: '' });
      expect(payload).not.toHaveProperty('visitor');
    }
    expect(told.map(({ payload }) => payload.type)).not.toContain('site_view');
  });

  it('that its organization does not see is 404, and the events of an integration are for its owners', async () => {
    await eventsOf(client, at, ({ length }) => length === 1);
    const reader = await newUser(client, { organization, role: 'read' });
    const outsider = await newUser(client);
    const path = `/v1/integrations/${name}/events`;
    expect((await reader.client.get(path)).status).toBe(403);
    expect((await outsider.client.get(path)).status).toBe(404);
    expect((await client.get(`${path}/none`)).status).toBe(404);
  });
});

describe('a task', () => {
  it('comes back to the integration, when it is due', async () => {
    const own = await integrationClient(client, name);
    const task = { type: 'sync', pages: [1, 2] };
    expect((await own.post(`/v1/integrations/${name}/tasks`, { task })).status).toBe(204);
    expect((await own.post(`/v1/integrations/${name}/tasks`, { task: { type: 'later' }, schedule: 3600 })).status).toBe(
      204,
    );
    const isTask = (event: any) => event.payload.type === 'task';
    const events = await eventsOf(own, `/v1/integrations/${name}`, (found) => found.some(isTask));
    const [event] = events.filter(isTask);
    expect(event).toMatchObject({ payload: { type: 'task', task }, status: 'success' });
    expect(event).not.toHaveProperty('installationId');
    expect(await logOf(`/v1/integrations/${name}/events/${event.id}`)).toEqual([
      { type: 'task', task, has: ['integration'] },
    ]);
    expect(events.filter(isTask)).toHaveLength(1);
  });

  it('is refused to people, to other integrations and with a time beyond a day', async () => {
    const own = await integrationClient(client, name);
    const path = `/v1/integrations/${name}/tasks`;
    expect((await client.post(path, { task: {} })).status).toBe(403);
    for (const body of [{}, { task: [] }, { task: {}, schedule: -1 }, { task: {}, schedule: 86_401 }])
      expect((await own.post(path, body)).status).toBe(400);
    name = unique('other').replaceAll(' ', '-');
    await publish();
    expect((await own.post(`/v1/integrations/${name}/tasks`, { task: {} })).status).toBe(404);
  });
});

describe('an installation', () => {
  it('gets late what it causes itself, when that is a lot, and is told so', async () => {
    const { id, client: itself } = await installed(client, {
      organization,
      scopes: ['space:content:read', 'space:content:write'],
      spaces: 'all',
    });
    const live = await newSpace(client, organization, { editMode: 'live' });
    const write = (by: Client, title: string) =>
      done(by.post(`/v1/spaces/${live}/content`, { changes: [inserted(title, document('Hello\n'))] }));
    const told = () =>
      withStore([events], async (store) => {
        const filter = { installation: id };
        return (await store.page(events, { filter, sort: {}, limit: 1000 })).items;
      });
    for (let at = 0; !(await told()).some(({ delayed }) => delayed); at++) await write(itself, `By a script ${at}`);
    await write(client, 'By a person');
    const [ofPerson] = await eventually(
      'the page of a person',
      async () => (await told()).filter((each) => each.payload.includes('By a person')),
      ({ length }) => length > 0,
    );
    expect(ofPerson).not.toHaveProperty('delayed');
  });
});

describe('while an integration is developed', () => {
  let tunnel: Server;
  const asked: { path: string; form: FormData }[] = [];
  beforeAll(async () => {
    tunnel = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = { 'content-type': String(request.headers['content-type']) };
      const form = await new Response(Buffer.concat(chunks), { headers }).formData();
      asked.push({ path: request.url ?? '', form });
      response.end('OK');
    }).listen(0, '127.0.0.1');
    await once(tunnel, 'listening');
  });
  afterAll(() => void tunnel.close());

  it('its events go to whoever develops it', async () => {
    await eventsOf(client, at, ({ length }) => length === 1);
    const { port } = tunnel.address() as AddressInfo;
    await done(client.put(`/v1/integrations/${name}/dev`, { tunnelUrl: `http://127.0.0.1:${port}/` }));
    const { id } = await posted(client, place(), 'Told to a developer');
    const [event] = await eventsOf(client, at, ({ length }) => length === 2);
    expect(event).toMatchObject({ payload: { type: 'comment_created' }, status: 'success' });
    const [{ path, form } = { path: '', form: new FormData() }] = asked;
    expect(path).toBe('/v1');
    expect(JSON.parse(String(form.get('event')))).toEqual(event.payload);
    expect(JSON.parse(String(form.get('event')))).toMatchObject({ commentId: id });
    expect(JSON.parse(String(form.get('environment')))).toMatchObject({
      integration: { name },
      installation: { id: at.split('/').at(-1) },
      apiTokens: { integration: expect.any(String), installation: expect.any(String) },
    });
    await done(client.delete(`/v1/integrations/${name}/dev`));
    await posted(client, place(), 'Told to the script');
    const [latest] = await eventsOf(client, at, ({ length }) => length === 3);
    expect(await logOf(`${at}/events/${latest.id}`)).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });
});
