import { type CommentPlace, commentPlaces, commentSetting, newPlace, posted } from '../support/comments.js';
import { newUser, newUsers, walk } from '../support/fixtures.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
let comment: string;
const at = (id = '') => `${place.at}/comments/${comment}/replies${id && `/${id}`}`;
const reply = async (markdown: string, by = client) => (await by.post(at(), { body: { markdown } })).body;
const counted = async () => (await client.get(`${place.at}/comments/${comment}`)).body.replies;

describe.each(commentPlaces)('a reply on %s', (kind) => {
  beforeEach(async () => {
    place = await newPlace(client, setting.organization, kind);
    comment = (await posted(client, place, 'A question')).id;
  });

  it('is what its author wrote, and is counted', async () => {
    const ada = await newUser(client, { organization: setting.organization, role: 'comment' });
    const { status, body } = await ada.client.post(at(), { body: { markdown: 'An answer' } });
    expect([status, body]).toEqual([
      200,
      {
        object: 'comment-reply',
        id: expect.any(String),
        postedBy: expect.objectContaining({ object: 'user', id: ada.id }),
        postedAt: expect.any(String),
        reactions: [],
        body: { markdown: 'An answer' },
        mentions: [],
        urls: { location: `${client.url}${at(body.id)}` },
        permissions: { view: true, edit: true, reply: true, delete: true },
      },
    ]);
    expect((await client.get(at(body.id))).body.permissions).toEqual({
      view: true,
      edit: false,
      reply: true,
      delete: true,
    });
    expect(await counted()).toBe(1);
  });

  it('is listed in the order of the conversation, page by page', async () => {
    const made: string[] = [];
    for (let each = 0; each < 5; each++) made.push((await reply(`${each}`)).id);
    expect((await walk(client, at(), 2)).map(({ id }) => id)).toEqual(made);
    expect((await client.get(`${at()}?limit=0`)).body).toEqual({ count: 5, items: [] });
    for (const query of ['limit=1001', 'page=x', 'format=html'])
      expect((await client.get(`${at()}?${query}`)).status).toBe(400);
  });

  it('is edited by its author, and deleted by its author and by admins', async () => {
    const [ada, bob] = await newUsers(client, 2, { organization: setting.organization, role: 'comment' });
    const [mine, other] = [await reply('Mine', ada?.client), await reply('Other', ada?.client)];
    expect((await client.put(at(mine.id), { body: { markdown: 'Yours' } })).status).toBe(403);
    const edited = (await ada?.client.put(at(mine.id), { body: { markdown: 'Edited' } }))?.body;
    expect(edited).toMatchObject({ body: { markdown: 'Edited' }, editedAt: expect.any(String) });
    expect((await bob?.client.delete(at(mine.id)))?.status).toBe(403);
    expect((await ada?.client.delete(at(mine.id)))?.status).toBe(205);
    expect((await client.delete(at(other.id))).status).toBe(205);
    expect((await client.delete(at(other.id))).status).toBe(404);
    expect([await counted(), (await client.get(at())).body]).toEqual([0, { count: 0, items: [] }]);
  });

  it('belongs to its comment', async () => {
    const { id } = await reply('Here');
    const other = (await posted(client, place, 'Another')).id;
    const elsewhere = `${place.at}/comments/${other}/replies/${id}`;
    for (const answer of [
      await client.get(elsewhere),
      await client.put(elsewhere, { addedReactions: ['👍'] }),
      await client.delete(elsewhere),
    ])
      expect(answer.status).toBe(404);
    expect(await counted()).toBe(1);
  });
});
