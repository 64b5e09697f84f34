import { type AppPerson, personWith } from '../support/app-person.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
const requests = changeRequestsOf(client, of);
let organization: string;
let writer: AppPerson;
let reviewer: AppPerson;
let reviewerId: string;
let writerId: string;

beforeAll(async () => {
  organization = await newOrganization(client);
  of.space = await newSpace(client, organization, { editMode: 'live' });
  await requests.live(insert('Guide'));
  const [editor, judge] = [
    await newUser(client, { organization, role: 'edit' }),
    await newUser(client, { organization, role: 'review' }),
  ];
  [writer, reviewer] = [await personWith(client, editor.token), await personWith(client, judge.token)];
  [writerId, reviewerId] = [editor.id, judge.id];
  await editor.client.patch(`/v1/users/${editor.id}`, { displayName: 'Wanda Writer' });
  await judge.client.patch(`/v1/users/${judge.id}`, { displayName: 'Rita Reviewer' });
});

const space = () => `/app/s/${of.space}`;
const newRequest = async (subject: string): Promise<number> => {
  await writer.open(`${space()}/~/changes/new`);
  await writer.submit({ action: 'create' }, { subject });
  return Number(/changes\/(\d+)/.exec(writer.path)?.[1]);
};
const overview = (number: number) => `${space()}/~/changes/${number}`;

it('lives a whole life with two people: written, reviewed twice, commented and merged', async () => {
  const number = await newRequest('Explain <b>the</b> installer');
  expect([writer.status, writer.text]).toEqual([200, expect.stringContaining('Explain <b>the</b> installer')]);
  expect(writer.html).not.toContain('<b>the</b>');
  expect(writer.text).toContain('Draft');
  expect(writer.text).toContain('Nothing differs.');
  await requests.write(number, insert('Installing'));

  await writer.open(overview(number));
  expect(writer.text).toMatch(/Installing.*New/);
  await writer.submit({ action: 'request-review' }, { reviewer: reviewerId });
  expect(writer.text).toMatch(/Rita Reviewer Asked by Wanda Writer Not reviewed yet/);
  expect(writer.text).toContain('Open');

  await reviewer.open(`${space()}/~/changes`);
  expect(reviewer.text).toContain('Explain <b>the</b> installer');
  await reviewer.open(overview(number));
  await reviewer.submit(
    { action: 'review' },
    { verdict: 'changes-requested', 'review-comment': 'Where are the **steps**?' },
  );
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringContaining('Changes requested')]);
  expect(reviewer.html).toContain('Where are the <strong>steps</strong>?');

  await writer.open(overview(number));
  const comment = String(/id="comment-(\w+)"/.exec(writer.html)?.[1]);
  await writer.submit(
    { action: 'reply', where: { comment } },
    { body: 'They are there now.', mention: 'Rita Reviewer' },
  );
  expect(writer.html).toMatch(/They are there now\.[\s\S]*class="mention"[\s\S]*@Rita Reviewer/);
  await writer.submit({ action: 'react', where: { comment, emoji: '👍' } });
  expect(writer.elements('button').some(({ attributes }) => attributes['aria-pressed'] === 'true')).toBe(true);
  expect(writer.offers()).not.toContain('merge');

  await reviewer.open(overview(number));
  expect(reviewer.text).toContain('Changes requested: Rita Reviewer.');
  await reviewer.submit({ action: 'resolve', where: { comment } });
  expect(reviewer.text).toContain('Resolved by Rita Reviewer');
  await reviewer.submit({ action: 'review' }, { verdict: 'approved' });
  expect(reviewer.text).toContain('Approved');
  expect(reviewer.text).not.toContain('Changes requested: ');
  await reviewer.submit({ action: 'merge' });
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringContaining('It was merged.')]);
  expect(await requests.titles(requests.primaryPages())).toContain('Installing');
  await reviewer.open(`${space()}/~/changes?status=merged`);
  expect(reviewer.text).toContain(`#${number} by Wanda Writer`);
});

it('settles conflicts side by side, with a choice for each', async () => {
  const page = await requests.idOf('Guide');
  const number = await newRequest('In conflict');
  await requests.write(number, rewrite(page, 'As the change request says.\n'));
  await requests.live(rewrite(page, 'As the space says.\n'));
  await reviewer.open(overview(number));
  expect(reviewer.text).toContain('The content of the space has changed since.');
  await reviewer.submit({ action: 'merge' });
  expect(reviewer.path).toContain('/~/conflicts');
  expect(reviewer.text).toMatch(/As the space says\..*As the change request says\./);

  await reviewer.submit({ action: 'settle' });
  expect([reviewer.status, reviewer.text]).toEqual([400, expect.stringContaining('Choose a side')]);
  await reviewer.submit({ action: 'settle' }, { 'choice-0': 'change-request' });
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringContaining('Updated with the content')]);
  await reviewer.submit({ action: 'merge' });
  expect(await requests.primarySource(page)).toContain('As the change request says.');
});

it('refuses choices for a space that has other content by now', async () => {
  const page = await requests.idOf('Guide');
  const number = await newRequest('Late');
  await requests.write(number, rewrite(page, 'Late words.\n'));
  await requests.live(rewrite(page, 'Early words.\n'));
  await writer.open(`${overview(number)}/~/conflicts`);
  await requests.live(rewrite(page, 'Other early words.\n'));
  await writer.submit({ action: 'settle' }, { 'choice-0': 'primary' });
  expect([writer.status, writer.text]).toEqual([409, expect.stringContaining('Other early words.')]);
});

it('keeps a choice at its conflict where another one has come meanwhile', async () => {
  await requests.live(insert('One'), insert('Other'));
  const pages = [await requests.idOf('One'), await requests.idOf('Other')];
  const inConflict = async (words: string) => {
    const number = await newRequest(words);
    await requests.write(number, ...pages.map((page) => rewrite(page, `${words}, here.\n`)));
    return number;
  };
  const known = await inConflict('In order');
  await requests.live(...pages.map((page) => rewrite(page, 'In order, there.\n')));
  const [first, second] = (await requests.conflicts(known)).map(({ id }) => id);

  const number = await inConflict('One by one');
  await requests.live(rewrite(second, 'One by one, there.\n'));
  await writer.open(`${overview(number)}/~/conflicts`);
  await requests.live(rewrite(first, 'One by one, there.\n'));
  await writer.submit({ action: 'settle' }, { 'choice-0': 'primary' });
  const chosen = writer.elements('input').filter(({ attributes }) => attributes.checked !== undefined);
  expect(writer.status).toBe(409);
  expect(chosen.map(({ attributes }) => [attributes.name, attributes.value])).toEqual([['choice-1', 'primary']]);
});

it('goes from draft to open, to the archive and back, with another subject', async () => {
  const number = await newRequest('');
  expect(writer.text).toContain(`Change request ${number}`);
  const described = { subject: 'A better name', description: 'Fewer **questions**.\n\n* one <i>less</i>' };
  await writer.submit({ action: 'rename' }, described);
  expect(writer.text).toContain('A better name');
  expect(writer.html).toMatch(/Fewer <strong>questions<\/strong>\./);
  expect(writer.html).not.toContain('<i>less');
  await writer.submit({ action: 'rename' }, { subject: 'x'.repeat(101) });
  expect([writer.status, writer.openMenus]).toEqual([400, [expect.stringContaining('Subject')]]);
  await writer.open(overview(number));
  await writer.submit({ action: 'open' });
  expect((await requests.requestNow(number)).status).toBe('open');
  await writer.submit({ action: 'draft' });
  await writer.submit({ action: 'archive' });
  expect(writer.text).toContain('It is archived');
  await writer.submit({ action: 'open' });
  expect((await requests.requestNow(number)).status).toBe('open');
});

it('offers nobody what they may not do, and says so to those who try', async () => {
  const number = await newRequest('Not yours');
  await requests.write(number, insert('Secret plans'));
  const member = await newUser(client, { organization, role: 'read' });
  const reader = await personWith(client, member.token);
  await reader.open(overview(number));
  expect([reader.status, reader.text]).toEqual([200, expect.stringContaining('You may read comments here')]);
  expect([...reader.offers()]).toEqual(['sign-out']);
  for (const [action, fields] of [
    ['merge', {}],
    ['open', {}],
    ['review', { verdict: 'approved' }],
    ['comment', { body: 'Me too' }],
    ['request-review', { reviewer: '' }],
  ] as const) {
    await reader.forge(overview(number), { action, ...fields });
    expect([action, reader.status]).toEqual([action, 403]);
  }
  await writer.open(overview(number));
  await writer.forge(overview(number), { action: 'merge' });
  expect([writer.status, (await requests.requestNow(number)).status]).toEqual([403, 'draft']);
});

it('is nothing to guests, and to people who were removed while they looked', async () => {
  const number = await newRequest('Members only');
  const stranger = await newUser(client);
  const guest = await personWith(client, stranger.token);
  for (const path of [overview(number), `${space()}/~/changes`, `${overview(number)}/~/conflicts`])
    expect([path, (await guest.open(path)).status]).toEqual([path, 404]);

  const leaving = await newUser(client, { organization, role: 'review' });
  const looking = await personWith(client, leaving.token);
  await looking.open(overview(number));
  expect(looking.status).toBe(200);
  await client.delete(`/v1/orgs/${organization}/members/${leaving.id}`);
  await looking.submit({ action: 'comment' }, { body: 'Still here?' });
  expect(looking.status).toBe(404);
  expect(looking.text).not.toContain('Members only');
});

it('asks everybody who may review, and withdraws a request', async () => {
  const number = await newRequest('For somebody');
  await writer.submit({ action: 'request-review' }, { reviewer: reviewerId });
  await writer.submit({ action: 'withdraw', where: { reviewer: reviewerId } });
  expect(writer.text).toContain('Nobody was asked for a review yet.');
  await writer.submit({ action: 'request-review' }, { reviewer: writerId });
  expect([writer.status, writer.text]).toEqual([400, expect.stringContaining('may not review')]);
  await writer.open(overview(number));
  await writer.submit({ action: 'request-review' }, { reviewer: '' });
  expect(writer.text).toContain('Asked for a review.');
});

it('is written, updated and merged at an address with its id', async () => {
  const page = await requests.idOf('Guide');
  const number = await newRequest('By its id');
  const { id } = await requests.requestNow(number);
  const at = `${space()}/~/changes/${id}`;
  await requests.write(number, rewrite(page, 'By its id, here.\n'));
  await writer.open(at);
  await writer.submit({ action: 'rename' }, { subject: 'By its id alone' });
  expect([writer.status, writer.text]).toEqual([200, expect.stringContaining('By its id alone')]);
  await requests.live(rewrite(page, 'By its id, there.\n'));
  await writer.open(at);
  await writer.submit({ action: 'update' });
  expect([writer.status, writer.path]).toEqual([200, expect.stringContaining('/~/conflicts')]);
  await writer.submit({ action: 'settle' }, { 'choice-0': 'primary' });
  expect([writer.status, writer.notices]).toEqual([200, [expect.stringContaining('Updated')]]);
});

it('leads on to the editor of a page', async () => {
  await writer.open(`${space()}/~/changes/new?page=guide`);
  await writer.submit({ action: 'create' }, { subject: 'Edit it' });
  expect(writer.path).toMatch(/\/~\/changes\/\d+\/~\/edit\/guide$/);
});

it('shows how each page differs from what the space had', async () => {
  const page = await requests.idOf('Guide');
  const number = await newRequest('Words');
  await requests.write(number, rewrite(page, 'Every word is new here.\n'));
  await writer.open(overview(number));
  expect(writer.text).toMatch(/Pages 1 .*Guide.*Edited/);
  await writer.open(`${overview(number)}/~/differences/${page}`);
  expect([writer.status, writer.text]).toEqual([200, expect.stringContaining('Every word is new here.')]);
  expect(writer.html).toMatch(/<ins>|class="part added"/);
  expect((await writer.open(`${overview(number)}/~/differences/unknown`)).status).toBe(404);
});
