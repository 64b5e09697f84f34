import { type AppPerson, personWith } from '../support/app-person.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { posted } from '../support/comments.js';
import { type NewUser, newOrganization, newSpace, newUser, newUsers, shared } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
const requests = changeRequestsOf(client, of);
let organization: string;
let ada: NewUser;
let browser: AppPerson;
let page: string;

beforeAll(async () => {
  organization = await newOrganization(client);
  of.space = await newSpace(client, organization, { editMode: 'live' });
  await requests.live(insert('Guide'));
  page = await requests.idOf('Guide');
  ada = await newUser(client, { organization, role: 'comment' });
  await ada.client.patch(`/v1/users/${ada.id}`, { displayName: 'Ada [x](y)' });
  browser = await personWith(client, ada.token);
});

const comments = () => `/app/s/${of.space}/~/comments`;
const place = () => ({ space: of.space, at: `/v1/spaces/${of.space}` });
const idIn = (html: string): string => String(/id="comment-(\w+)"/.exec(html)?.[1]);

it('writes, edits, answers, reacts to, resolves and deletes a comment', async () => {
  await browser.open(comments());
  await browser.submit({ action: 'comment' }, { body: 'First *words*' });
  expect([browser.status, browser.html]).toEqual([200, expect.stringContaining('First <em>words</em>')]);
  const comment = idIn(browser.html);
  await browser.submit({ action: 'edit-text', where: { comment } }, { body: 'Other words\r\n\r\nbelow' });
  expect(browser.text).toContain('edited');
  expect((await client.get(`${place().at}/comments/${comment}`)).body.body.markdown).toBe('Other words\n\nbelow');
  await browser.submit({ action: 'reply', where: { comment } }, { body: 'A reply' });
  await browser.submit({ action: 'react', where: { comment, emoji: '🎉' } });
  expect(browser.text).toMatch(/🎉 1/);
  await browser.submit({ action: 'unreact', where: { comment, emoji: '🎉' } });
  expect(browser.text).not.toMatch(/🎉 1/);
  await browser.submit({ action: 'resolve', where: { comment } });
  expect(browser.text).not.toContain('Other words');
  await browser.open(`${comments()}?status=resolved`);
  expect(browser.text).toMatch(/Other words.*A reply/);
  await browser.submit({ action: 'open-again', where: { comment } });
  await browser.open(comments());
  await browser.submit({ action: 'delete-text', where: { comment } });
  expect([browser.status, (await client.get(`${place().at}/comments/${comment}`)).status]).toEqual([200, 404]);
});

it('keeps a text that was refused in its form', async () => {
  await browser.open(comments());
  await browser.submit({ action: 'comment' }, { body: '\u202e backwards' });
  expect([browser.status, browser.text]).toEqual([400, expect.stringContaining('U+202E')]);
  expect(browser.elements('textarea')[0]?.text).toContain('backwards');
  const { id } = await posted(ada.client, place(), 'Well written');
  await browser.open(comments());
  expect(browser.openMenus).toEqual([]);
  await browser.submit({ action: 'edit-text', where: { comment: id } }, { body: '\u202e again' });
  expect([browser.status, browser.openMenus]).toEqual([400, [expect.stringContaining('again')]]);
});

it('is about a block of a page, and says so when the block is gone', async () => {
  const { body } = await client.get(`/v1/spaces/${of.space}/content/page/${page}?format=document`);
  const block = body.document.nodes[0].key;
  await browser.open(`${comments()}?page=${page}&block=${block}`);
  await browser.submit({ action: 'comment' }, { body: 'About this block' });
  expect([browser.status, browser.text]).toEqual([200, expect.stringMatching(/Guide.*About Guide\./)]);
  await posted(client, place(), 'About the page alone', { page });
  await browser.open(`${comments()}?page=${page}&block=${block}`);
  expect(browser.text).toContain('About this block');
  expect(browser.text).not.toContain('About the page alone');
  await requests.live(rewrite(page, 'Something else.\n'));
  await browser.open(`${comments()}?page=${page}`);
  expect(browser.text).toContain('This part of the page has changed or is gone.');
  await browser.open(`${comments()}?page=${page}&block=nothing`);
  await browser.submit({ action: 'comment' }, { body: 'About nothing' });
  expect([browser.status, browser.text]).toEqual([400, expect.stringContaining('no such block')]);
});

it('mentions people by their names, whatever those are', async () => {
  const found = await browser.open(`/app/s/${of.space}/~/people?q=ada%20[`);
  expect(JSON.parse(found.html)).toEqual({ people: [{ id: ada.id, name: 'Ada [x](y)' }] });
  await browser.open(comments());
  await browser.submit({ action: 'comment' }, { body: 'Look', mention: 'ada [X](y)' });
  const [{ mentions }] = (await client.get(`${place().at}/comments`)).body.items;
  expect([mentions, browser.text]).toEqual([[ada.id], expect.stringContaining('@Ada [x](y)')]);
  const strangers = await newUsers(client, 2, { organization });
  for (const { id, client: own } of strangers) await own.patch(`/v1/users/${id}`, { displayName: 'Bob' });
  for (const [mention, why] of [
    ['Nobody', 'Nobody who may read this space'],
    ['Bob', 'Several people'],
    ['Bob (none)', 'Nobody who may'],
  ]) {
    await browser.submit({ action: 'comment' }, { body: 'Look', mention: String(mention) });
    expect([browser.status, browser.text]).toEqual([400, expect.stringContaining(String(why))]);
  }
  await browser.submit({ action: 'comment' }, { body: 'Look', mention: `Bob (${strangers[1]?.id})` });
  expect([browser.status, browser.text]).toEqual([200, expect.stringContaining('@Bob')]);
});

it('runs nothing that a text or a name holds', async () => {
  await ada.client.patch(`/v1/users/${ada.id}`, { displayName: '<img src=x onerror=alert(1)>' });
  const markdown = '<script>alert(1)</script> [a](javascript:alert(1)) ![b](https://x.example/" onerror="alert(1))';
  await posted(ada.client, place(), markdown);
  await browser.open(comments());
  for (const element of ['script', 'img'])
    for (const { attributes } of browser.elements(element)) expect(attributes.src).toMatch(/^\/~app\//);
  for (const { attributes } of browser.elements('a')) expect(attributes.href ?? '').not.toMatch(/^javascript:/i);
  for (const { attributes } of browser.elements('*'))
    expect(Object.keys(attributes).filter((name) => /^(?:on|style$)/.test(name))).toEqual([]);
});

it('lets readers read, and refuses what they write', async () => {
  await posted(client, place(), 'For everybody');
  const reader = await personWith(client, (await newUser(client, { organization, role: 'read' })).token);
  await reader.open(comments());
  expect(reader.text).toMatch(/You may read comments here.*For everybody/);
  expect([...reader.offers()]).toEqual(['sign-out']);
  expect(JSON.parse((await reader.open(`/app/s/${of.space}/~/people?q=`)).html)).toEqual({ people: [] });
  await reader.open(comments());
  await reader.forge(comments(), { action: 'comment', body: 'Me too' });
  expect(reader.status).toBe(403);
  const guest = await personWith(client, (await newUser(client)).token);
  for (const path of [comments(), `/app/s/${of.space}/~/people`])
    expect([path, (await guest.open(path)).status]).toEqual([path, 404]);
});

it('refuses to change what others wrote, and to comment without a token of this browser', async () => {
  const { id } = await posted(client, place(), 'Of the admin');
  await browser.open(comments());
  await browser.forge(comments(), { action: 'edit-text', comment: id, body: 'Mine now' });
  expect(browser.status).toBe(403);
  await browser.forge(comments(), { action: 'delete-text', comment: id });
  expect(browser.status).toBe(403);
  await browser.forge(comments(), { action: 'comment', body: 'Forged', token: 'other' });
  expect([browser.status, browser.text]).toEqual([403, expect.not.stringContaining('Forged')]);
});

it('leads from each block of a page to its comments, and counts those that are open', async () => {
  const changes = [insert('Blocks')];
  await requests.live(...changes);
  const made = await requests.idOf('Blocks');
  await browser.open(`/app/s/${of.space}/blocks`);
  const [link = ''] = browser.links().filter((each) => each.includes(`page=${made}`));
  expect(link).toMatch(/\/~\/comments\?page=\w+&block=\w+$/);
  await browser.open(link);
  await browser.submit({ action: 'comment' }, { body: 'About it' });
  expect(browser.status).toBe(200);
  await browser.open(`/app/s/${of.space}/blocks`);
  const names = browser.elements('a').map(({ attributes }) => attributes['aria-label']);
  expect(names).toContain('1 open comments on this part of the page');
  const reader = await personWith(client, (await newUser(client, { organization, role: 'read' })).token);
  await reader.open(`/app/s/${of.space}/blocks`);
  expect(reader.links().filter((each) => each.includes('block='))).toHaveLength(1);
});

it('says how many replies a thread has that it does not show', async () => {
  const { id } = await posted(client, place(), 'Much to say');
  for (let at = 0; at < 102; at += 1)
    await client.post(`${place().at}/comments/${id}/replies`, { body: { markdown: `Reply ${at}.` } });
  await browser.open(comments());
  expect(browser.text).toContain('Reply 99.');
  expect(browser.text).toContain('Further replies that are not shown here: 2');
});
