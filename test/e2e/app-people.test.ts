import { eventually } from '../../shared/testing/eventually.js';
import { type AppPerson, newVisitor, personWith } from '../support/app-person.js';
import { type NewUser, newOrganization, newUser, newUsers, shared, unique } from '../support/fixtures.js';
import { atOwnGateway } from '../support/server.js';

const root = shared();
let organization: string;
let boss: NewUser;
let admin: AppPerson;
let people: string;
beforeAll(async () => {
  organization = await newOrganization(root);
  people = `/app/o/${organization}/members`;
  boss = await newUser(root, { organization, role: 'admin' });
  admin = await personWith(root, boss.token);
});

const at = () => `/v1/orgs/${organization}`;
const memberOf = async ({ id }: NewUser) => (await root.get(`${at()}/members/${id}`)).body;

describe('the members of an organization', () => {
  it('are found by name and role, with what they are', async () => {
    const ada = await newUser(root, { organization, role: 'edit' });
    await ada.client.patch(`/v1/users/${ada.id}`, { displayName: 'Ada Lovelace' });
    await admin.open(`${people}?q=lovelace`);
    expect(admin.text).toContain(`Ada Lovelace ${ada.email}`);
    expect(admin.text).not.toContain(boss.email);
    await admin.open(`${people}?q=lovelace&role=admin`);
    expect(admin.text).toContain('Nobody here matches.');
    await admin.open(`${people}?role=nonsense`);
    expect([admin.status, admin.text.includes(boss.email)]).toEqual([200, true]);
  });

  it('have been seen since they opened a screen of it', async () => {
    const member = await newUser(root, { organization, role: 'read' });
    const shown = () => admin.open(`${people}?q=${encodeURIComponent(member.email)}`);
    expect((await shown()).text).toContain('Never seen');
    const browser = await personWith(root, member.token);
    await browser.open(`/app/o/${organization}`);
    await eventually('the time', async () => (await memberOf(member)).lastSeenAt);
    expect((await shown()).text).not.toContain('Never seen');
  });

  it('are shown part by part, and stay in their part when one is changed', async () => {
    const own = await newOrganization(root);
    await newUsers(root, 51, { organization: own });
    const browser = await personWith(root, root.token);
    await browser.open(`/app/o/${own}/members`);
    const next = String(browser.links().find((href) => href.includes('page=')));
    await browser.open(next);
    const last = browser.forms().filter(({ fields }) => fields.action === 'role');
    expect(last).toHaveLength(2);
    const member = String(last[1]?.fields.member);
    await browser.submit({ action: 'role', where: { member } }, { role: 'review' });
    expect([browser.path.startsWith(next), browser.notices]).toEqual([true, ['The role is set.']]);
  });

  it('get another role, are switched off and on, allowed single sign-on, and removed', async () => {
    const member = await newUser(root, { organization, role: 'read' });
    const press = async (action: string, fields: Record<string, string> = {}) => {
      await admin.open(`${people}?q=${encodeURIComponent(member.email)}`);
      await admin.submit({ action, where: { member: member.id } }, fields);
      expect([admin.status, admin.notices.length]).toEqual([200, 1]);
      return memberOf(member);
    };
    expect((await press('role', { role: 'comment' })).role).toBe('comment');
    expect((await press('role', { role: 'guest' })).role).toBeNull();
    expect((await press('disable')).disabled).toBe(true);
    expect(admin.text).toContain('Switched off');
    expect((await press('enable')).disabled).toBe(false);
    expect((await press('sso')).sso).toBe(true);
    expect((await press('remove')).error.code).toBe(404);
    expect(admin.notices).toEqual(['Removed.']);
  });

  it('keep an admin, which a screen says in words', async () => {
    const own = (await boss.client.post('/v1/orgs', { title: unique('Own') })).body.id;
    await admin.open(`/app/o/${own}/members`);
    await admin.submit({ action: 'role' }, { role: 'read' });
    expect([admin.status, admin.notices]).toEqual([400, [expect.stringContaining('last admin')]]);
    await admin.submit({ action: 'remove' });
    expect([admin.status, admin.notices]).toEqual([400, [expect.stringContaining('last admin')]]);
    await admin.submit({ action: 'role' }, { role: 'emperor' });
    expect([admin.status, admin.notices]).toEqual([400, ['role: required']]);
  });

  it('see each other without what only admins do, and may leave', async () => {
    const reader = await newUser(root, { organization, role: 'read' });
    const reading = await personWith(root, reader.token);
    await reading.open(people);
    expect([reading.status, reading.offers()]).toEqual([200, new Set(['sign-out', 'remove'])]);
    expect(reading.links()).not.toContain(`${people}/invite`);
    await reading.open(`${people}/invite`);
    expect(reading.status).toBe(403);
    await reading.open(people);
    await reading.submit({ action: 'remove', where: { member: reader.id } });
    expect(reading.notices).toEqual(['You have left the organization.']);
    expect((await memberOf(reader)).error.code).toBe(404);
  });

  it('are hidden from guests, and a form is refused to an admin who is none any more', async () => {
    const guest = await personWith(root, (await newUser(root, { organization, role: null })).token);
    await guest.open(people);
    expect(guest.status).toBe(403);
    const former = await newUser(root, { organization, role: 'admin' });
    const losing = await personWith(root, former.token);
    await losing.open(people);
    await root.patch(`${at()}/members/${former.id}`, { role: 'read' });
    await losing.submit({ action: 'disable', where: { member: boss.id } });
    expect([losing.status, losing.notices]).toEqual([403, [expect.stringContaining('admin')]]);
    expect((await memberOf(boss)).disabled).toBe(false);
    await losing.open(people);
    await root.delete(`${at()}/members/${former.id}`);
    await losing.submit({ action: 'remove', where: { member: former.id } });
    expect(losing.status).toBe(404);
  });
});

describe('inviting people', () => {
  // This server has no mail.
  const withoutMail = expect.stringContaining('npm run token -- link --email');

  it('without mail names the way in, as the sign-in screen does', async () => {
    const visitor = newVisitor(root);
    await visitor.open('/app/sign-in');
    expect(visitor.notices).toEqual([withoutMail]);
    await admin.open(`${people}/invite`);
    expect(admin.notices).toEqual([withoutMail]);
  });

  it('takes addresses as they are pasted, with a role', async () => {
    const [one, two, three] = ['One', 'Two', 'Three'].map(
      (name) => `${unique(name).replace(/ /g, '-')}@people.example`,
    );
    await admin.open(`${people}/invite`);
    await admin.submit({ action: 'mail' }, { addresses: `${one}, Two Person <${two}>\n\n ${three}`, role: 'comment' });
    expect([admin.path, admin.notices]).toEqual([`${people}/invite?done=invited`, ['Invited.', withoutMail]]);
    const found = (await root.get(`${at()}/members?search=people.example&role=comment`)).body.items;
    expect(found.map(({ user }: { user: { email: string } }) => user.email).sort()).toEqual([one, two, three].sort());
    await admin.open(`${people}?q=people.example`);
    expect(admin.text).toContain('Invited');
  });

  it('names what is no address, and members who may not use single sign-on', async () => {
    await admin.open(`${people}/invite`);
    await admin.submit({ action: 'mail' }, { addresses: 'no address' });
    expect([admin.status, admin.notices]).toEqual([400, [expect.stringContaining('emails.0'), withoutMail]]);
    expect(admin.screen.form('mail').fields.addresses).toBe('no address');
    await admin.submit({ action: 'mail' }, { addresses: ' ' });
    expect(admin.notices).toEqual(['emails: required', withoutMail]);
    const known = await newUser(root, { organization, role: 'read' });
    await admin.submit({ action: 'mail' }, { addresses: known.email, sso: 'on' });
    expect([admin.status, admin.notices]).toEqual([200, [expect.stringContaining(known.email), withoutMail]]);
  });

  it('makes links, which people who sign in join by, and revokes them', async () => {
    await admin.open(`${people}/invite`);
    expect(admin.text).toContain('No invite links.');
    await admin.submit({ action: 'link' }, { 'link-role': 'edit', until: '2099-12-31' });
    expect(admin.text).toMatch(/Joins as: Editor .* Valid until Dec 31, 2099/);
    const [link] = (await root.get(`${at()}/link-invites`)).body.items;
    const way = `/app/join/${organization}/${link.id}`;
    expect(admin.text).toContain(`${atOwnGateway(root.url)}${way}`);

    const joiner = await newUser(root);
    const joining = newVisitor(root);
    await joining.open(way);
    expect(joining.path).toBe(`/app/sign-in?next=${encodeURIComponent(way)}`);
    await joining.submit({ action: 'token' }, { 'api-token': joiner.token });
    expect([joining.status, joining.path]).toEqual([200, way]);
    expect(joining.text).toContain('Your role there: Editor.');
    expect((await memberOf(joiner)).error.code).toBe(404);
    await joining.submit({ action: 'join' });
    expect([joining.status, joining.path, joining.notices]).toEqual([
      200,
      `/app/o/${organization}?done=joined`,
      ['You have joined.'],
    ]);
    expect((await memberOf(joiner)).role).toBe('edit');
    await joining.open(way);
    expect([joining.text.includes('You have everything that this invite gives.'), joining.offers()]).toEqual([
      true,
      new Set(['sign-out']),
    ]);

    const late = await personWith(root, (await newUser(root)).token);
    await late.open(way);
    await admin.open(`${people}/invite`);
    await admin.submit({ action: 'revoke', where: { invite: link.id } });
    expect(admin.notices).toEqual(['The link is revoked.', withoutMail]);
    await late.submit({ action: 'join' });
    expect([late.status, late.text]).toEqual([404, expect.stringContaining('This invite does not work any more')]);
    await late.open(`/app/join/${organization}/unknown`);
    expect(late.status).toBe(404);
    await admin.submit({ action: 'link' }, { until: '2001-01-01' });
    expect([admin.status, admin.notices]).toEqual([400, [expect.stringContaining('in the future'), withoutMail]]);
    await admin.submit({ action: 'link' }, { until: 'tomorrow' });
    expect([admin.status, admin.notices]).toEqual([400, ['until: must be a day', withoutMail]]);
  });

  it('leads to the space that an invite is to, and says where links are switched off', async () => {
    const own = await newOrganization(root);
    const space = (await root.post(`/v1/orgs/${own}/spaces`, { title: 'Inner', defaultLevel: null })).body.id;
    const { id } = (await root.post(`/v1/orgs/${own}/link-invites`, { level: 'comment', space })).body;
    const joining = await personWith(root, (await newUser(root)).token);
    await joining.open(`/app/join/${own}/${id}`);
    expect(joining.text).toContain('You were invited to a space');
    await joining.submit({ action: 'join' });
    expect([joining.status, joining.path]).toEqual([200, `/app/s/${space}?done=joined`]);
    await root.patch(`/v1/orgs/${own}`, { inviteLinks: false });
    const late = await personWith(root, (await newUser(root)).token);
    await late.open(`/app/join/${own}/${id}`);
    expect([late.text.includes('switched off'), late.offers()]).toEqual([true, new Set(['sign-out'])]);
  });
});
