import { AppBrowser } from '../support/app-browser.js';
import { newOrganization, shared, walk } from '../support/fixtures.js';
import { callbackOf, newOpenIdSetting, OpenIdProvider, type OpenIdSetting } from '../support/oidc-provider.js';

const client = shared();
const op = new OpenIdProvider();
beforeAll(() => op.open());
afterAll(() => op.close());

const newBrowser = () => new AppBrowser(client.url);
const membersOf = (organization: string) => walk(client, `/v1/orgs/${organization}/members`, 100);

describe('an answer of a provider', () => {
  /** A browser with the answer to its sign-in, which it has not brought back yet. */
  async function answered(setting: OpenIdSetting) {
    const browser = newBrowser();
    browser.setCookie('person', op.newPerson().sub);
    return { browser, callback: await callbackOf(client.url, browser, setting) };
  }
  const waiting = /No sign-in of this browser is waiting/;

  it('counts once, also when it comes many times at once', async () => {
    const { browser, callback } = await answered(await newOpenIdSetting(client, op));
    const all = await Promise.all(Array.from({ length: 5 }, () => browser.redirectOf(callback)));
    expect(all.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403, 403]);
    const again = await browser.open(callback);
    expect([again.status, again.text]).toEqual([403, expect.stringMatching(waiting)]);
  });

  it('counts in the browser that began, and is not used up by another one or by a look at it', async () => {
    const setting = await newOpenIdSetting(client, op);
    const { browser, callback } = await answered(setting);
    expect((await newBrowser().open(callback)).text).toMatch(waiting);
    const other = newBrowser();
    await other.redirectOf(setting.start);
    expect((await other.open(callback)).text).toMatch(waiting);
    expect((await browser.redirectOf(callback, { method: 'HEAD' })).status).toBe(405);
    expect((await browser.open(callback)).status).toBe(200);
  });

  it('counts at the provider that it is for', async () => {
    const { browser, callback } = await answered(await newOpenIdSetting(client, op));
    const other = await newOpenIdSetting(client, op);
    const elsewhere = other.start.replace(/start$/, `callback${new URL(callback).search}`);
    expect((await browser.open(elsewhere)).text).toMatch(waiting);
  });

  it.each(['', '?state=', '?state=a&state=b', '?code=a', `?state=${'a'.repeat(20_000)}`])(
    'is one: %#',
    async (query) => {
      const { start } = await newOpenIdSetting(client, op);
      const { status } = await newBrowser().open(start.replace(/start$/, `callback${query}`));
      expect([400, 414, 431]).toContain(status);
    },
  );

  it('is nothing without a sign-in that began', async () => {
    const { start } = await newOpenIdSetting(client, op);
    const made = await newBrowser().open(start.replace(/start$/, 'callback?code=a&state=b'));
    expect([made.status, made.text]).toEqual([403, expect.stringMatching(waiting)]);
  });

  it('counts no more when its provider was changed, switched off or deleted meanwhile', async () => {
    const setting = await newOpenIdSetting(client, op);
    const path = `/v1/orgs/${setting.organization}/oidc/${setting.provider}`;
    const [changed, off, gone] = [await answered(setting), await answered(setting), await answered(setting)];
    await client.patch(path, { issuer: `${op.issuer}/other` });
    expect((await changed.browser.open(changed.callback)).text).toMatch(waiting);
    await client.patch(path, { issuer: op.issuer, active: false });
    expect((await off.browser.open(off.callback)).status).toBe(404);
    await client.delete(path);
    expect((await gone.browser.open(gone.callback)).status).toBe(404);
    expect((await newBrowser().open(setting.start)).status).toBe(404);
    expect(await membersOf(setting.organization)).toHaveLength(1);
  });
});

it('a provider that is not there is named, and nothing of what it answered', async () => {
  const absent = await new OpenIdProvider().open();
  await absent.close();
  const organization = await newOrganization(client);
  const asked = { label: 'Example', issuer: absent.issuer, clientId: 'bindery' };
  const { body } = await client.post(`/v1/orgs/${organization}/oidc`, asked);
  const screen = await newBrowser().open(new URL(body.service.startURL).pathname);
  expect(screen.status).toBe(403);
  expect(screen.text).toMatch(/could not be asked: the request to 127\.0\.0\.1:\d+ failed/);
});
