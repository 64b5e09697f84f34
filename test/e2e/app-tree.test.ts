import { type AppPerson, personWith } from '../support/app-person.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

const server = shared();
let organization: string;
let admin: NewUser;
beforeAll(async () => {
  organization = await newOrganization(server);
  admin = await newUser(server, { organization, role: 'admin' });
});

const ok = <T extends { status: number }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer));
  return answer;
};
const liveSpace = () => newSpace(admin.client, organization, { title: 'Live', editMode: 'live' });
const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: 'Words.\n' },
  ...more,
});
const write = async (space: string, ...changes: object[]) =>
  ok(await admin.client.post(`/v1/spaces/${space}/content`, { changes })).body;

interface Page {
  id: string;
  title: string;
  pages?: Page[];
}
const outline = (pages: Page[]): unknown[] =>
  pages.map(({ title, pages: below = [] }) => (below.length > 0 ? [title, outline(below)] : title));
const treeOf = async (space: string) =>
  (await admin.client.get(`/v1/spaces/${space}/content/pages`)).body.pages as Page[];
const idOf = async (space: string, title: string): Promise<string> => {
  const all = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...all(page.pages ?? [])]);
  return String(all(await treeOf(space)).find((page) => page.title === title)?.id);
};
const choose = async (browser: AppPerson, space: string, title: string) => {
  const page = await idOf(space, title);
  await browser.open(`/app/s/${space}/~/tree?page=${page}`);
  expect(browser.status).toBe(200);
  return page;
};

it('an empty space leads to where its first page is added', async () => {
  const browser = await personWith(server, admin.token);
  const live = await liveSpace();
  await browser.open(`/app/s/${live}`);
  expect(browser.links().filter((link) => link === `/app/s/${live}/~/tree`)).toHaveLength(2);
  const space = await newSpace(admin.client, organization, { title: 'Reviewed' });
  await browser.open(`/app/s/${space}`);
  await browser.open(String(browser.links().find((link) => link.includes('/~/changes/new'))));
  await browser.submit({ action: 'create' }, { subject: 'Begin' });
  expect([browser.status, browser.path]).toEqual([200, `/app/s/${space}/~/changes/1/~/tree`]);
  await browser.submit({ action: 'add' }, { title: 'Start', where: '' });
  expect(browser.notices).toEqual(['Created.']);
});

it('pages are added, described and deleted', async () => {
  const space = await liveSpace();
  const browser = await personWith(server, admin.token);
  await browser.open(`/app/s/${space}/~/tree`);
  expect(browser.text).toContain('No pages yet');
  for (const title of ['Start', 'End']) await browser.submit({ action: 'add' }, { title, where: '' });
  expect(browser.notices).toEqual(['Created.']);
  const start = await choose(browser, space, 'Start');
  await browser.submit({ action: 'add' }, { title: 'Below', where: `below:${start}` });
  await choose(browser, space, 'Start');
  await browser.submit({ action: 'add' }, { title: 'After', where: `after:${start}` });
  expect(outline(await treeOf(space))).toEqual([['Start', ['Below']], 'After', 'End']);

  await choose(browser, space, 'After');
  await browser.submit(
    { action: 'describe' },
    { title: 'Renamed', slug: 'other', description: 'What it says', emoji: '🎉', hidden: 'on', noIndex: 'on' },
  );
  expect(browser.notices).toEqual(['Saved.']);
  const page = await idOf(space, 'Renamed');
  expect((await admin.client.get(`/v1/spaces/${space}/content/page/${page}`)).body).toMatchObject({
    slug: 'other',
    description: 'What it says',
    emoji: '🎉',
    hidden: true,
    noIndex: true,
    noRobotsIndex: false,
  });
  await browser.submit({ action: 'describe' }, { title: '' });
  expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('title')]]);
  await browser.submit({ action: 'delete' });
  expect(outline(await treeOf(space))).toEqual([['Start', ['Below']], 'End']);
});

it('pages are moved without a script, and nowhere that they cannot be', async () => {
  const space = await liveSpace();
  await write(space, insert('A'), insert('B', { ref: 'b' }), insert('B1', { into: './b' }), insert('C'));
  const browser = await personWith(server, admin.token);
  const step = async (title: string, how: string) => {
    await choose(browser, space, title);
    await browser.submit({ action: 'move', where: { how } });
    return outline(await treeOf(space));
  };
  expect(await step('C', 'up')).toEqual(['A', 'C', ['B', ['B1']]]);
  expect(await step('C', 'in')).toEqual([
    ['A', ['C']],
    ['B', ['B1']],
  ]);
  expect(await step('C', 'out')).toEqual(['A', 'C', ['B', ['B1']]]);
  expect(await step('A', 'down')).toEqual(['C', 'A', ['B', ['B1']]]);
  expect(await step('C', 'up')).toEqual(['C', 'A', ['B', ['B1']]]);
  expect([browser.status, browser.notices]).toEqual([400, ['The page cannot be moved there']]);
  const place = async (title: string, how: string, target: string) => {
    await choose(browser, space, title);
    await browser.submit({ action: 'move', where: { how: 'into' } }, { how, target: await idOf(space, target) });
    return outline(await treeOf(space));
  };
  expect(await place('A', 'into', 'B')).toEqual(['C', ['B', ['B1', 'A']]]);
  expect(await place('C', 'after', 'B1')).toEqual([['B', ['B1', 'C', 'A']]]);
  expect(await place('B', 'into', 'C')).toEqual([['B', ['B1', 'C', 'A']]]);
  expect(browser.status).toBe(400);
});

it('a page that somebody else has changed since it was shown is not overwritten', async () => {
  const space = await liveSpace();
  await write(space, insert('Ours'));
  const browser = await personWith(server, admin.token);
  const page = await choose(browser, space, 'Ours');
  await write(space, { operation: 'update_page', page, title: 'Theirs' });
  await browser.submit({ action: 'describe' }, { title: 'Mine' });
  expect(browser.status).toBe(409);
  expect(outline(await treeOf(space))).toEqual(['Theirs']);
});

it('cover and layout are kept in the front matter, beside what stands there', async () => {
  const space = await liveSpace();
  await write(space, insert('Page', { document: { markdown: '---\n# Note\nicon: book\n---\n\nWords.\n' } }));
  const browser = await personWith(server, admin.token);
  const page = await choose(browser, space, 'Page');
  await browser.submit(
    { action: 'look' },
    { cover: 'https://example.com/a.png', width: 'wide', coverSize: 'full', 'show-outline': undefined },
  );
  expect(browser.notices).toEqual(['Saved.']);
  const { body } = await admin.client.get(`/v1/spaces/${space}/content/page/${page}?format=source`);
  expect(body).toMatchObject({
    icon: 'book',
    cover: { ref: { kind: 'url', url: 'https://example.com/a.png' } },
    layout: { width: 'wide', coverSize: 'full', outline: false, title: true },
  });
  expect(body.source).toContain('# Note\n');
  expect(body.source).toContain('Words.\n');
});

it('a look that was all of the front matter is taken back, and no other byte changes', async () => {
  const space = await liveSpace();
  const body = '# Page\r\n\r\n*  Words.\t\n';
  await write(space, insert('Page'));
  const browser = await personWith(server, admin.token);
  const page = await choose(browser, space, 'Page');
  const source = async () =>
    (await admin.client.get(`/v1/spaces/${space}/content/page/${page}?format=source`)).body.source;
  const written = `---\r\nlayout: # ours\r\n  outline:\r\n    visible: false\r\n---\r\n${body}`;
  await write(space, { operation: 'update_page', page, document: { markdown: written, exact: true } });
  await choose(browser, space, 'Page');
  await browser.submit({ action: 'look' }, { width: 'wide' });
  expect(await source()).toBe(written.replace('false\r\n', 'false\r\n  width: wide\r\n'));
  await browser.submit({ action: 'look' }, { width: 'default', 'show-outline': 'on' });
  expect(browser.notices).toEqual(['Saved.']);
  expect(await source()).toBe(body);
});

it('files are uploaded, and listed with their names', async () => {
  const space = await liveSpace();
  const browser = await personWith(server, admin.token);
  await browser.open(`/app/s/${space}/~/tree`);
  await browser.submit({ action: 'upload' }, { files: [new File(['Words'], 'notes.txt', { type: 'text/plain' })] });
  expect(browser.notices).toEqual(['Saved.']);
  expect(browser.text).toContain('notes.txt text/plain · 5 bytes');
  await browser.submit({ action: 'upload' });
  expect([browser.status, browser.notices]).toEqual([400, ['Choose files first']]);
});

it('a change request has a tree of its own, until it is merged', async () => {
  const space = await newSpace(admin.client, organization, { title: 'Locked', editMode: 'locked' });
  const browser = await personWith(server, admin.token);
  await browser.open(`/app/s/${space}/~/tree`);
  expect([browser.status, browser.text]).toEqual([403, expect.stringContaining('is changed in change requests')]);
  const { number } = ok(await admin.client.post(`/v1/spaces/${space}/change-requests`, {})).body;
  const path = `/app/s/${space}/~/changes/${number}/~/tree`;
  await browser.open(path);
  await browser.submit({ action: 'add' }, { title: 'New', where: '' });
  expect([browser.status, browser.path.startsWith(`${path}?page=`)]).toEqual([200, true]);
  expect(await treeOf(space)).toEqual([]);
  ok(await admin.client.post(`/v1/spaces/${space}/change-requests/${number}/merge`));
  await browser.submit({ action: 'describe' }, { title: 'Late' });
  expect(browser.status).toBe(403);
  expect(outline(await treeOf(space))).toEqual(['New']);
});

it('readers, and people who lost their right, change nothing', async () => {
  const space = await liveSpace();
  await write(space, insert('Page'));
  const reader = await personWith(server, (await newUser(server, { organization, role: 'comment' })).token);
  await reader.open(`/app/s/${space}/~/tree`);
  expect([reader.status, reader.canAsk('add')]).toEqual([403, false]);
  const editor = await newUser(server, { organization, role: 'edit' });
  const browser = await personWith(server, editor.token);
  await choose(browser, space, 'Page');
  ok(await admin.client.patch(`/v1/orgs/${organization}/members/${editor.id}`, { role: 'read' }));
  await browser.submit({ action: 'describe' }, { title: 'Mine' });
  expect(browser.status).toBe(403);
  const stranger = await personWith(server, (await newUser(server)).token);
  await stranger.open(`/app/s/${space}/~/tree`);
  expect(stranger.status).toBe(404);
  expect(outline(await treeOf(space))).toEqual(['Page']);
});

it('a thousand pages are shown at once, and one of them is moved', async () => {
  const space = await liveSpace();
  for (let at = 0; at < 1000; at += 50)
    await write(space, ...Array.from({ length: 50 }, (_, more) => insert(`Page ${at + more}`)));
  const browser = await personWith(server, admin.token);
  await choose(browser, space, 'Page 999');
  expect(browser.html.match(/class="tree-row/g)).toHaveLength(1000);
  expect(browser.html.length).toBeLessThan(700_000);
  await browser.submit({ action: 'move', where: { how: 'up' } });
  expect((await treeOf(space)).slice(-2).map(({ title }) => title)).toEqual(['Page 999', 'Page 998']);
});
