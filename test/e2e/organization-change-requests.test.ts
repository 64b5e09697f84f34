import { type NewUser, newOrganization, newSpace, newUsers, shared, walk } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let [writer, reviewer] = [] as unknown as [NewUser, NewUser];
let [docs, sealed] = ['', ''];
const made: Record<string, string> = {};
beforeAll(async () => {
  organization = await newOrganization(admin);
  [writer, reviewer] = (await newUsers(admin, 2, { organization, role: 'review' })) as [NewUser, NewUser];
  [docs, sealed] = [await newSpace(admin, organization), await newSpace(admin, organization)];
  await done(admin.patch(`/v1/spaces/${sealed}`, { defaultLevel: null }));
  const request = async (name: string, space: string, client = admin) => {
    made[name] = (await done(client.post(`/v1/spaces/${space}/change-requests`, { subject: name }))).id;
    return `/v1/spaces/${space}/change-requests/${made[name]}`;
  };
  const first = await request('first', docs, writer.client);
  await request('second', docs);
  const hidden = await request('hidden', sealed);
  await done(admin.post(`${first}/requested-reviewers`, { users: [reviewer.id] }));
  await done(admin.patch(hidden, { status: 'open' }));
  const changes = [{ operation: 'insert_page', document: { markdown: '# Page' } }];
  await done(writer.client.post(`${first}/content`, { changes }));
});

const listed = async (query: string, client = admin, limit = 100) => {
  const items = await walk(client, `/v1/orgs/${organization}/change-requests?${query}`, limit);
  return items.map(({ subject }) => subject);
};

it('lists those of all spaces that the caller may read, page by page, the latest first', async () => {
  expect(await listed('')).toEqual(['first', 'hidden']);
  expect(await listed('', reviewer.client)).toEqual(['first']);
  expect(await listed('status=draft&status=open', admin, 1)).toEqual(['first', 'hidden', 'second']);
  expect(await listed('status=draft,open&orderBy=createdAt', admin, 2)).toEqual(['hidden', 'second', 'first']);
  expect((await admin.get(`/v1/orgs/${organization}/change-requests?status=draft,open&limit=1`)).body.count).toBe(3);
  const [first] = (await done(admin.get(`/v1/orgs/${organization}/change-requests`))).items;
  expect(first).toEqual(await done(admin.get(`/v1/spaces/${docs}/change-requests/${made.first}`)));
});

it('has filters, which hold together', async () => {
  const all = 'status=draft,open,merged,archived';
  const site = await newSite(organization);
  await site.siteSpace(docs);
  const cases: [string, string[]][] = [
    [`creator=${writer.id}`, ['first']],
    [`contributor=${writer.id}`, ['first']],
    [`contributor=${reviewer.id}`, []],
    [`requestedReviewer=${reviewer.id}`, ['first']],
    [`space=${docs}`, ['first', 'second']],
    [`space=${sealed}&creator=${writer.id}`, []],
    [`site=${site.id}`, ['first', 'second']],
    ['site=none', []],
    ['topic=any', []],
    ['styleguideRun=any', []],
    ['finding=all', ['first', 'hidden', 'second']],
  ];
  for (const [query, expected] of cases) expect([query, await listed(`${all}&${query}`)]).toEqual([query, expected]);
  expect(await listed(`${all}&space=${sealed}`, reviewer.client)).toEqual([]);
});

it('of one space have the same filters, and an order', async () => {
  const path = `/v1/spaces/${docs}/change-requests`;
  const of = async (query: string) => (await walk(admin, `${path}?${query}`, 1)).map(({ subject }) => subject);
  const cases: [string, string[]][] = [
    ['status=open', ['first']],
    [`status=open&creator=${writer.id}`, ['first']],
    [`status=draft&creator=${writer.id}`, []],
    [`status=open&contributor=${writer.id}`, ['first']],
    [`status=open&requestedReviewer=${reviewer.id}`, ['first']],
    [`status=open&requestedReviewer=${writer.id}`, []],
    ['status=open&topic=any', []],
  ];
  for (const [query, expected] of cases) expect([query, await of(query)]).toEqual([query, expected]);
  await done(admin.post(path, { subject: 'third' }));
  await done(admin.patch(`${path}/${made.second}`, { subject: 'second again' }));
  expect(await of('status=draft')).toEqual(['third', 'second again']);
  expect(await of('status=draft&orderBy=updatedAt')).toEqual(['second again', 'third']);
  await done(admin.patch(`${path}/${made.second}`, { subject: 'second' }));
  await done(admin.patch(`${path}/3`, { status: 'archived' }));
  expect((await admin.get(`${path}?orderBy=number`)).status).toBe(400);
});

it.each(['status=closed', 'orderBy=number', 'finding=some', 'creator='])('%s is refused', async (query) => {
  const { status, body } = await admin.get(`/v1/orgs/${organization}/change-requests?${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(query.split('=')[0] as string)]);
});

it('a review is found by its id, in its change request alone', async () => {
  const path = `/v1/spaces/${docs}/change-requests/${made.first}`;
  const comment = { markdown: 'Good' };
  const review = await done(reviewer.client.post(`${path}/reviews`, { status: 'approved', comment }));
  const { status, body } = await admin.get(`${path}/reviews/${review.id}`);
  expect([status, body]).toEqual([200, { ...review, comment: expect.objectContaining({ body: review.comment.body }) }]);
  expect((await admin.get(new URL(review.urls.location).pathname)).status).toBe(200);
  const elsewhere = `/v1/spaces/${docs}/change-requests/${made.second}/reviews/${review.id}`;
  for (const wrong of [elsewhere, `${path}/reviews/none`]) expect((await admin.get(wrong)).status).toBe(404);
});

it('no space has a Git installation of earlier versions of the public API', async () => {
  const path = `/v1/spaces/${docs}/git/legacy-installation`;
  expect((await admin.delete(path)).status).toBe(204);
  expect((await writer.client.delete(path)).status).toBe(403);
});
