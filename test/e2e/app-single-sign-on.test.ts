import { AppBrowser, signedIn } from '../support/app-browser.js';
import { proveDomain } from '../support/domains.js';
import { newOrganization, newUser, shared, unique } from '../support/fixtures.js';
import { IdentityProvider, newProvider } from '../support/identity-provider.js';
import { newOpenIdSetting, OpenIdProvider, signInAs } from '../support/oidc-provider.js';

const client = shared();
const op = new OpenIdProvider();
beforeAll(() => op.open());
afterAll(() => op.close());

const settingsOf = (organization: string) => `/app/o/${organization}/single-sign-on`;

describe('the sign-in screen', () => {
  const ways = (email: string) => new AppBrowser(client.url).open(`/app/sign-in?email=${encodeURIComponent(email)}`);

  it('offers the providers of the organization that has proven the domain of an address, and leads on from there', async () => {
    const domain = `${unique('acme').replace(/\W/g, '-')}.example`;
    const setting = await newOpenIdSetting(client, op, { label: 'Keycloak' });
    const saml = await newProvider(setting.organization, new IdentityProvider(), { label: 'Okta' });
    await newOpenIdSetting(client, op, { label: 'Switched off', active: false }, setting.organization);
    const before = await ways(`ada@${domain}`);
    expect(before.text).not.toContain('Keycloak');
    expect(before.text).toContain('No organization with single sign-on has this domain.');
    await proveDomain(client, setting.organization, domain);
    const screen = await ways(`Ada@${domain.toUpperCase()}`);
    expect(screen.links().map((link) => new URL(link, client.url).pathname)).toEqual(
      expect.arrayContaining([setting.start, `/saml/${saml.provider}/start`]),
    );
    expect(screen.text).toContain('Continue with Keycloak');
    expect(screen.text).not.toContain('Switched off');
    expect((await ways(`ada@sub.${domain}`)).text).not.toContain('Keycloak');
  });

  it('takes along where the sign-in wants to lead', async () => {
    const domain = `${unique('acme').replace(/\W/g, '-')}.example`;
    const setting = await newOpenIdSetting(client, op);
    await proveDomain(client, setting.organization, domain);
    const next = `/app/o/${setting.organization}/search?q=a`;
    const browser = new AppBrowser(client.url);
    const screen = await browser.open(`/app/sign-in?email=a@${domain}&next=${encodeURIComponent(next)}`);
    const [link = ''] = screen.links().filter((each) => each.includes(setting.start));
    const sub = unique('person').replace(/\W/g, '-');
    op.people.set(sub, { sub, email: `${sub}@example.com`, email_verified: true });
    browser.setCookie('person', sub);
    const { url, status } = await browser.open(link);
    expect([status, url.pathname + url.search]).toEqual([200, next]);
  });
});

describe('the settings of single sign-on', () => {
  it('set a provider up by hand, from the form to the first sign-in through it', async () => {
    const organization = await newOrganization(client);
    const team = (await client.put(`/v1/orgs/${organization}/teams`, { title: 'Writers' })).body.id;
    const admin = await signedIn(client, client.token);
    expect((await admin.open(`/app/o/${organization}`)).links()).toContain(settingsOf(organization));
    const empty = await admin.open(settingsOf(organization));
    expect(empty.text).toContain('There are no providers yet.');
    const made = await admin.act(`${settingsOf(organization)}/new`, 'create', {
      label: 'Keycloak',
      issuer: op.issuer,
      clientId: 'later',
      scopes: 'openid email profile',
      emailDomains: 'example.com, example.org',
      defaultRole: 'read',
      groupsClaim: 'groups',
      'group-0': 'writers',
      'team-0': team,
      'role-0': 'edit',
    });
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('Created.')]);
    const [, callback = ''] = /(http:\S+\/callback)/.exec(made.text) ?? [];
    const { clientId, clientSecret } = await op.register(callback);
    const saved = await admin.act(made, 'save', { clientId, clientSecret });
    expect(saved.text).toContain('Saved.');
    expect(saved.html).not.toContain(clientSecret);
    const { fields } = saved.form('save');
    expect(fields).toMatchObject({
      clientSecret: '',
      emailDomains: 'example.com example.org',
      'team-0': team,
      active: 'on',
    });
    // The secret stays as it is where the field is empty.
    await admin.act(saved, 'save', { label: 'Our Keycloak' });
    const sub = unique('person').replace(/\W/g, '-');
    op.people.set(sub, { sub, email: `${sub}@example.com`, email_verified: true, groups: ['writers'] });
    const start = new URL(callback).pathname.replace(/callback$/, 'start');
    const entered = await signInAs(new AppBrowser(client.url), { start }, { sub });
    expect([entered.status, entered.url.pathname]).toEqual([200, `/app/o/${organization}`]);
    expect((await admin.open(settingsOf(organization))).text).toContain('Our Keycloak');
  });

  it('show what is wrong, with the fields as they were sent', async () => {
    const organization = await newOrganization(client);
    const admin = await signedIn(client, client.token);
    const sent = { label: 'Mine', issuer: 'http://op.example', clientId: 'a', scopes: 'openid', 'group-1': 'writers' };
    const refused = await admin.act(`${settingsOf(organization)}/new`, 'create', sent);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('issuer: must start with https://')]);
    expect(refused.form('create').fields).toMatchObject({
      label: 'Mine',
      issuer: 'http://op.example',
      'group-0': 'writers',
    });
    expect((await client.get(`/v1/orgs/${organization}/oidc`)).body.count).toBe(0);
  });

  it('enforce it and stop that, and delete a provider', async () => {
    const { organization, provider } = await newOpenIdSetting(client, op);
    const admin = await signedIn(client, client.token);
    const enforced = await admin.act(settingsOf(organization), 'enforce');
    expect(enforced.text).toContain('All members except admins must use single sign-on.');
    const one = `${settingsOf(organization)}/${provider}`;
    const refused = await admin.act(one, 'delete');
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('turn `sso` off')]);
    await admin.act(settingsOf(organization), 'enforce');
    expect((await admin.act(one, 'delete')).text).toContain('Deleted.');
    expect((await admin.open(one)).status).toBe(404);
  });

  it('are for admins', async () => {
    const { organization, provider } = await newOpenIdSetting(client, op);
    const member = await newUser(client, { organization, role: 'create' });
    const browser = await signedIn(client, member.token);
    for (const path of ['', `/${provider}`])
      expect([path, (await browser.open(settingsOf(organization) + path)).status]).toEqual([path, 403]);
    expect((await browser.open(`/app/o/${organization}`)).links()).not.toContain(settingsOf(organization));
    const stranger = await signedIn(client, (await newUser(client)).token);
    expect((await stranger.open(settingsOf(organization))).status).toBe(404);
  });
});
