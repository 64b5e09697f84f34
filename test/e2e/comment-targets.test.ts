import { eventually } from '../../shared/testing/eventually.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
const { at, idOf, live, merge, newRequest, post, write } = changeRequestsOf(client, of);
const inSpace = (rest: string) => `/v1/spaces/${of.space}${rest}`;
let page = '';
beforeEach(async () => {
  const organization = await newOrganization(client);
  of.space = await newSpace(client, organization);
  await client.patch(inSpace(''), { editMode: 'live' });
  await live(insert('Guide', { document: { markdown: 'First.\n\n| A | B |\n| - | - |\n| in **a cell** | c |\n' } }));
  page = await idOf('Guide');
});

/** The keys of the blocks of the page, by what they hold. */
async function keyOf(type: string, place = inSpace('')): Promise<string> {
  const { document } = (await client.get(`${place}/content/page/${page}?format=document`)).body;
  const table = document.nodes.find((node: any) => node.type === 'table');
  return type === 'cell' ? table.fragments[0].nodes[0].key : document.nodes.find((node: any) => node.type === type).key;
}

const body = { markdown: 'Is this right?' };
const comment = (about: object, place = inSpace('')) => post(`${place}/comments`, { body, page, ...about });
const targetOf = async (id: string, place = inSpace('')) => (await client.get(`${place}/comments/${id}`)).body.target;

it('is about a page, and about a block of it, with its text', async () => {
  expect((await comment({})).target.page).toMatchObject({ id: page, title: 'Guide', path: 'guide', outdated: false });
  const node = await keyOf('paragraph');
  expect((await comment({ node })).target.node).toEqual({ id: node, preview: 'First.' });
  const cell = await keyOf('cell');
  expect((await comment({ node: cell })).target.node).toEqual({ id: cell, preview: 'in a cell' });
});

it('is listed with the others on its block', async () => {
  const [paragraph, cell] = [await keyOf('paragraph'), await keyOf('cell')];
  const [first, second] = [await comment({ node: paragraph }), await comment({ node: paragraph })];
  for (const node of [cell, undefined]) await comment({ node });
  await client.put(inSpace(`/comments/${first.id}`), { resolved: true });
  const listed = async (more: string) =>
    (await client.get(inSpace(`/comments?targetPage=${page}&targetNode=${paragraph}${more}`))).body;
  expect(await listed('&limit=1')).toMatchObject({ count: 2, items: [{ id: second.id }], next: expect.anything() });
  expect(await listed('&status=resolved')).toMatchObject({ count: 1, items: [{ id: first.id }] });
  expect(await listed('&authors=nobody')).toEqual({ count: 0, items: [] });
});

it('is refused for a page or a block that does not exist', async () => {
  const refusals: [object, string][] = [
    [{ page: 'nowhere' }, 'page'],
    [{ node: 'nothing' }, 'node'],
    [{ page: undefined, node: 'nothing' }, 'page'],
  ];
  for (const [about, field] of refusals) {
    const { status, body: refused } = await client.post(inSpace('/comments'), { body, page, ...about });
    expect([status, refused.error.message]).toEqual([400, expect.stringContaining(`${field}:`)]);
  }
});

it('is outdated when the block is gone, and not while it stays as it was on a changed page', async () => {
  const [paragraph, cell] = [await keyOf('paragraph'), await keyOf('cell')];
  const [first, second] = [await comment({ node: paragraph }), await comment({ node: cell })];
  await live(rewrite(page, 'First.\n\nSecond.\n', { title: 'Renamed' }));
  expect((await targetOf(first.id)).page).toMatchObject({ title: 'Renamed', outdated: false });
  expect((await targetOf(second.id)).page).toMatchObject({ title: 'Renamed', outdated: true });
  await live({ operation: 'delete_page', page });
  expect((await targetOf(first.id)).page).toMatchObject({ id: page, title: 'Guide', outdated: true });
});

it('is about the content of the change request, and about that of the space once it is merged', async () => {
  const number = await newRequest();
  await write(number, rewrite(page, 'Only here.\n'));
  const node = await keyOf('paragraph', at(number));
  const { id, target } = await comment({ node }, at(number));
  expect(target.node).toEqual({ id: node, preview: 'Only here.' });
  await merge(number);
  expect((await targetOf(id, at(number))).page).toMatchObject({ outdated: false });
  await live(rewrite(page, 'Changed since.\n'));
  expect((await targetOf(id, at(number))).page).toMatchObject({ outdated: true });
});

it('on a change request is outdated when its page was deleted from the space', async () => {
  const number = await newRequest();
  const { id } = await comment({}, at(number));
  await live({ operation: 'delete_page', page });
  expect((await targetOf(id, at(number))).page).toMatchObject({ id: page, outdated: true });
});

it('is a review, whose comment others resolve', async () => {
  const number = await newRequest();
  const review = await post(at(number, '/reviews'), { status: 'approved', comment: body }, 201);
  expect(review.comment).toMatchObject({ id: review.id, body, status: 'open', target: { review: review.id } });
  await eventually('the count', async () => (await client.get(at(number))).body.comments === 1);
  await client.put(at(number, `/comments/${review.id}`), { resolved: true });
  const [listed] = (await client.get(at(number, '/reviews'))).body.items;
  expect(listed.comment).toMatchObject({ status: 'resolved' });
  await eventually('the count', async () => (await client.get(at(number))).body.comments === 0);
  expect((await client.delete(at(number, `/comments/${review.id}`))).status).toBe(205);
  expect((await client.get(at(number, '/reviews'))).body.items[0]).not.toHaveProperty('comment');
});
