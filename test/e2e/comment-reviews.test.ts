import { eventually } from '../../shared/testing/eventually.js';
import { paragraphOf, text } from '../support/comment-documents.js';
import { type CommentPlace, commentSetting, newPlace } from '../support/comments.js';
import { type NewUser, newUser } from '../support/fixtures.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
let reviewer: NewUser;
beforeAll(async () => {
  reviewer = await newUser(client, { organization: setting.organization, role: 'review' });
});
beforeEach(async () => {
  place = await newPlace(client, setting.organization, 'a change request');
});

const reviews = () => `${place.at}/reviews`;
const comments = (id = '') => `${place.at}/comments${id && `/${id}`}`;
/** The number of open comments that the change request shows: it is counted after the comments are there. */
const showsOpen = (count: number) =>
  eventually(
    `${count} open comments`,
    async () => (await client.get(place.at)).body.comments,
    (shown) => shown === count,
  );
const shownIn = async (query = '') =>
  (await client.get(`${reviews()}${query}`)).body.items.map(({ comment }: any) => comment);

async function reviewed(comment?: object): Promise<any> {
  const review = { status: 'changes-requested', ...(comment ? { comment } : {}) };
  const { status, body } = await reviewer.client.post(reviews(), review);
  expect(status).toBe(201);
  return body;
}

describe('the comment of a review', () => {
  it.each([
    ['Markdown', { markdown: 'A **word** is missing.' }],
    ['a document', paragraphOf(text('A '), text('word', 'bold'), text(' is missing.'))],
  ])('in %s is a comment of the change request at once', async (_, sent) => {
    const review = await reviewed(sent);
    const { body: list } = await client.get(comments());
    const { permissions, ...comment } = list.items[0];
    expect(list.count).toBe(1);
    await showsOpen(1);
    expect(comment).toMatchObject({
      id: review.id,
      status: 'open',
      postedBy: { id: reviewer.id },
      postedAt: review.createdAt,
      body: { markdown: 'A **word** is missing.' },
      target: { changeRequest: place.changeRequest, review: review.id, revision: review.revision },
      urls: { location: `${client.url}${comments(review.id)}` },
    });
    expect(permissions).toEqual({ view: true, edit: false, reply: true, delete: true });
    expect(review.comment).toEqual({ ...comment, permissions: { ...permissions, edit: true } });
    expect(await shownIn()).toEqual(list.items);
    const [inDocument] = await shownIn('?format=document');
    expect(inDocument).toEqual((await client.get(`${comments(review.id)}?format=document`)).body);
    expect((await client.get(`${place.at}/commenters`)).body.items).toMatchObject([{ id: reviewer.id }]);
    const inSpace = `/v1/spaces/${place.space}/comments`;
    expect([(await client.get(inSpace)).body.count, (await client.get(`${inSpace}/${review.id}`)).status]).toEqual([
      0, 404,
    ]);
  });

  it('is replied to, resolved and edited as any other, and the review shows it so', async () => {
    const { id } = await reviewed({ markdown: 'A word is missing.' });
    const reply = await client.post(`${comments(id)}/replies`, { body: { markdown: 'Which one?' } });
    expect(reply.status).toBe(200);
    await client.put(comments(id), { addedReactions: ['👀'], resolved: true });
    const changed = await reviewer.client.put(comments(id), { body: { markdown: 'The word "not" is missing.' } });
    expect(changed.body).toMatchObject({
      body: { markdown: 'The word "not" is missing.' },
      editedAt: expect.any(String),
      replies: 1,
      status: 'resolved',
      reactions: [{ emoji: '👀', count: 1 }],
      target: { review: id },
    });
    expect(await shownIn()).toEqual([(await client.get(comments(id))).body]);
    expect((await client.get(`${comments()}?status=resolved`)).body.count).toBe(1);
    await showsOpen(0);
    expect((await client.put(comments(id), { body: { markdown: 'Mine' } })).status).toBe(403);
  });

  it('leaves the review without one when it is deleted, for good', async () => {
    const { id } = await reviewed({ markdown: 'A word is missing.' });
    expect((await reviewer.client.delete(comments(id))).status).toBe(205);
    const { body } = await client.get(reviews());
    expect(body).toMatchObject({ count: 1, items: [{ id, status: 'changes-requested' }] });
    expect(body.items[0]).not.toHaveProperty('comment');
    // Another review is told after the first: what its event would make is there, or not, by then.
    const { id: second } = await reviewed({ markdown: 'And another.' });
    expect((await client.get(comments())).body.items.map((comment: any) => comment.id)).toEqual([second]);
    expect((await client.get(comments(id))).status).toBe(404);
    await showsOpen(1);
  });

  it('is there only where the review has one', async () => {
    expect(await reviewed()).not.toHaveProperty('comment');
    expect((await client.get(comments())).body.count).toBe(0);
    await showsOpen(0);
  });

  it.each([
    ['neither form', {}],
    ['both forms', { markdown: 'a', ...paragraphOf(text('a')) }],
    ['nothing that shows', { markdown: '\u200b' }],
    ['a null byte', { markdown: 'a\0' }],
    ['too much', { markdown: 'x'.repeat(20_001) }],
    ['a document that is none', { document: { object: 'document', nodes: [{}] } }],
  ])('is refused with the review: %s', async (_, comment) => {
    const { status, body } = await reviewer.client.post(reviews(), { status: 'approved', comment });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('comment')]);
    expect([(await client.get(reviews())).body.count, (await client.get(comments())).body.count]).toEqual([0, 0]);
  });

  it('stays when the change request is merged, and is shown by it', async () => {
    const { id } = await reviewed({ markdown: 'Fine now.' });
    await client.patch(place.at, { status: 'open' });
    expect((await client.post(`${place.at}/merge`)).status).toBe(200);
    expect((await client.get(comments())).body.items).toMatchObject([{ id, target: { review: id } }]);
    expect(await shownIn()).toMatchObject([{ id }]);
  });
});
