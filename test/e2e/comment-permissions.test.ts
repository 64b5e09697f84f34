import { eventually } from '../../shared/testing/eventually.js';
import { type CommentPlace, commentPlaces, commentSetting, newPlace, posted } from '../support/comments.js';
import { joined, type NewUser, newUser } from '../support/fixtures.js';
import { give } from '../support/permissions.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
const at = (rest = '') => `${place.at}/comments${rest}`;
const spaceAt = () => `/v1/spaces/${place.space}`;
const member = ({ id }: NewUser) => `/v1/orgs/${setting.organization}/members/${id}`;

/** A comment and a reply to it, by one author. */
async function thread(by: Client): Promise<string[]> {
  const comment = at(`/${(await posted(by, place, 'A comment')).id}`);
  const reply = await by.post(`${comment}/replies`, { body: { markdown: 'A reply' } });
  return [`${comment}/replies/${reply.body.id}`, comment];
}

const all = { view: true, edit: true, reply: true, delete: true };
const others = { ...all, edit: false, delete: false };
const none = { ...others, reply: false };

const allowed = async (answer: Promise<{ status: number }>): Promise<boolean> => {
  const { status } = await answer;
  if (status !== 403 && status >= 300) throw new Error(`neither done nor forbidden: ${status}`);
  return status !== 403;
};

/** What really happens to a text, whatever its permissions say. */
async function tried(by: Client, path: string): Promise<Record<keyof typeof all, boolean>> {
  const did = {
    view: await allowed(by.get(path)),
    edit: await allowed(by.put(path, { body: { markdown: 'Edited' } })),
    reply: await allowed(by.put(path, { addedReactions: ['👍'] })),
  };
  if (!path.includes('/replies/')) {
    expect(await allowed(by.put(path, { resolved: true }))).toBe(did.reply);
    expect(await allowed(by.post(`${path}/replies`, { body: { markdown: 'And this' } }))).toBe(did.reply);
  }
  return {
    ...did,
    delete: await allowed(by.delete(path).then(({ status }) => ({ status: status === 205 ? 200 : status }))),
  };
}

describe.each(commentPlaces)('on %s', (kind) => {
  beforeAll(async () => {
    place = await newPlace(client, setting.organization, kind);
  });

  it.each([
    ['admin', all, { ...others, delete: true }],
    ['create', all, { ...others, delete: true }],
    ['review', all, others],
    ['edit', all, others],
    ['comment', all, others],
    ['read', none, none],
  ])('permissions are what happens: who is %s now, with own texts and those of others', async (role, own, other) => {
    const person = await newUser(client, { organization: setting.organization, role: 'comment' });
    const texts = { own: await thread(person.client), other: await thread(client) };
    expect((await client.patch(member(person), { role })).status).toBe(200);
    for (const [paths, expected] of [
      [texts.own, own],
      [texts.other, other],
    ] as const)
      for (const path of paths) {
        expect((await person.client.get(path)).body.permissions).toEqual(expected);
        expect(await tried(person.client, path)).toEqual(expected);
      }
    const list = (await person.client.get(at('?limit=1000'))).body.items;
    for (const { postedBy, permissions } of list) expect(permissions).toEqual(postedBy.id === person.id ? own : other);
    expect(await allowed(person.client.post(at(), { body: { markdown: 'One more' } }))).toBe(own.reply);
  });

  it('an answer to a change shows the permissions of who made it', async () => {
    const person = await newUser(client, { organization: setting.organization, role: 'comment' });
    const [reply = '', comment = ''] = await thread(client);
    for (const path of [reply, comment])
      expect((await person.client.put(path, { addedReactions: ['👍'] })).body.permissions).toEqual(others);
  });

  it('a guest does what a grant on the space allows, and for as long', async () => {
    const guest = await newUser(client, { organization: setting.organization, role: null });
    const post = () => guest.client.post(at(), { body: { markdown: 'Hello' } });
    expect([(await guest.client.get(at())).status, (await post()).status]).toEqual([404, 404]);
    await give(spaceAt(), { role: 'read', users: [guest.id] });
    expect([(await guest.client.get(at())).status, (await post()).status]).toEqual([200, 403]);
    await client.patch(`${spaceAt()}/permissions/users/${guest.id}`, { role: 'comment' });
    const { status, body } = await post();
    expect([status, body.permissions]).toEqual([200, all]);
    const own = at(`/${body.id}`);
    await client.delete(`${spaceAt()}/permissions/users/${guest.id}`);
    for (const answer of [
      await guest.client.get(own),
      await guest.client.put(own, { body: { markdown: 'Edited' } }),
      await guest.client.delete(own),
    ])
      expect(answer.status).toBe(404);
    expect((await client.get(own)).body).toMatchObject({ postedBy: { id: guest.id }, body: { markdown: 'Hello' } });
  });

  it('who is removed loses all, and gets it back with the membership', async () => {
    const person = await newUser(client, { organization: setting.organization, role: 'comment' });
    const [reply = '', comment = ''] = await thread(person.client);
    const commenters = async () => (await client.get(`${place.at}/commenters`)).body.items.map(({ id }: any) => id);
    expect(await commenters()).toContain(person.id);
    await client.delete(member(person));
    await eventually('the end of a commenter who was removed', commenters, (ids) => !ids.includes(person.id));
    for (const path of [reply, comment, at()]) expect((await person.client.get(path)).status).toBe(404);
    expect((await person.client.delete(comment)).status).toBe(404);
    expect((await client.get(comment)).body).toMatchObject({ replies: 1, postedBy: { id: person.id } });
    await joined(client, person, { organization: setting.organization, role: 'comment' });
    expect((await person.client.get(comment)).body.permissions).toEqual(all);
    expect(await commenters()).not.toContain(person.id);
    expect((await person.client.put(reply, { body: { markdown: 'Back' } })).status).toBe(200);
    await posted(person.client, place, 'Here again');
    expect((await commenters())[0]).toBe(person.id);
    expect((await person.client.delete(comment)).status).toBe(205);
    expect(await commenters()).toContain(person.id);
  });

  it('a disabled member reads and writes nothing, is not mentioned, and stays the author', async () => {
    const person = await newUser(client, { organization: setting.organization, role: 'comment' });
    const [reply = '', comment = ''] = await thread(person.client);
    await client.patch(member(person), { disabled: true });
    const answers = [
      await person.client.get(at()),
      await person.client.get(comment),
      await person.client.put(reply, { body: { markdown: 'Edited' } }),
      await person.client.post(at(), { body: { markdown: 'Hello' } }),
      await person.client.delete(comment),
    ];
    for (const { status } of answers) expect([403, 404]).toContain(status);
    expect((await posted(client, place, `[you](/users/${person.id})`)).mentions).toEqual([]);
    expect((await client.get(comment)).body).toMatchObject({ postedBy: { id: person.id }, replies: 1 });
    await client.patch(member(person), { disabled: false });
    expect((await person.client.get(comment)).body.permissions).toEqual(all);
    expect((await posted(client, place, `[you](/users/${person.id})`)).mentions).toEqual([person.id]);
  });

  it('visitors of sites and who has no token see nothing', async () => {
    const [reply = '', comment = ''] = await thread(client);
    const site = await newSite(setting.organization, { spaces: [place.space] });
    const { urls } = await site.ok('POST', '/publish');
    const { body } = await client.post('/v1/urls/published', { url: urls.published }, { token: null });
    const read = (path: string, token: string | null) => client.get(path, { token });
    expect((await read(spaceAt(), body.apiToken)).status).toBe(200);
    for (const path of [at(), comment, `${comment}/replies`, reply, `${place.at}/commenters`]) {
      expect([path, (await read(path, body.apiToken)).status]).toEqual([path, 403]);
      expect([path, (await read(path, null)).status]).toEqual([path, 401]);
    }
    const write = { body: { markdown: 'Hello' } };
    expect((await client.post(at(), write, { token: body.apiToken })).status).toBe(403);
    expect((await client.post(at(), write, { token: null })).status).toBe(401);
  });
});
