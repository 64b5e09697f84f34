import { posted } from '../support/comments.js';
import { ContentWriter, deleted, inserted, updated } from '../support/content-changes.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { TrackedSite } from '../support/insights/tracked-site.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { done } from '../support/requests/setting.js';
import { eventsOf, installWebhook, isSigned, openReceiver, secret, type WebhookReceiver } from '../support/webhooks.js';

const client = shared();
const comments = { configuration: { comment_events: true } };
let organization: string;
let space: string;
let receiver: WebhookReceiver;
let answer: Parameters<typeof openReceiver>[0];
let repositories: Repositories;

beforeAll(async () => {
  repositories = await openRepositories();
});
afterAll(() => repositories.close());
beforeEach(async () => {
  organization = await newOrganization(client);
  space = await newSpace(client, organization, { editMode: 'live' });
  answer = () => 200;
  receiver = await openReceiver((delivery, nth) => answer?.(delivery, nth) ?? 200);
});
afterEach(() => receiver.close());

const install = (more: Partial<Parameters<typeof installWebhook>[1]> = {}) =>
  installWebhook(client, { organization, url: receiver.url, ...more });
const place = () => ({ space, at: `/v1/spaces/${space}` });
const typesOf = (deliveries: { event: { type: string } }[]) => deliveries.map(({ event }) => event.type);

describe('a webhook', () => {
  it('sends an event as JSON, signed with the secret', async () => {
    const at = await install({ spaces: [space], ...comments });
    const { id, postedBy } = await posted(client, place(), 'Told to others');
    const [delivery] = await receiver.until(({ length }) => length === 1);
    expect(delivery?.event).toEqual({
      eventId: expect.any(String),
      type: 'comment_created',
      installationId: at.split('/').at(-1),
      spaceId: space,
      commentId: id,
      userId: postedBy.id,
    });
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Bindery',
      'x-bindery-event': 'comment_created',
      'x-bindery-delivery': delivery?.event.eventId,
    });
    expect([isSigned(delivery as never), isSigned(delivery as never, 'another')]).toEqual([true, false]);
    const told = (events: { id: string }[]) => events.find((each) => each.id === delivery?.event.eventId);
    const event: any = told(await eventsOf(client, at, (events) => told(events) !== undefined, 'status=success'));
    expect(event).toMatchObject({
      integrationId: 'webhook',
      status: 'success',
      attempts: 1,
    });
    expect(event.payload).toEqual(delivery?.event);
    const { trace } = await done(client.get(`${at}/events/${event.id}`));
    expect(trace.logs).toMatchObject([
      { level: 'info', message: expect.stringMatching(/^POST 127\.0\.0\.1:\d+: 200 in \d+ ms: as it is$/) },
    ]);
  });

  it('sends only what its configuration selects, from where it is installed', async () => {
    const other = await newSpace(client, organization, { editMode: 'live' });
    await install({ spaces: [space], configuration: { space_content_updated: false, comment_events: true } });
    const writer = await ContentWriter.on(client, space);
    await writer.insert(inserted('A page'));
    await done(client.post(`${writer.path}/merge`));
    await posted(client, { space: other, at: `/v1/spaces/${other}` }, 'Elsewhere');
    await posted(client, place(), 'Here');
    const deliveries = await receiver.until(({ length }) => length === 1);
    expect(deliveries.map(({ event }) => [event.type, event.spaceId])).toEqual([['comment_created', space]]);
  });

  it('is told of everything that happens to comments and replies, in order', async () => {
    await install(comments);
    const { id } = await posted(client, place(), 'A question');
    const at = `/v1/spaces/${space}/comments/${id}`;
    const { id: reply } = await done(client.post(`${at}/replies`, { body: { markdown: 'An answer' } }));
    await done(client.put(`${at}/replies/${reply}`, { body: { markdown: 'Another answer' } }));
    await done(client.put(`${at}/replies/${reply}`, { addedReactions: ['1f44d'] }));
    await done(client.put(at, { addedReactions: ['1f44d'] }));
    await done(client.put(at, { body: { markdown: 'Another question' } }));
    await done(client.put(at, { resolved: true }));
    await done(client.delete(`${at}/replies/${reply}`));
    await done(client.delete(at));
    const deliveries = await receiver.until(({ length }) => length === 9);
    expect(typesOf(deliveries)).toEqual([
      'comment_created',
      'comment_reply_created',
      'comment_reply_updated',
      'comment_reply_reacted',
      'comment_reacted',
      'comment_updated',
      'comment_resolved',
      'comment_reply_deleted',
      'comment_deleted',
    ]);
    expect(deliveries[1]?.event).toMatchObject({ commentId: id, replyId: reply });
    expect(new Set(deliveries.map(({ event }) => event.eventId)).size).toBe(9);
  });

  it('is told of new content and of the pages that changed', async () => {
    await install({ configuration: { page_events: true } });
    const first = await ContentWriter.on(client, space);
    const [kept, gone] = (await first.insert(inserted('Kept'), inserted('Gone'))) as [string, string];
    await done(client.post(`${first.path}/merge`));
    await receiver.until(({ length }) => length === 3);
    const second = await ContentWriter.on(client, space);
    await second.apply(updated(kept, { title: 'Changed' }), deleted(gone));
    await done(client.post(`${second.path}/merge`));
    const { revision } = (await client.get(`/v1/spaces/${space}`)).body;
    const events = (await receiver.until(({ length }) => length === 6)).map(({ event }) => event);
    expect(events.slice(0, 3).map(({ type, title }) => [type, title])).toEqual([
      ['space_content_updated', undefined],
      ['page_created', 'Kept'],
      ['page_created', 'Gone'],
    ]);
    const about = {
      eventId: expect.any(String),
      installationId: expect.any(String),
      spaceId: space,
      revisionId: revision,
    };
    expect(events.slice(3)).toEqual([
      { ...about, type: 'space_content_updated' },
      { ...about, type: 'page_updated', pageId: kept, title: 'Changed', path: expect.any(String) },
      { ...about, type: 'page_deleted', pageId: gone, title: 'Gone', path: 'gone' },
    ]);
  });

  it('is told that too many pages changed, instead of each', async () => {
    await install({ configuration: { page_events: true } });
    const writer = await ContentWriter.on(client, space);
    for (const part of [50, 50, 1])
      await writer.insert(...Array.from({ length: part }, (_, at) => inserted(`Page ${part} ${at}`)));
    await done(client.post(`${writer.path}/merge`));
    const [delivery] = await receiver.until(({ length }) => length === 1);
    expect(delivery?.event).toMatchObject({ type: 'space_content_updated', truncated: true });
  });

  it('is told of Git operations, and how they ended', async () => {
    await install({ configuration: { space_gitsync: true, space_content_updated: false } });
    const commit = await repositories.commit(`told-${space}`, { 'README.md': '# Hello\n' });
    const from = (name: string) => ({ url: `${repositories.url}/${name}.git`, ref: 'refs/heads/main' });
    await done(client.post(`/v1/spaces/${space}/git/import`, from(`told-${space}`)));
    const ends = (count: number) => (deliveries: { event: { type: string } }[]) =>
      typesOf(deliveries).filter((type) => type === 'space_gitsync_completed').length === count;
    const first = (await receiver.until(ends(1))).map(({ event }) => event);
    const { revision } = (await client.get(`/v1/spaces/${space}`)).body;
    expect(first).toMatchObject([
      { type: 'space_gitsync_started', spaceId: space, commitId: '' },
      { type: 'space_gitsync_completed', spaceId: space, revisionId: revision, commitId: commit, state: 'success' },
    ]);
    await done(client.post(`/v1/spaces/${space}/git/import`, from('there-is-none')));
    const second = (await receiver.until(ends(2))).map(({ event }) => event);
    expect(second.slice(2)).toMatchObject([
      { type: 'space_gitsync_started', revisionId: revision, commitId: commit },
      { type: 'space_gitsync_completed', revisionId: revision, commitId: commit, state: 'failure' },
    ]);
  });

  it('is told that a space left its collection', async () => {
    const collection = await done(client.post(`/v1/orgs/${organization}/collections`, { title: 'All of it' }));
    const within = await newSpace(client, organization, { parent: collection.id });
    await install({ configuration: { space_visibility_updated: true } });
    await done(client.delete(`/v1/collections/${collection.id}`));
    const [delivery] = await receiver.until(({ length }) => length === 1);
    expect(delivery?.event).toMatchObject({
      type: 'space_visibility_updated',
      spaceId: within,
      previousVisibility: 'in-collection',
      visibility: 'private',
    });
  });

  it('is told which pages of a site visitors opened', async () => {
    const { id } = await done(client.post(`/v1/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] }));
    const site = new TrackedSite(client, organization, id);
    const at = await install({ configuration: { site_view: true } });
    const location = { url: `${site.url}guide`, space, page: 'page' };
    await done(site.track([site.event({ location, session: { ip: '192.0.2.7', language: 'de' } })]));
    const [delivery] = await receiver.until(({ length }) => length === 1);
    expect(delivery?.event).toMatchObject({
      type: 'site_view',
      siteId: id,
      spaceId: space,
      pageId: 'page',
      url: location.url,
      referrer: '',
      visitor: { anonymousId: 'visitor', ip: '192.0.2.7', language: 'de', cookies: {} },
    });
    const told = (events: any[]) => events.find(({ payload }) => payload.type === 'site_view');
    const event = told(await eventsOf(client, at, (events) => told(events) !== undefined, 'status=success'));
    expect(event.payload).toMatchObject({ type: 'site_view', pageId: 'page' });
    expect(event.payload).not.toHaveProperty('visitor');
  });

  it('is told what visitors of a site say of a page', async () => {
    const { id } = await done(client.post(`/v1/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] }));
    const site = new TrackedSite(client, organization, id);
    await install({ configuration: { page_feedback: true } });
    const location = { url: `${site.url}guide`, space, page: 'page' };
    const feedback = { rating: 'bad', comment: 'Missing' };
    await done(
      site.track([site.event({ type: 'page_post_feedback_comment', feedback, location }), site.event({ location })]),
    );
    const [delivery] = await receiver.until(({ length }) => length === 1);
    expect(delivery?.event).toMatchObject({
      type: 'page_feedback',
      siteId: id,
      spaceId: space,
      pageId: 'page',
      feedback,
    });
  });
});

describe('a delivery that fails', () => {
  it('is tried again while the events behind it wait, and each is delivered in the end', async () => {
    answer = ({ event }, nth) => (event.type === 'comment_created' && nth < 4 ? 500 : 200);
    const at = await install(comments);
    const { id } = await posted(client, place(), 'First');
    await done(client.put(`/v1/spaces/${space}/comments/${id}`, { resolved: true }));
    const deliveries = await receiver.until(({ length }) => length === 5);
    expect(typesOf(deliveries)).toEqual([...Array(4).fill('comment_created'), 'comment_resolved']);
    const [, first] = await eventsOf(
      client,
      at,
      ([last]) => last?.payload.type === 'comment_resolved',
      'status=success',
    );
    expect(first).toMatchObject({ attempts: 4, status: 'success' });
    expect(first).not.toHaveProperty('nextAttemptAt');
  });

  it('shows when it is tried next', async () => {
    answer = () => 503;
    const at = await install(comments);
    await posted(client, place(), 'First');
    await receiver.until(({ length }) => length === 1);
    const [event] = await eventsOf(client, at, ({ length }) => length === 1, 'status=failed');
    expect(event).toMatchObject({ status: 'failed', attempts: 1, nextAttemptAt: expect.any(String) });
    expect(event).not.toHaveProperty('dead');
  });

  it('is not tried again after a 4xx, but after a 429', async () => {
    answer = ({ event }, nth) => (event.type === 'comment_created' ? 404 : nth === 1 ? 429 : 200);
    const at = await install(comments);
    const { id } = await posted(client, place(), 'First');
    await done(client.put(`/v1/spaces/${space}/comments/${id}`, { resolved: true }));
    const deliveries = await receiver.until(({ length }) => length === 3);
    expect(typesOf(deliveries)).toEqual(['comment_created', 'comment_resolved', 'comment_resolved']);
    const [dead] = await eventsOf(client, at, ({ length }) => length === 1, 'dead=true');
    expect(dead).toMatchObject({ status: 'failed', dead: true, attempts: 1, payload: { type: 'comment_created' } });
    const { trace } = await done(client.get(`${at}/events/${dead.id}`));
    expect(trace.logs).toMatchObject([{ level: 'error', message: expect.stringContaining(': 404 in ') }]);
  });

  it('can be sent again when it failed for good: after what waits, with the same id', async () => {
    let isBroken = true;
    answer = () => (isBroken ? 410 : 200);
    const at = await install(comments);
    await posted(client, place(), 'Lost');
    const [dead] = await eventsOf(client, at, ({ length }) => length === 1, 'dead=true');
    isBroken = false;
    expect((await client.post(`${at}/events/${dead.id}/resend`)).status).toBe(204);
    const [first, again] = await receiver.until(({ length }) => length === 2);
    expect(again?.event).toEqual(first?.event);
    await eventsOf(client, at, ({ length }) => length === 0, 'dead=true');
    const [event] = await eventsOf(client, at, ([latest]) => latest?.status === 'success', 'limit=1');
    expect(event).toMatchObject({ id: dead.id, attempts: 1 });
  });

  it('cannot be sent again while it waits', async () => {
    answer = () => 500;
    const at = await install(comments);
    await posted(client, place(), 'First');
    const [event] = await eventsOf(client, at, ({ length }) => length === 1, 'status=failed');
    const { status, body } = await client.post(`${at}/events/${event.id}/resend`);
    expect([status, body.error.message]).toEqual([409, 'This event is waiting to be sent']);
    expect((await client.post(`${at}/events/none/resend`)).status).toBe(404);
  });

  it('says when nobody answers and when a redirect is no answer', async () => {
    const logOf = async (url: string) => {
      const [installed] = (await client.get(`/v1/orgs/${organization}/installations`)).body.items;
      if (installed) await done(client.delete(`/v1/integrations/webhook/installations/${installed.installation.id}`));
      const at = await install({ url, ...comments });
      await posted(client, place(), 'Told');
      const [event] = await eventsOf(client, at, ({ length }) => length === 1, 'status=failed');
      return (await done(client.get(`${at}/events/${event.id}`))).trace.logs.map(({ message }: any) => message);
    };
    expect(await logOf('http://127.0.0.1:1/')).toEqual(['the request to 127.0.0.1:1 failed (ECONNREFUSED)']);
    answer = () => 302;
    expect(await logOf(receiver.url)).toEqual([expect.stringContaining(': 302 in ')]);
  });

  it('keeps its secret to itself', async () => {
    const at = await install(comments);
    await posted(client, place(), 'Told');
    await receiver.until(({ length }) => length === 1);
    const events = await eventsOf(client, at, ({ length }) => length === 2);
    expect(JSON.stringify([events, receiver.deliveries])).not.toContain(secret);
  });
});

describe('the events of an installation', () => {
  it('are those of one installation, for who may configure it', async () => {
    const at = await install(comments);
    await posted(client, place(), 'Told');
    const [event] = await eventsOf(client, at, ({ length }) => length === 2);
    const outsider = await newUser(client);
    const reader = await newUser(client, { organization, role: 'read' });
    const paths = [`${at}/events`, `${at}/events/${event.id}`];
    for (const path of paths) {
      expect((await outsider.client.get(path)).status).toBe(404);
      expect((await reader.client.get(path)).status).toBe(403);
    }
    expect((await reader.client.post(`${at}/events/${event.id}/resend`)).status).toBe(403);
    const elsewhere = await newOrganization(client);
    const other = await installWebhook(client, { organization: elsewhere, url: receiver.url });
    expect((await client.get(`${other}/events/${event.id}`)).status).toBe(404);
    expect((await client.post(`${other}/events/${event.id}/resend`)).status).toBe(404);
    expect((await client.get(`/v1/integrations/webhook/events`)).status).toBe(403);
  });
});
