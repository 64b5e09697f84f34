import { eventually } from '../../shared/testing/eventually.js';
import { type CommentPlace, commentPlaces, commentSetting, newPlace, posted } from '../support/comments.js';
import { newUser, newUsers, shownUser, walk } from '../support/fixtures.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
const list = (query = '') => `${place.at}/comments${query && `?${query}`}`;
const one = (id: string) => `${place.at}/comments/${id}`;
const ids = async (query: string, limit = 2) => (await walk(client, list(query), limit)).map(({ id }) => id);
/** The number of the place follows its comments; lists of places show the same. */
const openBecome = (count: number) =>
  eventually(`${count} open comments`, async () => (await client.get(place.at)).body.comments === count);

describe.each(commentPlaces)('a comment on %s', (kind) => {
  beforeEach(async () => {
    place = await newPlace(client, setting.organization, kind);
  });

  it('is what its author wrote, where and when', async () => {
    const me = await shownUser(client);
    const { revision } = (await client.get(place.at)).body;
    const { status, body } = await client.post(list(), { body: { markdown: 'Is this *right*?' } });
    expect([status, body]).toEqual([
      200,
      {
        object: 'comment',
        id: expect.any(String),
        postedBy: me,
        postedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        reactions: [],
        replies: 0,
        repliers: [],
        body: { markdown: 'Is this *right*?' },
        mentions: [],
        target: {
          space: place.space,
          revision,
          ...(place.changeRequest ? { changeRequest: place.changeRequest } : {}),
        },
        status: 'open',
        urls: { location: `${client.url}${one(body.id)}` },
        permissions: { view: true, edit: true, reply: true, delete: true },
      },
    ]);
    expect((await client.get(one(body.id))).body).toEqual(body);
    expect((await client.get(list())).body).toEqual({ count: 1, items: [body] });
  });

  it('is listed by status, author and order, page by page, with the total', async () => {
    const [ada, bob] = await newUsers(client, 2, { organization: setting.organization, role: 'comment' });
    const made: string[] = [];
    for (const [at, author] of [client, ada?.client, bob?.client, ada?.client, client].entries())
      made.push((await posted(author ?? client, place, `${at}`)).id);
    for (const at of [1, 4]) await client.put(one(made[at] ?? ''), { resolved: true });
    const of = (...at: number[]) => at.map((each) => made[each]);
    expect(await ids('')).toEqual(of(4, 3, 2, 1, 0));
    expect(await ids('order=asc')).toEqual(of(0, 1, 2, 3, 4));
    expect(await ids('status=open')).toEqual(of(3, 2, 0));
    expect(await ids('status=resolved&order=asc')).toEqual(of(1, 4));
    expect(await ids(`authors=${ada?.id}`)).toEqual(of(3, 1));
    expect(await ids(`authors=${ada?.id}&authors=${bob?.id}&order=asc`, 1)).toEqual(of(1, 2, 3));
    expect(await ids(`authors=${ada?.id}&authors=${bob?.id}&status=open`, 1)).toEqual(of(3, 2));
    expect(await ids('authors=nobody')).toEqual([]);
    const counts = async (query: string) => (await client.get(list(`limit=0&${query}`))).body;
    expect(await counts('')).toEqual({ count: 5, items: [] });
    expect(await counts('status=resolved')).toEqual({ count: 2, items: [] });
    expect(await counts(`authors=${ada?.id}&status=open`)).toEqual({ count: 1, items: [] });
    await openBecome(3);
  });

  it('is resolved and opened again by anybody who may comment', async () => {
    const { id } = await posted(client, place, 'Done?');
    const bob = await newUser(client, { organization: setting.organization, role: 'comment' });
    const resolved = (await bob.client.put(one(id), { resolved: true })).body;
    expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String), resolvedBy: { id: bob.id } });
    expect(resolved.permissions).toEqual({ view: true, edit: false, reply: true, delete: false });
    const again = (await client.put(one(id), { resolved: true })).body;
    expect([again.resolvedAt, again.resolvedBy.id]).toEqual([resolved.resolvedAt, bob.id]);
    await openBecome(0);
    const open = (await client.put(one(id), { resolved: false })).body;
    expect(open.status).toBe('open');
    for (const field of ['resolvedAt', 'resolvedBy', 'editedAt']) expect(open).not.toHaveProperty(field);
    await openBecome(1);
  });

  it('is edited by its author alone', async () => {
    const { id } = await posted(client, place, 'Tpyo');
    const admin = await newUser(client, { organization: setting.organization, role: 'admin' });
    const refused = await admin.client.put(one(id), { body: { markdown: 'Mine' }, resolved: true });
    expect([refused.status, refused.body.error.message]).toEqual([403, 'body: only its author may change it']);
    expect((await client.get(one(id))).body).toMatchObject({ status: 'open', body: { markdown: 'Tpyo' } });
    const same = (await client.put(one(id), { body: { markdown: 'Tpyo' } })).body;
    expect(same).not.toHaveProperty('editedAt');
    const edited = (await client.put(one(id), { body: { markdown: 'Typo' } })).body;
    expect(edited).toMatchObject({ body: { markdown: 'Typo' }, editedAt: expect.any(String) });
    expect((await client.put(one(id), {})).body).toEqual(edited);
  });

  it('is deleted by its author and by admins, with its replies', async () => {
    const [ada, bob] = await newUsers(client, 2, { organization: setting.organization, role: 'comment' });
    const mine = await posted(ada?.client ?? client, place, 'Mine');
    const other = await posted(ada?.client ?? client, place, 'Other');
    const reply = (await client.post(`${one(mine.id)}/replies`, { body: { markdown: 'Yes' } })).body;
    const refused = await bob?.client.delete(one(mine.id));
    expect(refused?.status).toBe(403);
    expect((await ada?.client.delete(one(mine.id)))?.status).toBe(205);
    expect((await client.delete(one(other.id))).status).toBe(205);
    for (const path of [one(mine.id), `${one(mine.id)}/replies`, `${one(mine.id)}/replies/${reply.id}`])
      expect((await client.get(path)).status).toBe(404);
    expect((await client.delete(one(mine.id))).status).toBe(404);
    expect((await client.get(list())).body).toEqual({ count: 0, items: [] });
    await openBecome(0);
  });

  it('is found in its own place alone', async () => {
    const { id } = await posted(client, place, 'Here');
    const elsewhere = [
      (await newPlace(client, setting.organization, 'a space')).at,
      (await newPlace(client, setting.organization, 'a change request')).at,
      ...(place.changeRequest ? [`/v1/spaces/${place.space}`] : []),
    ];
    for (const at of elsewhere) {
      const path = `${at}/comments/${id}`;
      const answers = [
        await client.get(path),
        await client.put(path, { resolved: true }),
        await client.delete(path),
        await client.get(`${path}/replies`),
        await client.post(`${path}/replies`, { body: { markdown: 'Hi' } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    expect((await client.get(one(id))).body.status).toBe('open');
  });

  it('tells who commented, whoever did so last first, while they are members', async () => {
    const [ada, bob] = await newUsers(client, 2, { organization: setting.organization, role: 'comment' });
    const commenters = async () => (await walk(client, `${place.at}/commenters`, 1)).map(({ id }) => id);
    expect(await commenters()).toEqual([]);
    const first = await posted(ada?.client ?? client, place, 'First');
    const reply = (await bob?.client.post(`${one(first.id)}/replies`, { body: { markdown: 'Second' } }))?.body;
    expect(await commenters()).toEqual([bob?.id, ada?.id]);
    await posted(ada?.client ?? client, place, 'Third');
    const { body } = await client.get(`${place.at}/commenters`);
    expect(body).toMatchObject({ count: 2, items: [{ object: 'member', id: ada?.id }, { id: bob?.id }] });
    await client.delete(`${one(first.id)}/replies/${reply.id}`);
    expect(await commenters()).toEqual([ada?.id]);
    await client.delete(`/v1/orgs/${setting.organization}/members/${ada?.id}`);
    await eventually('no commenter', commenters, ({ length }) => length === 0);
    const { items } = (await client.get(list())).body;
    expect(items.map(({ postedBy }: any) => [postedBy.id, postedBy.email])).toEqual([
      [ada?.id, undefined],
      [ada?.id, undefined],
    ]);
  });

  it('is as the place: gone with it, and back with it', async () => {
    const { id } = await posted(client, place, 'Here');
    await client.delete(`/v1/spaces/${place.space}`);
    expect((await client.get(one(id))).status).toBe(404);
    expect((await client.post(list(), { body: { markdown: 'Late' } })).status).toBe(404);
    await client.post(`/v1/spaces/${place.space}/restore`);
    expect((await client.get(one(id))).status).toBe(200);
  });
});

it('names a change request by its number as well', async () => {
  place = await newPlace(client, setting.organization, 'a change request');
  const { id } = await posted(client, place, 'Here');
  const byNumber = `/v1/spaces/${place.space}/change-requests/1/comments`;
  expect((await client.get(byNumber)).body.items.map((each: any) => each.id)).toEqual([id]);
  expect((await client.get(`${byNumber}/${id}`)).body.urls.location).toBe(`${client.url}${one(id)}`);
  for (const unknown of ['2', 'nobody']) {
    const at = `/v1/spaces/${place.space}/change-requests/${unknown}`;
    expect((await client.get(`${at}/comments`)).status).toBe(404);
    expect((await client.post(`${at}/comments`, { body: { markdown: 'Hi' } })).status).toBe(404);
    expect((await client.get(`${at}/commenters`)).status).toBe(404);
  }
});
