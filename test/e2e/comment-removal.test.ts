import { comments, replies, textCollections } from '../../services/comments/texts/model.js';
import { eventually } from '../../shared/testing/eventually.js';
import { type CommentPlace, commentPlaces, commentSetting, newPlace, posted } from '../support/comments.js';
import { newUsers, withStore } from '../support/fixtures.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
const commenters = async () => (await client.get(`${place.at}/commenters`)).body.items.map(({ id }: any) => id);

describe.each(commentPlaces)('a comment that is deleted on %s', (kind) => {
  beforeEach(async () => {
    place = await newPlace(client, setting.organization, kind);
  });

  it('takes its replies with it, and who wrote nothing else is no commenter any more', async () => {
    const [ada, bob, eve] = await newUsers(client, 3, { organization: setting.organization, role: 'comment' });
    const { id } = await posted(ada?.client ?? client, place, 'A question');
    const other = await posted(bob?.client ?? client, place, 'Another');
    const path = `${place.at}/comments/${id}`;
    for (let at = 0; at < 120; at += 1) {
      const by = at % 2 ? ada : eve;
      await by?.client.post(`${path}/replies`, { body: { markdown: `${at}` } });
    }
    await bob?.client.post(`${place.at}/comments/${other.id}/replies`, { body: { markdown: 'Mine' } });
    expect((await commenters()).sort()).toEqual([ada?.id, bob?.id, eve?.id].sort());
    expect((await client.delete(path)).status).toBe(205);
    expect(await eventually('one commenter', commenters, ({ length }) => length <= 1)).toEqual([bob?.id]);
    await withStore(textCollections, async (store) => {
      expect(await store.count(replies, { comment: id })).toBe(0);
      expect(await store.count(comments, { _id: id })).toBe(0);
      expect(await store.count(replies, { comment: other.id })).toBe(1);
    });
    expect((await client.get(`${place.at}/comments/${other.id}`)).body.replies).toBe(1);
  });
});
