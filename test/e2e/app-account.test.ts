import { personWith } from '../support/app-person.js';
import { newOrganization, newUser, shared, signedInTo } from '../support/fixtures.js';

const root = shared();

describe('the settings of an account', () => {
  it('are shown as they were just saved', async () => {
    const browser = await personWith(root, (await newUser(root)).token);
    for (const displayName of ['Ada', 'Ada Lovelace']) {
      await browser.open('/app/account');
      await browser.submit({ action: 'profile' }, { displayName, commentMails: undefined });
      expect(browser.notices).toEqual(['Saved.']);
      const { fields } = browser.screen.form('profile');
      expect([fields.displayName, fields.commentMails]).toEqual([displayName, undefined]);
    }
  });

  it('keep the appearance where only the language is chosen', async () => {
    const browser = await personWith(root, (await newUser(root)).token);
    await browser.open('/app/account');
    await browser.submit({ action: 'look' }, { theme: 'dark' });
    await browser.submit({ action: 'look' }, { language: 'de' });
    expect(browser.html).toContain('<html lang="de" dir="ltr" data-theme="dark"');
    expect(browser.screen.form('look').fields).toMatchObject({ theme: 'dark', language: 'de' });
  });
});

describe('the API tokens of an account', () => {
  it('have an end, name what they were made with, and are revoked', async () => {
    const person = await newUser(root);
    const browser = await personWith(root, person.token);
    await browser.open('/app/account');
    await browser.submit({ action: 'create' }, { label: 'Pipeline', until: '2099-12-31' });
    const [secret] = /bnd_[\w-]{20,}/.exec(browser.text) ?? [];
    expect((await root.get('/v1/user', { token: String(secret) })).body.id).toBe(person.id);
    expect(browser.text).toMatch(/Pipeline .* Valid until Dec 31, 2099/);
    const { id } = (await root.post('/v1/user/tokens', { label: 'Child' }, { token: String(secret) })).body;
    await browser.open('/app/account');
    expect(browser.text).toMatch(/Child .* Made with “Pipeline”, and revoked with it/);
    expect(browser.text).not.toContain(String(secret));
    await browser.submit({ action: 'create' }, { label: 'Past', until: '2001-01-01' });
    expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('in the future')]]);
    await browser.submit({ action: 'revoke', where: { 'api-token': id } });
    expect([browser.notices, browser.text.includes('Child')]).toEqual([['The token is revoked.'], false]);
  });
});

describe('the invitations of an account', () => {
  it('are accepted or declined by those who have an account', async () => {
    const person = await newUser(root);
    const [wanted, unwanted] = [await newOrganization(root), await newOrganization(root)];
    const invite = (organization: string) =>
      root.post(`/v1/orgs/${organization}/invites`, { emails: [{ email: person.email, role: 'edit' }] });
    await Promise.all([invite(wanted), invite(unwanted)]);
    const browser = await personWith(root, person.token);
    await browser.open('/app/account');
    expect(browser.text).toMatch(/Invitations .* as: Editor/);
    await browser.submit({ action: 'decline', where: { organization: unwanted } });
    expect(browser.notices).toEqual(['Declined.']);
    expect((await root.get(`/v1/orgs/${unwanted}/members/${person.id}`)).status).toBe(404);
    await browser.submit({ action: 'accept', where: { organization: wanted } });
    expect([browser.status, browser.notices]).toEqual([200, ['You have joined.']]);
    expect((await root.get(`/v1/orgs/${wanted}/members/${person.id}`)).body).not.toHaveProperty('pending');
    await browser.open('/app/account');
    expect(browser.text).not.toContain('Invitations');
  });

  it('do not keep the account from somebody whose session reaches one organization', async () => {
    const organization = await newOrganization(root);
    const member = await signedInTo(organization, await newUser(root, { organization }));
    const browser = await personWith(root, member.token);
    await browser.open('/app/account');
    expect([browser.status, browser.text.includes('API tokens')]).toEqual([200, true]);
  });
});
