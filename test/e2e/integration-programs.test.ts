import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { GitbookCli } from '../support/gitbook-cli.js';
import { install } from '../support/integrations.js';
import { newSite } from '../support/site.js';

const admin = shared();
let cli: GitbookCli;
let organization: string;
beforeAll(async () => {
  cli = await GitbookCli.create(admin);
  organization = await newOrganization(admin);
});
afterAll(() => cli.close());

const eventsOf = async (name: string) => (await admin.get(`/v1/integrations/${name}/events`)).body.items;
const traceOf = async (name: string, id: string): Promise<string[]> =>
  (await admin.get(`/v1/integrations/${name}/events/${id}`)).body.trace.logs.map(
    ({ message }: { message: string }) => message,
  );

describe('an integration that answers requests', () => {
  let name: string;
  let endpoint: string;
  beforeAll(async () => {
    name = await cli.publish('greeter', organization);
    endpoint = (await install(admin, name, organization)).urls.publicEndpoint;
  });
  const ask = (path: string, init: RequestInit = {}) => fetch(endpoint + path, { redirect: 'manual', ...init });

  it('gets the request and its configuration, and its answer goes to the client', async () => {
    const answer = await ask('/some/where?x=1', { method: 'POST', body: 'a body' });
    expect([answer.status, answer.headers.get('x-greeter'), answer.headers.get('cache-control')]).toEqual([
      201,
      'yes',
      'max-age=60',
    ]);
    expect(await answer.json()).toEqual({ greeting: 'Hello', method: 'POST', body: 'a body', hasSecret: true });
  });

  it('redirects', async () => {
    const answer = await ask('/login');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://login.example.com/?from=greeter']);
  });

  it('has its requests among its events, with what it wrote to its log', async () => {
    await ask('/logged');
    const isLogged = ({ payload }: any) => payload.request?.url?.endsWith('/logged');
    const events = await eventually(
      'the logged request',
      () => eventsOf(name),
      (items) => items.some(isLogged),
    );
    expect(await traceOf(name, events.find(isLogged).id)).toContainEqual(expect.stringMatching(/^greeted .*\/logged$/));
  });

  it('queues a task, which comes back as an event', async () => {
    expect((await ask('/later')).status).toBe(202);
    const isDone = ({ payload, status }: any) => payload.type === 'task' && status === 'success';
    const events = await eventually(
      'the end of a task',
      () => eventsOf(name),
      (items) => items.some(isDone),
    );
    expect(await traceOf(name, events.find(isDone).id)).toContain('task greet the world');
  });

  it('adds a script to the pages of a site, and signs visitors in', async () => {
    const { id: site } = await newSite(organization);
    const at = `/v1/orgs/${organization}/sites/${site}`;
    const { location } = (await admin.get(`/v1/integrations/${name}/installations`)).body.items[0].urls;
    const added = await admin.post(`${new URL(location).pathname}/sites`, { siteId: site });
    expect(added.status).toBe(201);
    const [script] = (await admin.get(`${at}/integration-scripts`)).body;
    const answer = await fetch(script.script);
    expect([answer.status, await answer.text()]).toEqual([200, 'console.log("Hello");']);
    expect((await admin.get(`${at}/published`)).body.scripts).toEqual([script]);
    const auth = await admin.patch(`${at}/publishing/auth`, { backend: 'integration', integration: name });
    expect([auth.status, auth.body.integration]).toEqual([200, name]);
  });
});

describe('an integration with an interactive block', () => {
  let name: string;
  let space: string;
  beforeAll(async () => {
    name = await cli.publish('counter', organization);
    space = await newSpace(admin, organization);
    const { id } = await install(admin, name, organization);
    expect((await admin.post(`/v1/integrations/${name}/installations/${id}/spaces`, { space })).status).toBe(201);
  });
  const render = (body: object) =>
    admin.post(`/v1/integrations/${name}/render`, {
      componentId: 'counter',
      props: { label: 'Times' },
      context: { type: 'document', spaceId: space, editable: false, theme: 'light' },
      ...body,
    });

  it('is rendered, and again after each action', async () => {
    const first = await render({});
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, expect.stringContaining('max-age=300')]);
    expect(first.body).toMatchObject({ type: 'element', state: { clicks: 0 }, props: { label: 'Times' } });
    expect(JSON.stringify(first.body.element)).toContain('Times: 0');
    const second = await render({ state: { clicks: 4 }, action: { action: 'click' } });
    expect(second.body).toMatchObject({ state: { clicks: 5 } });
    const last = await render({ state: { clicks: 5 }, action: { action: 'done' } });
    expect(last.body).toEqual({ type: 'complete', returnValue: { clicks: 5 } });
  });

  it('is listed among the blocks of the space, and unfurls its links', async () => {
    const { body } = await admin.get(`/v1/spaces/${space}/integration-blocks`);
    expect(body).toContainEqual({ name, blocks: [expect.objectContaining({ id: 'counter', title: 'Counter' })] });
    const url = encodeURIComponent('https://counter.example.com/a/b');
    expect((await admin.get(`/v1/spaces/${space}/embed?url=${url}`)).body).toMatchObject({
      type: 'integration',
      integration: name,
      block: expect.objectContaining({ id: 'counter' }),
    });
  });

  it('answers 404 for a component that it does not have', async () => {
    const { status, body } = await render({ componentId: 'other' });
    expect([status, body.error.message]).toEqual([404, expect.stringContaining('other')]);
  });
});

describe('an integration that reacts to events', () => {
  it('gets those of its spaces in their order, and calls the API back with its installation token', async () => {
    const name = await cli.publish('recorder', organization);
    const { id } = await install(admin, name, organization);
    const space = await newSpace(admin, organization, { editMode: 'live' });
    expect((await admin.post(`/v1/integrations/${name}/installations/${id}/spaces`, { space })).status).toBe(201);
    const changes = (title: string) => ({
      changes: [{ operation: 'insert_page', title, document: { markdown: 'Hello' } }],
    });
    for (const title of ['One', 'Two'])
      expect((await admin.post(`/v1/spaces/${space}/content`, changes(title))).status).toBe(200);
    const comment = await admin.post(`/v1/spaces/${space}/comments`, { body: { markdown: 'Well done' } });
    const installation = await eventually(
      'three entries of the recorder',
      async () => (await admin.get(`/v1/integrations/${name}/installations/${id}`)).body,
      ({ configuration }) => configuration.entries?.length === 3,
    );
    expect(installation.configuration.entries).toEqual(
      expect.arrayContaining([
        { type: 'space_content_updated', space, pages: expect.arrayContaining(['One']) },
        { type: 'space_content_updated', space, pages: expect.arrayContaining(['One', 'Two']) },
        { type: 'comment_created', comment: comment.body.id },
      ]),
    );
    expect(installation.externalIds).toEqual([`recorder-${id}`]);
    const found = await admin.get(`/v1/integrations/${name}/installations?externalId=recorder-${id}`);
    expect(found.body.items.map((item: { id: string }) => item.id)).toEqual([id]);
  });
});
