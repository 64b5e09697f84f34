import { eventually } from '../../shared/testing/eventually.js';
import { personWith } from '../support/app-person.js';
import { joined, type NewUser, newOrganization, newSpace, newUser, shared, unique } from '../support/fixtures.js';
import { IdentityProvider } from '../support/identity-provider.js';

const server = shared();
let organization: string;
let admin: NewUser;
beforeAll(async () => {
  organization = await newOrganization(server);
  admin = await newUser(server, { organization, role: 'admin' });
});

const browserOf = ({ token }: NewUser) => personWith(server, token);
const at = (path = '') => `/app/o/${organization}${path}`;
const ok = <T extends { status: number }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer));
  return answer;
};

describe('organizations', () => {
  it('are made by a person, who is led into them', async () => {
    const browser = await browserOf(admin);
    await browser.open('/app?all=1');
    const title = unique('Made');
    await browser.submit({ action: 'create' }, { title });
    expect([browser.status, browser.text]).toEqual([200, expect.stringContaining(title)]);
    expect(browser.path).toMatch(/^\/app\/o\/\w+\?done=created$/);
    await browser.open('/app');
    expect(browser.text).toContain(title);
  });

  it('refuse a bad title, and keep what was typed', async () => {
    const browser = await browserOf(admin);
    await browser.open('/app?all=1');
    await browser.submit({ action: 'create' }, { title: 'x' });
    expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('title')]]);
    expect(browser.html).toContain('value="x"');
    expect(browser.openMenus).toEqual([expect.stringContaining('Create organization')]);
    await browser.open(at());
    await browser.submit({ action: 'space' }, { title: 'x'.repeat(51) });
    expect([browser.status, browser.openMenus]).toEqual([400, [expect.stringContaining('New space')]]);
  });

  it('invite people, who accept or decline', async () => {
    const guest = await newUser(server);
    const browser = await browserOf(guest);
    const invite = async () =>
      ok(
        await admin.client.post(`/v1/orgs/${organization}/invites`, { emails: [{ email: guest.email, role: 'read' }] }),
      );
    await invite();
    await browser.open('/app');
    expect(browser.text).toContain('Invitations');
    await browser.submit({ action: 'decline', where: { organization } });
    expect(browser.notices).toEqual(['Declined.']);
    expect(browser.text).not.toContain('Invitations');
    await invite();
    await browser.open('/app');
    await browser.submit({ action: 'accept', where: { organization } });
    expect([browser.status, browser.path]).toEqual([200, at('?done=joined')]);
  });

  it('say why they refuse a session, with the way in', async () => {
    const strict = await newOrganization(server);
    const member = await newUser(server, { organization: strict, role: 'read' });
    const space = await newSpace(server, strict);
    const { id } = ok(
      await server.post(`/v1/orgs/${strict}/saml`, { label: 'Okta', ...new IdentityProvider().settings }),
    ).body;
    ok(await server.patch(`/v1/orgs/${strict}`, { sso: true }));
    const browser = await browserOf(member);
    for (const path of ['/app', `/app/o/${strict}`, `/app/s/${space}`]) {
      await browser.open(path);
      expect([path, browser.text]).toEqual([path, expect.stringContaining('requires single sign-on')]);
      expect(browser.links()).toContainEqual(expect.stringMatching(new RegExp(`/saml/${id}/start$`)));
    }
    expect(browser.status).toBe(403);
  });
});

describe('collections', () => {
  it('are made, described and deleted by those who may', async () => {
    const browser = await browserOf(admin);
    await browser.open(at());
    await browser.submit({ action: 'collection' }, { title: 'Handbooks' });
    const path = browser.path.replace(/\?.*/, '');
    expect([browser.status, path]).toEqual([200, expect.stringMatching(/^\/app\/c\/\w+$/)]);
    await browser.submit({ action: 'space' }, { title: 'Inside' });
    expect(browser.status).toBe(200);
    await browser.open(path);
    expect(browser.text).toContain('Inside');
    await browser.submit({ action: 'save' }, { title: 'Manuals', description: 'All of them', defaultLevel: 'comment' });
    expect(browser.notices).toEqual(['Saved.']);
    expect(browser.text).toContain('All of them');
    const { body } = await admin.client.get(path.replace('/app/c/', '/v1/collections/'));
    expect(body).toMatchObject({ title: 'Manuals', description: 'All of them', defaultLevel: 'comment' });
    await browser.submit({ action: 'save' }, { description: 'x'.repeat(101) });
    expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('description')]]);
    await browser.submit({ action: 'delete' });
    expect(browser.path).toBe(at('?done=deleted'));
    expect(browser.text).not.toContain('Manuals');
  });

  it('stand in the navigation with what is in them, also where nothing is yet', async () => {
    const own = ok(await admin.client.post('/v1/orgs', { title: unique('Empty') })).body.id;
    const newCollection = async (body: object) =>
      ok(await admin.client.post(`/v1/orgs/${own}/collections`, body)).body.id as string;
    const outer = await newCollection({ title: 'Outer' });
    const inner = await newCollection({ title: 'Inner', parent: outer });
    const browser = await browserOf(admin);
    await browser.open(`/app/o/${own}/teams`);
    expect(browser.links()).toEqual(expect.arrayContaining([`/app/c/${outer}`, `/app/c/${inner}`]));
    const { id } = ok(await admin.client.post(`/v1/orgs/${own}/spaces`, { title: 'Innermost', parent: inner })).body;
    await browser.open(`/app/o/${own}/teams`);
    expect(browser.html).toMatch(/Outer<\/span><\/a><ul><li>.*Inner<\/span><\/a><ul><li>.*Innermost/s);
    expect(browser.links().filter((href) => href === `/app/s/${id}`)).toHaveLength(1);
  });

  it('offer readers nothing that they may not do, and refuse it', async () => {
    const { id } = ok(await admin.client.post(`/v1/orgs/${organization}/collections`, { title: 'Shut' })).body;
    const reader = await browserOf(await newUser(server, { organization, role: 'read' }));
    await reader.open(`/app/c/${id}`);
    expect([reader.status, ...['save', 'delete', 'space'].map((action) => reader.canAsk(action))]).toEqual([
      200,
      false,
      false,
      false,
    ]);
    const author = await newUser(server, { organization, role: 'admin' });
    const browser = await browserOf(author);
    await browser.open(`/app/c/${id}`);
    ok(await admin.client.patch(`/v1/orgs/${organization}/members/${author.id}`, { role: 'read' }));
    await browser.submit({ action: 'save' }, { title: 'Mine' });
    expect(browser.status).toBe(403);
    expect((await admin.client.get(`/v1/collections/${id}`)).body.title).toBe('Shut');
  });
});

describe('the trash', () => {
  it('shows deleted spaces to those who may restore them, who do', async () => {
    const space = await newSpace(admin.client, organization, { title: 'Binned' });
    ok(await admin.client.delete(`/v1/spaces/${space}`));
    const editor = await browserOf(await newUser(server, { organization, role: 'edit' }));
    await editor.open(at('/trash'));
    expect([editor.status, editor.text]).toEqual([200, expect.not.stringContaining('Binned')]);
    const browser = await browserOf(admin);
    await browser.open(at('/trash'));
    expect(browser.text).toMatch(/Binned Deleted .* Days left: 7/);
    await browser.submit({ action: 'restore', where: { space } });
    expect([browser.status, browser.path]).toEqual([200, `/app/s/${space}?done=restored`]);
    await browser.open(at('/trash'));
    expect(browser.canAsk('restore', { space })).toBe(false);
  });

  it('refuses a space that was restored meanwhile', async () => {
    const space = await newSpace(admin.client, organization, { title: 'Raced' });
    ok(await admin.client.delete(`/v1/spaces/${space}`));
    const browser = await browserOf(admin);
    await browser.open(at('/trash'));
    ok(await admin.client.post(`/v1/spaces/${space}/restore`));
    await browser.submit({ action: 'restore', where: { space } });
    expect([browser.status, browser.notices]).toEqual([409, ['This space is not deleted']]);
  });

  it('is not there for somebody who is no member', async () => {
    const stranger = await browserOf(await newUser(server));
    await stranger.open(at('/trash'));
    expect(stranger.status).toBe(404);
  });
});

describe('what a person reads', () => {
  const insert = (title: string) => ({
    changes: [{ operation: 'insert_page', title, document: { markdown: `# ${title}\n\nQuokkas.\n` } }],
  });

  it('is listed when it has changed since, with the difference, until it is read again', async () => {
    const space = await newSpace(admin.client, organization, { title: 'Watched', editMode: 'live' });
    const write = async (title: string) => ok(await admin.client.post(`/v1/spaces/${space}/content`, insert(title)));
    const { body } = await write('First');
    const reader = await browserOf(await newUser(server, { organization, role: 'read' }));
    await reader.open(`/app/s/${space}`);
    await write('Second');
    const from = `/app/s/${space}/~/history?from=${body.id}`;
    const isListed = async () => (await reader.open(at())).links().includes(from);
    await eventually('the change of the space', isListed);
    expect(reader.text).toContain('Changed since you were here');
    await reader.open(`/app/s/${space}/first`);
    expect(reader.status).toBe(200);
    await eventually('the note that it was read', async () => !(await isListed()));
  });

  it('is among its favourites, as long as it may be read', async () => {
    const space = await newSpace(admin.client, organization, { title: 'Beloved', editMode: 'live' });
    for (const title of ['Start', 'First']) ok(await admin.client.post(`/v1/spaces/${space}/content`, insert(title)));
    const member = await newUser(server, { organization, role: 'read' });
    const reader = await browserOf(member);
    await reader.open(`/app/s/${space}/first`);
    await reader.submit({ action: 'favourite' });
    expect([reader.status, reader.path]).toEqual([200, `/app/s/${space}/first`]);
    await reader.open(at());
    expect(reader.text).toContain('Favourites');
    ok(await admin.client.patch(`/v1/spaces/${space}`, { defaultLevel: null }));
    await reader.open(at());
    expect(reader.text).not.toContain('Favourites');
    await reader.open(`/app/s/${space}`);
    expect(reader.status).toBe(404);
    ok(await admin.client.patch(`/v1/spaces/${space}`, { defaultLevel: 'inherit' }));
    await reader.open(at());
    await reader.submit({ action: 'not-favourite', where: { space } });
    expect(reader.text).not.toContain('Favourites');
    ok(await admin.client.delete(`/v1/orgs/${organization}/members/${member.id}`));
    await reader.open(at());
    expect(reader.status).toBe(404);
  });

  it('is found by its words and by the titles of spaces and collections', async () => {
    const team = await newOrganization(server);
    const owner = await newUser(server, { organization: team, role: 'admin' });
    await owner.client.post(`/v1/orgs/${team}/collections`, { title: 'Zebra crossings' });
    for (let at = 0; at < 21; at++) {
      const space = await newSpace(owner.client, team, { title: `Animals ${at}`, editMode: 'live' });
      ok(await owner.client.post(`/v1/spaces/${space}/content`, insert('Numbat')));
    }
    const browser = await browserOf(owner);
    const find = (words: string) => browser.open(`/app/o/${team}/search?q=${encodeURIComponent(words)}`);
    await find('crossings');
    expect(browser.text).toContain('Zebra crossings');
    await eventually('all pages', async () => (await find('quokkas')).links().some((link) => link.includes('page=')));
    const first = browser.links().filter((link) => link.endsWith('/numbat'));
    await browser.open(browser.links().find((link) => link.includes('page=')) as string);
    const rest = browser.links().filter((link) => link.endsWith('/numbat'));
    expect([first.length, rest.length]).toEqual([20, 1]);
    await find('nothing-of-this');
    expect(browser.text).toContain('Nothing found');
    await browser.open(`/app/o/${team}/search?q=quokkas&page=nonsense`);
    expect(browser.status).toBe(400);
  });

  it('is not there for who joined elsewhere only', async () => {
    const other = await newOrganization(server);
    const person = await newUser(server);
    await joined(server, person, { organization: other });
    const browser = await browserOf(person);
    for (const path of [at(), at('/search?q=a'), at('/openapi'), at('/integrations')]) {
      await browser.open(path);
      expect([path, browser.status]).toEqual([path, 404]);
    }
  });
});
