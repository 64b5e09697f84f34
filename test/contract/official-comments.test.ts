import { GitBookAPI } from '@gitbook/api';
import { documentOf } from '../support/comment-documents.js';
import { type CommentPlace, commentPlaces, commentSetting, newPlace } from '../support/comments.js';
import { officialFields, officialWithout } from '../support/official.js';

const setting = commentSetting();
const { client } = setting;
// Its types name their own files without extension, which NodeNext does not follow.
const { spaces } = new GitBookAPI({ endpoint: client.url, authToken: client.token }) as any;
const official = officialWithout([]);

/** A place with a page, which has an emoji and an icon, and the key of a block of it. */
async function filledPlace(kind: (typeof commentPlaces)[number]) {
  const place = await newPlace(client, setting.organization, kind);
  const document = { markdown: '---\nemoji: "1f680"\nicon: rocket\n---\n\n# A page\n\nA text.\n' };
  await client.post(`${place.at}/content`, { changes: [{ operation: 'insert_page', document }] });
  const { body: tree } = await client.get(`${place.at}/content/pages`);
  const page = tree.pages[0].id;
  const { body } = await client.get(`${place.at}/content/page/${page}?format=document`);
  return { place, page, node: body.document.nodes[0].key };
}

const placed = ({ space, changeRequest }: CommentPlace) =>
  changeRequest === undefined
    ? { path: [space], suffix: 'InSpace' }
    : { path: [space, changeRequest], suffix: 'InChangeRequest' };

describe.each(commentPlaces)('the official client on %s', (kind) => {
  it('calls every operation of comments, replies and commenters', async () => {
    const { place, page, node } = await filledPlace(kind);
    const { path, suffix } = placed(place);
    const call = async (name: string, ...rest: unknown[]) => (await spaces[name + suffix](...path, ...rest)).data;

    const comment = await call('postComment', { page, node, body: { markdown: 'Is *this* right?' } });
    const { body, target } = await call('getComment', comment.id, { format: 'document' });
    expect([body.document.object, target.node.id]).toEqual(['document', node]);
    const resolved = await call('updateComment', comment.id, { resolved: true, addedReactions: ['1f44d'], body });
    expect(resolved).toMatchObject({ status: 'resolved', reactions: [{ emoji: '👍', count: 1 }] });
    const query = { status: 'resolved', targetPage: page, authors: [comment.postedBy.id], order: 'asc', limit: 1 };
    expect((await call('listComments', query)).items).toEqual([resolved]);

    const reply = await call('postCommentReply', comment.id, { body: { markdown: 'Yes' } });
    const { nodes } = (await call('getCommentReply', comment.id, reply.id, { format: 'document' })).body.document;
    const twice = { body: documentOf(...nodes, ...nodes), removedReactions: ['👍'] };
    const edited = await call('updateCommentReply', comment.id, reply.id, twice);
    expect(edited).toMatchObject({ body: { markdown: 'Yes\n\nYes' }, editedAt: expect.any(String) });
    expect(await call('getCommentReply', comment.id, reply.id)).toEqual(edited);
    expect((await call('listCommentReplies', comment.id, { limit: 10 })).items).toEqual([edited]);
    expect((await call('listCommenters')).items).toMatchObject([{ object: 'member', id: comment.postedBy.id }]);

    await call('deleteCommentReply', comment.id, reply.id);
    await expect(call('getCommentReply', comment.id, reply.id)).rejects.toMatchObject({ code: 404 });
    await call('deleteComment', comment.id);
    await expect(call('getComment', comment.id)).rejects.toMatchObject({ code: 404 });
    expect(await call('listComments')).toEqual({ count: 0, items: [] });
  });
});

/** Optional fields of the file that no answer has. */
const neverTold: Record<string, Record<string, string>> = {
  'Comment.target': { tableCell: 'tables of content have no records that one could name' },
};

describe('all that the file knows is told', () => {
  let comments: any[];
  let reply: any;
  beforeAll(async () => {
    const { place, page, node } = await filledPlace('a change request');
    const at = `${place.at}/comments`;
    const review = { status: 'changes-requested', comment: { markdown: 'Not yet' } };
    const { body: reviewed } = await client.post(`${place.at}/reviews`, review);
    const { body: made } = await client.post(at, { page, node, body: { markdown: 'A qestion' } });
    const update = { body: { markdown: 'A question' }, resolved: true, addedReactions: ['👍'] };
    const { body: updated } = await client.put(`${at}/${made.id}`, update);
    const { body: answer } = await client.post(`${at}/${made.id}/replies`, { body: { markdown: 'An aswer' } });
    const changed = { body: { markdown: 'An answer' }, addedReactions: ['🎉'] };
    reply = (await client.put(`${at}/${made.id}/replies/${answer.id}`, changed)).body;
    comments = [updated, (await client.get(`${at}/${reviewed.id}`)).body];
  });

  const told = (values: any[]) => new Set(values.flatMap((value) => Object.keys(value ?? {})));

  it.each<[schema: string, values: () => any[]]>([
    ['Comment', () => comments],
    ['Comment.target', () => comments.map(({ target }) => target)],
    ['Comment.target.node', () => comments.map(({ target }) => target.node)],
    ['Comment.target.page', () => comments.map(({ target }) => target.page)],
    ['Comment.permissions', () => comments.map(({ permissions }) => permissions)],
    ['CommentReply', () => [reply]],
    ['CommentReply.permissions', () => [reply.permissions]],
  ])('of %s', (schema, values) => {
    const all = officialFields(schema);
    expect(all.length).toBeGreaterThan(0);
    const missing = all.filter((field) => !told(values()).has(field));
    expect(missing).toEqual(Object.keys(neverTold[schema] ?? {}));
  });

  it('as the file says', () => {
    for (const comment of comments) expect(official.mismatchesOf('Comment', comment)).toEqual([]);
    expect(official.mismatchesOf('CommentReply', reply)).toEqual([]);
  });
});
