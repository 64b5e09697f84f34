import { eventually } from '../../shared/testing/eventually.js';
import { AppBrowser } from '../support/app-browser.js';
import { newOrganization, newUser, shared, unique, walk } from '../support/fixtures.js';
import {
  callbackOf,
  newOpenIdSetting,
  OpenIdProvider,
  type OpenIdSetting,
  signInAs,
} from '../support/oidc-provider.js';

const client = shared();
const op = new OpenIdProvider();
beforeAll(() => op.open());
afterAll(() => op.close());

const newBrowser = () => new AppBrowser(client.url);
const enter = (setting: OpenIdSetting, person: { sub: string }, next?: string) =>
  signInAs(newBrowser(), setting, person, next);
const membersOf = (organization: string) => walk(client, `/v1/orgs/${organization}/members`, 100);
const memberWith = async (organization: string, email: string) =>
  (await membersOf(organization)).find(({ user }) => user.email === email);
const newTeam = async (organization: string, title: string): Promise<string> =>
  (await client.put(`/v1/orgs/${organization}/teams`, { title })).body.id;
const teamsOf = async (organization: string, user: string) =>
  (await walk(client, `/v1/orgs/${organization}/members/${user}/teams`, 100)).map(({ team }) => team.title).sort();

describe('a sign-in through OpenID Connect', () => {
  it('makes a newcomer a member, and opens a session of the organization alone', async () => {
    const organization = await newOrganization(client);
    const elsewhere = await newOrganization(client);
    const team = await newTeam(organization, 'Writers');
    const setting = await newOpenIdSetting(client, op, { defaultTeam: team }, organization);
    const person = op.newPerson({ email: `${unique('Ada').replace(/\W/g, '-')}@Example.COM` });
    const browser = newBrowser();
    browser.setCookie('bindery_session', `bns_${'a'.repeat(43)}`);
    const screen = await signInAs(browser, setting, person);
    expect([screen.status, screen.url.pathname]).toEqual([200, `/app/o/${organization}`]);
    expect(browser.cookie('bindery_session')).not.toBe(`bns_${'a'.repeat(43)}`);
    const member = await memberWith(organization, person.email.toLowerCase());
    expect(member).toMatchObject({
      role: 'edit',
      sso: true,
      disabled: false,
      teams: 1,
      user: { displayName: 'Ada Lovelace' },
    });
    await client.post(`/v1/orgs/${elsewhere}/invites`, { emails: [person.email] });
    expect((await browser.open(`/app/o/${elsewhere}`)).status).toBe(404);
    const { body: trail } = await client.get(`/v1/orgs/${organization}/audit-events?operation=signInWithOIDC`);
    expect(trail.items.map(({ resource }: any) => resource.type).sort()).toEqual(['member', 'session']);
    expect(trail.items[0].actor).toMatchObject({ type: 'user', id: member.id });
  });

  it('takes all claims from the ID token too, and ends with the session at the provider, after twelve hours at the latest', async () => {
    const telling = await new OpenIdProvider().open({ claimsInToken: true });
    try {
      const setting = await newOpenIdSetting(client, telling);
      const ages: number[] = [];
      for (const session_expiry of [Math.floor(Date.now() / 1000) + 3600, undefined]) {
        const person = op.newPerson({ session_expiry });
        telling.people.set(person.sub, person);
        const browser = newBrowser();
        browser.setCookie('person', person.sub);
        const at = await callbackOf(client.url, browser, setting);
        const answer = await fetch(at, {
          headers: { cookie: `bindery_browser=${browser.cookie('bindery_browser')}` },
          redirect: 'manual',
        });
        const set = answer.headers.getSetCookie().find((line) => line.startsWith('bindery_session'));
        ages.push(Number(/Max-Age=(\d+)/.exec(set ?? '')?.[1]));
      }
      const [short = 0, usual = 0] = ages;
      expect(short).toBeGreaterThan(3000);
      expect(short).toBeLessThanOrEqual(3600);
      expect(usual).toBeGreaterThan(11.9 * 3600);
      expect(usual).toBeLessThanOrEqual(12 * 3600);
    } finally {
      await telling.close();
    }
  });

  it('leads to the screen that was asked for, and to no other address', async () => {
    const setting = await newOpenIdSetting(client, op);
    const person = op.newPerson();
    const wanted = `/app/o/${setting.organization}/search?q=a`;
    const { url } = await enter(setting, person, wanted);
    expect(url.pathname + url.search).toBe(wanted);
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/app/../v1',
      '/app/sign-in',
      'x',
    ])
      expect((await enter(setting, person, next)).url.href).toBe(`${client.url}/app/o/${setting.organization}`);
    expect((await enter(setting, person, `/app/${'x'.repeat(3000)}`)).status).toBe(400);
  });

  it('may run in two tabs of a browser at once, and at two browsers for a newcomer', async () => {
    const setting = await newOpenIdSetting(client, op);
    const person = op.newPerson();
    const browsers = Array.from({ length: 4 }, newBrowser);
    const screens = await Promise.all(browsers.map((browser) => signInAs(browser, setting, person)));
    expect(screens.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await membersOf(setting.organization)).toHaveLength(2);
    const browser = newBrowser();
    const [first, second] = [await browser.redirectOf(setting.start), await browser.redirectOf(setting.start)];
    browser.setCookie('person', person.sub);
    for (const { location } of [first, second]) expect((await browser.open(location)).status).toBe(200);
  });

  it('is what an organization demands that enforces single sign-on, and ends with its provider', async () => {
    const setting = await newOpenIdSetting(client, op);
    const person = op.newPerson();
    const browser = newBrowser();
    await signInAs(browser, setting, person);
    const at = `/v1/orgs/${setting.organization}`;
    await client.patch(at, { sso: true });
    expect((await browser.open(`/app/o/${setting.organization}`)).status).toBe(200);
    await client.patch(at, { sso: false });
    expect((await client.patch(`${at}/oidc/${setting.provider}`, { active: false })).status).toBe(200);
    const shown = async () => {
      const { status, url } = await browser.open('/app/account');
      return `${status} ${url.pathname}`;
    };
    // A screen may be a second late.
    await eventually('the end of the session', async () => (await shown()) === '200 /app/sign-in');
    await client.patch(`${at}/oidc/${setting.provider}`, { active: true });
    await eventually('the session again', async () => (await shown()) === '200 /app/account');
    await client.delete(`${at}/oidc/${setting.provider}`);
    await eventually('the end of the session', async () => (await shown()) === '200 /app/sign-in');
  });
});

describe('who is let in through OpenID Connect', () => {
  const refused = async (setting: OpenIdSetting, person: { sub: string }, why: RegExp) => {
    const screen = await enter(setting, person);
    expect([screen.status, screen.url.pathname]).toEqual([403, `${setting.start.replace(/start$/, 'callback')}`]);
    expect(screen.text).toMatch(why);
  };

  it('is the same person under another address, and nobody else under a former one', async () => {
    const setting = await newOpenIdSetting(client, op);
    const person = op.newPerson();
    const { email } = person;
    await enter(setting, person);
    const { id } = await memberWith(setting.organization, email);
    Object.assign(person, { email: `married-${email}` });
    expect((await enter(setting, person)).status).toBe(200);
    expect(await memberWith(setting.organization, person.email)).toBeUndefined();
    const successor = op.newPerson({ email });
    await refused(setting, successor, /belongs to somebody else who has signed in here/);
    expect((await client.delete(`/v1/orgs/${setting.organization}/members/${id}`)).status).toBe(204);
    expect((await enter(setting, successor)).status).toBe(200);
    expect(await memberWith(setting.organization, email)).toMatchObject({ id });
  });

  it('is nobody who takes the address of another member', async () => {
    const setting = await newOpenIdSetting(client, op);
    const [ada, eve] = [op.newPerson(), op.newPerson()];
    await enter(setting, ada);
    await enter(setting, eve);
    const before = await memberWith(setting.organization, eve.email);
    Object.assign(eve, { email: ada.email });
    const browser = newBrowser();
    await signInAs(browser, setting, eve);
    expect((await browser.open('/app/account')).text).toContain(before.user.email);
  });

  it('is no account of elsewhere that nobody invited, and no member who was not marked for it', async () => {
    const setting = await newOpenIdSetting(client, op);
    const { email } = await newUser(client);
    await refused(setting, op.newPerson({ email }), /an admin must invite it first/);
    const member = await newUser(client, { organization: setting.organization });
    const person = op.newPerson({ email: member.email });
    await refused(setting, person, /An admin must allow single sign-on/);
    await client.post(`/v1/orgs/${setting.organization}/members/${member.id}/sso`);
    expect((await enter(setting, person)).status).toBe(200);
    await client.patch(`/v1/orgs/${setting.organization}/members/${member.id}`, { disabled: true });
    await refused(setting, person, /switched off/);
  });

  it('is somebody with a proven address of a domain that may sign in', async () => {
    const setting = await newOpenIdSetting(client, op, { emailDomains: ['example.com'] });
    await refused(setting, op.newPerson({ email_verified: false }), /has not verified your e-mail address/);
    await refused(setting, op.newPerson({ email_verified: undefined }), /has not verified your e-mail address/);
    await refused(setting, op.newPerson({ email: undefined }), /no e-mail address/);
    await refused(
      setting,
      op.newPerson({ email: `${unique('x').replace(/ /g, '')}@evil.example` }),
      /no domain that may/,
    );
    expect((await enter(setting, op.newPerson())).status).toBe(200);
  });

  it('is nobody whom the provider refuses: its text is shown as text', async () => {
    const setting = await newOpenIdSetting(client, op);
    const screen = await newBrowser().open(setting.start);
    expect(screen.status).toBe(403);
    expect(screen.text).toContain('access_denied: <b>nobody</b> is here');
    expect(screen.html).not.toContain('<b>nobody');
    expect(screen.links()).toContain('/app/sign-in');
  });
});

describe('groups of OpenID Connect', () => {
  it('give teams and a role at each sign-in, and take them', async () => {
    const organization = await newOrganization(client);
    const [docs, site, own] = [
      await newTeam(organization, 'Docs'),
      await newTeam(organization, 'Site'),
      await newTeam(organization, 'Own'),
    ];
    const groups = [
      { group: 'docs', team: docs, role: 'edit' },
      { group: 'site', team: site },
      { group: 'leads', role: 'create' },
      { group: 'gone', team: await newTeam(organization, 'Gone') },
    ];
    const setting = await newOpenIdSetting(
      client,
      op,
      { groupsClaim: 'groups', groups, defaultRole: 'read' },
      organization,
    );
    await client.delete(`/v1/orgs/${organization}/teams/${groups[3]?.team}`);
    const person = op.newPerson({ groups: ['docs', 'gone', 'unknown'] });
    const state = async () => {
      expect((await enter(setting, person)).status).toBe(200);
      const { id, role } = await memberWith(organization, person.email);
      return { role, teams: await teamsOf(organization, id) };
    };
    expect(await state()).toEqual({ role: 'edit', teams: ['Docs'] });
    const { id } = await memberWith(organization, person.email);
    await client.put(`/v1/orgs/${organization}/teams/${own}/members/${id}`, {});
    Object.assign(person, { groups: ['site', 'leads', 'docs'] });
    expect(await state()).toEqual({ role: 'create', teams: ['Docs', 'Own', 'Site'] });
    Object.assign(person, { groups: ['site'] });
    expect(await state()).toEqual({ role: 'read', teams: ['Own', 'Site'] });
    await client.patch(`/v1/orgs/${organization}/members/${id}`, { role: 'comment' });
    Object.assign(person, { groups: undefined });
    expect(await state()).toEqual({ role: 'comment', teams: ['Own'] });
    const counts = (await walk(client, `/v1/orgs/${organization}/teams`, 100)).map(({ title, members }) => [
      title,
      members,
    ]);
    expect(Object.fromEntries(counts)).toEqual({ Docs: 0, Site: 0, Own: 1 });
    const { body } = await client.get(`/v1/orgs/${organization}/audit-events?operation=signInWithOIDC&resource=${id}`);
    expect(body.items.map(({ details }: any) => details.role)).toEqual([undefined, 'read', 'create', undefined]);
  });

  it('leave the last admin one, and take the role of any other', async () => {
    const { client: founder, id, email } = await newUser(client);
    const organization = await newOrganization(founder);
    const groups = [{ group: 'admins', role: 'admin' }];
    const setting = await newOpenIdSetting(
      founder,
      op,
      { groupsClaim: 'groups', groups, defaultRole: 'read' },
      organization,
    );
    await founder.post(`/v1/orgs/${organization}/members/${id}/sso`);
    const person = op.newPerson({ email, groups: [] });
    const role = async () => (await founder.get(`/v1/orgs/${organization}/members/${id}`)).body.role;
    expect((await enter(setting, person)).status).toBe(200);
    expect(await role()).toBe('admin');
    const second = op.newPerson({ groups: ['admins'] });
    await enter(setting, second);
    expect((await enter(setting, person)).status).toBe(200);
    expect(await role()).toBe('read');
  });

  it('of an invited person count with the acceptance', async () => {
    const organization = await newOrganization(client);
    const team = await newTeam(organization, 'Docs');
    const groups = [{ group: 'docs', team, role: 'edit' }];
    const setting = await newOpenIdSetting(client, op, { groupsClaim: 'groups', groups }, organization);
    const person = op.newPerson({ groups: ['docs'] });
    await client.post(`/v1/orgs/${organization}/invites`, { emails: [person.email], role: 'read', sso: true });
    expect((await enter(setting, person)).status).toBe(200);
    const member = await memberWith(organization, person.email);
    expect(member).toMatchObject({ role: 'edit', disabled: false, teams: 1 });
    expect(member.pending ?? false).toBe(false);
  });
});
