import { eventually } from '../../shared/testing/eventually.js';
import { personWith } from '../support/app-person.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { zipOf } from '../support/imports/zip.js';
import { openRepositories, type Repositories } from '../support/repository.js';

const server = shared();
let organization: string;
let admin: NewUser;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(server);
  admin = await newUser(server, { organization, role: 'admin' });
  repositories = await openRepositories({ allowPush: true });
  await repositories.commit('docs', { 'README.md': '# Welcome\n', 'SUMMARY.md': '* [Welcome](README.md)\n' });
});
afterAll(() => repositories.close());

const ok = <T extends { status: number }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer));
  return answer;
};
const spaceOf = async (space: string) => (await admin.client.get(`/v1/spaces/${space}`)).body;
const adminBrowser = () => personWith(server, admin.token);
const pagesOf = async (space: string) =>
  (await admin.client.get(`/v1/spaces/${space}/content/pages`)).body.pages.map(({ title }: { title: string }) => title);

describe('settings', () => {
  it('of a space are changed, and a bad one is refused with what was typed', async () => {
    const space = await newSpace(admin.client, organization);
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/settings`);
    await browser.submit({ action: 'save' }, { title: 'Renamed', emoji: '🎉', language: 'fr', editMode: 'live' });
    expect([browser.status, browser.notices]).toEqual([200, ['Saved.']]);
    const set = { title: 'Renamed', emoji: '🎉', language: 'fr', editMode: 'live' };
    expect(await spaceOf(space)).toMatchObject(set);
    await browser.submit({ action: 'save' }, { title: 'Lost', icon: 'nothing' });
    expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('icon')]]);
    expect(browser.html).toContain('value="nothing"');
    expect(await spaceOf(space)).toMatchObject(set);
    await browser.submit({ action: 'save' }, { title: 'Renamed again', icon: '' });
    expect(await spaceOf(space)).toMatchObject({ ...set, title: 'Renamed again' });
  });

  it('keep the access to the space that was set on its own screen meanwhile', async () => {
    const space = await newSpace(admin.client, organization);
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/settings`);
    const other = await adminBrowser();
    await other.open(`/app/s/${space}/~/access`);
    await other.submit({ action: 'level' }, { level: 'comment' });
    await browser.submit({ action: 'save' }, { title: 'Renamed' });
    expect(await spaceOf(space)).toMatchObject({ title: 'Renamed', defaultLevel: 'comment' });
  });

  it('end with the space, which goes to the trash', async () => {
    const space = await newSpace(admin.client, organization, { title: 'Ended' });
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/settings`);
    await browser.submit({ action: 'delete' });
    expect(browser.path).toBe(`/app/o/${organization}?done=deleted`);
    expect(await spaceOf(space)).toMatchObject({ deletedAt: expect.any(String) });
  });

  it('are not for those who may not administer the space', async () => {
    const space = await newSpace(admin.client, organization, { title: 'Kept' });
    const editor = await personWith(server, (await newUser(server, { organization, role: 'review' })).token);
    await editor.open(`/app/s/${space}/~/settings`);
    expect([editor.status, editor.canAsk('save')]).toEqual([403, false]);
    const creator = await newUser(server, { organization, role: 'create' });
    const browser = await personWith(server, creator.token);
    await browser.open(`/app/s/${space}/~/settings`);
    ok(await admin.client.patch(`/v1/orgs/${organization}/members/${creator.id}`, { role: 'edit' }));
    await browser.submit({ action: 'delete' });
    expect(browser.status).toBe(403);
    expect(await spaceOf(space)).toMatchObject({ title: 'Kept' });
    expect((await spaceOf(space)).deletedAt).toBeUndefined();
  });
});

describe('Git', () => {
  const ended = async (space: string) =>
    eventually(
      'the end of the operation',
      async () => (await admin.client.get(`/v1/spaces/${space}/git/info`)).body.operation,
      (operation) => operation && operation.state !== 'running',
    );

  it('brings pages in, and out again, and shows how far it is', async () => {
    const space = await newSpace(admin.client, organization, { editMode: 'locked' });
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/import`);
    await browser.submit({ action: 'git' }, { url: `${repositories.url}/docs.git`, branch: 'main' });
    expect([browser.status, browser.notices]).toEqual([200, ['Started.']]);
    expect(await ended(space)).toMatchObject({ direction: 'import', state: 'success' });
    await browser.open(`/app/s/${space}/~/import`);
    expect(browser.text).toMatch(/Latest operation with Git Import refs\/heads\/main Done/);
    expect(await pagesOf(space)).toEqual(['Welcome']);
    await browser.open(`/app/s/${space}/~/progress`);
    expect(JSON.parse(browser.html)).toEqual({ text: '', ended: true });

    await repositories.commit('copy', { 'a.txt': 'a' });
    await browser.open(`/app/s/${space}/~/settings`);
    await browser.submit(
      { action: 'export' },
      { url: `${repositories.url}/copy.git`, branch: 'docs', message: 'Words' },
    );
    expect([browser.status, browser.notices]).toEqual([200, ['Started.']]);
    expect(await ended(space)).toMatchObject({ direction: 'export', state: 'success' });
    await browser.open(`/app/s/${space}/~/settings`);
    expect(browser.text).toMatch(/Export refs\/heads\/docs Done/);
  });

  it('says what went wrong, and never shows a password', async () => {
    const space = await newSpace(admin.client, organization);
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/import`);
    await browser.submit(
      { action: 'git' },
      { url: `${repositories.url}/gone.git`, branch: 'main', user: 'ada', password: 'hush-hush' },
    );
    const { error } = await ended(space);
    await browser.open(`/app/s/${space}/~/import`);
    expect(browser.notices).toEqual([error]);
    expect(browser.html).not.toContain('hush-hush');
    await browser.submit({ action: 'git' }, { url: 'nonsense', branch: 'main', password: 'hush-hush' });
    expect(browser.status).toBe(400);
    expect(browser.html).toContain('value="nonsense"');
    expect(browser.html).not.toContain('hush-hush');
  });
});

describe('imports', () => {
  it('of files make pages and files: at once, or in a change request', async () => {
    const live = await newSpace(admin.client, organization, { editMode: 'live' });
    const browser = await adminBrowser();
    const files = [
      new File(['# The first\n\nWords.\n'], 'first.md', { type: 'text/markdown' }),
      new File(['Only words.\n'], 'plain.md', { type: '' }),
      new File(['a'], 'a.txt', { type: 'text/plain' }),
    ];
    await browser.open(`/app/s/${live}/~/import`);
    await browser.submit({ action: 'files' }, { files, target: 'space' });
    expect(browser.notices).toEqual(['Imported.']);
    expect(await pagesOf(live)).toEqual(['The first', 'plain']);
    const locked = await newSpace(admin.client, organization, { editMode: 'locked' });
    await browser.open(`/app/s/${locked}/~/import`);
    await browser.submit({ action: 'files' }, { files, target: 'change' });
    expect(browser.path).toMatch(new RegExp(`^/app/s/${locked}/~/changes/1`));
    expect(await pagesOf(locked)).toEqual([]);
    await browser.open(`/app/s/${live}/~/import`);
    await browser.submit({ action: 'files' }, { target: 'space' });
    expect([browser.status, browser.notices]).toEqual([400, ['Choose files first']]);
    const large = new File(['x'.repeat(1_000_001)], 'large.md', { type: '' });
    await browser.submit({ action: 'files' }, { files: large, target: 'space' });
    expect([browser.status, browser.notices]).toEqual([400, ['large.md has more than 1 MB']]);
  });

  it('of an exported file bring in its pages, and say what is wrong with it', async () => {
    const space = await newSpace(admin.client, organization);
    const browser = await adminBrowser();
    const archive = zipOf({ 'guide/README.md': '# Guide\n', 'guide/first.md': '# First\n' });
    await browser.open(`/app/s/${space}/~/import`);
    const send = (file: File, source: string) =>
      browser.submit({ action: 'export' }, { file, source, target: 'space' });
    await send(new File([new Uint8Array(archive)], 'export.zip'), 'zip');
    const titles = await eventually(
      'the pages',
      () => pagesOf(space),
      (found: string[]) => found.length > 0,
    );
    expect(titles).toEqual(['Guide', 'First']);
    await browser.open(`/app/s/${space}/~/import`);
    expect(browser.text).toContain('A ZIP archive of Markdown or HTML files: export.zip Done');
    await send(new File(['words'], 'words.zip'), 'notion');
    await eventually(
      'what is wrong',
      async () => {
        await browser.open(`/app/s/${space}/~/import`);
        return browser.text;
      },
      (text) => text.includes('file: it is no ZIP archive'),
    );
    await send(new File([], 'none.zip'), 'zip');
    expect([browser.status, browser.notices]).toEqual([400, ['Choose files first']]);
    await send(new File([Buffer.alloc(24_000_001)], 'large.zip'), 'zip');
    expect([browser.status, browser.notices]).toEqual([400, ['The file has more than 24 MB']]);
  });

  it('from an address say at once what cannot be, and later what went wrong', async () => {
    const space = await newSpace(admin.client, organization);
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/import`);
    await browser.submit({ action: 'address' }, { url: 'ftp://example.com/a', source: 'markdown', target: 'space' });
    expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('url')]]);
    await browser.submit(
      { action: 'address' },
      { url: `${repositories.url}/nothing.md`, source: 'markdown', target: 'space' },
    );
    expect(browser.status).toBeGreaterThanOrEqual(400);
    expect(browser.text).toMatch(/A Markdown file: \S+nothing\.md Failed/);
  });

  it('that are refused leave no change request to work on', async () => {
    const space = await newSpace(admin.client, organization, { editMode: 'locked' });
    const browser = await adminBrowser();
    await browser.open(`/app/s/${space}/~/import`);
    await browser.submit({ action: 'address' }, { url: 'ftp://example.com/a', source: 'markdown', target: 'change' });
    expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('url')]]);
    const files = new File(['x'], `${'x'.repeat(300)}.txt`, { type: 'text/plain' });
    await browser.submit({ action: 'files' }, { files, target: 'change' });
    expect(browser.status).toBe(400);
    expect((await spaceOf(space)).changeRequestsOpen + (await spaceOf(space)).changeRequestsDraft).toBe(0);
  });

  it('are not for readers', async () => {
    const space = await newSpace(admin.client, organization);
    const reader = await personWith(server, (await newUser(server, { organization, role: 'comment' })).token);
    await reader.open(`/app/s/${space}/~/import`);
    expect([reader.status, reader.canAsk('address')]).toEqual([403, false]);
  });
});
