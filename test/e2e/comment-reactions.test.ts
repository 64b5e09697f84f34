import { type CommentPlace, commentPlaces, commentSetting, newPlace, posted } from '../support/comments.js';
import { type NewUser, newUsers } from '../support/fixtures.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
let path: string;
const emojisOf = ({ reactions }: any) =>
  reactions.map(({ emoji, count, users }: any) => [emoji, count, users.map(({ user }: any) => user.id)]);

describe.each(commentPlaces)('reactions on %s', (kind) => {
  beforeEach(async () => {
    place = await newPlace(client, setting.organization, kind);
    path = `${place.at}/comments/${(await posted(client, place, 'Nice')).id}`;
  });

  it('count each user once, in the order in which they came', async () => {
    const [ada, bob] = await newUsers(client, 2, { organization: setting.organization, role: 'comment' });
    await ada?.client.put(path, { addedReactions: ['👍'] });
    await bob?.client.put(path, { addedReactions: ['🎉', '👍', '👍'] });
    const { body } = await (ada as NewUser).client.put(path, { addedReactions: ['👍', '1f389'] });
    expect(emojisOf(body)).toEqual([
      ['👍', 2, [ada?.id, bob?.id]],
      ['🎉', 2, [bob?.id, ada?.id]],
    ]);
    expect(body.reactions[0].users[0]).toEqual({
      user: expect.objectContaining({ object: 'user' }),
      reactedAt: expect.any(String),
    });
    const taken = (await ada?.client.put(path, { addedReactions: ['❤'], removedReactions: ['👍', '🎉', '😀'] })) as any;
    expect(emojisOf(taken.body)).toEqual([
      ['🎉', 1, [bob?.id]],
      ['👍', 1, [bob?.id]],
      ['❤️', 1, [ada?.id]],
    ]);
    await bob?.client.put(path, { removedReactions: ['👍', '🎉'] });
    expect(emojisOf((await client.get(path)).body)).toEqual([['❤️', 1, [ada?.id]]]);
    expect((await client.get(path)).body).not.toHaveProperty('editedAt');
  });

  it('are given to replies as well', async () => {
    const reply = (await client.post(`${path}/replies`, { body: { markdown: 'Thanks' } })).body;
    const { body } = await client.put(`${path}/replies/${reply.id}`, { addedReactions: ['👩‍💻'] });
    expect([body.object, body.reactions.map(({ emoji }: any) => emoji)]).toEqual(['comment-reply', ['👩‍💻']]);
  });

  it.each([
    ['a word', ['thumbsup']],
    ['two emoji', ['👍👍']],
    ['nothing', ['']],
    ['a letter', ['a']],
    ['a digit', ['1']],
    ['a hidden character after it', ['👍\u200b']],
    ['an override before it', ['\u202e👍']],
    ['a null byte', ['\0']],
    ['no code point', ['110000']],
    ['a code point that is no emoji', ['0041']],
    ['half of a pair', ['\ud83d']],
    ['a number', [1]],
    ['no list', '👍'],
    ['too many', Array.from({ length: 21 }, () => '👍')],
    ['a long text', ['👍'.repeat(100)]],
  ])('are emoji: %s is refused', async (_, added) => {
    for (const field of ['addedReactions', 'removedReactions']) {
      const { status, body } = await client.put(path, { [field]: added, resolved: true });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(field)]);
    }
    expect((await client.get(path)).body).toMatchObject({ reactions: [], status: 'open' });
  });

  it('are not added and taken back at once', async () => {
    const { status, body } = await client.put(path, { addedReactions: ['👍'], removedReactions: ['1f44d'] });
    expect([status, body.error.message]).toEqual([400, 'removedReactions: 👍 is in addedReactions too']);
  });

  it('64 users, 16 of them at once, react, reply, resolve and open again, and all is counted', async () => {
    const users = await newUsers(client, 64, { organization: setting.organization, role: 'comment' });
    for (let from = 0; from < users.length; from += 16) {
      const answers = await Promise.all(
        users
          .slice(from, from + 16)
          .flatMap(({ client: user }, at) => [
            user.put(path, { addedReactions: ['👍', at % 2 ? '🎉' : '🚀'] }),
            user.post(`${path}/replies`, { body: { markdown: `${at}` } }),
            user.put(path, { resolved: at % 2 === 0 }),
          ]),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
    const { body } = await client.get(path);
    expect(new Map(emojisOf(body).map(([emoji, count]: any) => [emoji, count]))).toEqual(
      new Map([
        ['👍', 64],
        ['🎉', 32],
        ['🚀', 32],
      ]),
    );
    for (const { users: each } of body.reactions)
      expect(new Set(each.map(({ user }: any) => user.id)).size).toBe(each.length);
    const replies = (await client.get(`${path}/replies?limit=100`)).body;
    expect([body.replies, replies.count, replies.items.length]).toEqual([64, 64, 64]);
    const counts = await Promise.all(
      ['open', 'resolved'].map(async (status) => (await client.get(`${place.at}/comments?status=${status}`)).body),
    );
    expect(counts.map(({ count, items }) => [count, items.length])).toEqual(
      body.status === 'open'
        ? [
            [1, 1],
            [0, 0],
          ]
        : [
            [0, 0],
            [1, 1],
          ],
    );
  });
});
