import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { evaluate, newContext, newVisitor, openBrowser } from '../support/browser/browser.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { TrackedSite } from '../support/insights/tracked-site.js';
import { writePages } from '../support/shown-sites.js';

const admin = shared();
let browser: Browser;
let context: BrowserContext;
let page: Page;
let member: NewUser;
/** The screens to look at, by what they are. */
let screens: Record<string, string>;

async function signIn(on: Page): Promise<void> {
  await on.goto(`${admin.url}/app/sign-in`);
  await on.locator('#field-api-token').fill(admin.token);
  await on.locator('form:has(#field-api-token) button').click();
  await on.locator('main h1').waitFor();
}

beforeAll(async () => {
  browser = await openBrowser();
  const organization = await newOrganization(admin);
  const at = `/v1/orgs/${organization}`;
  const space = await newSpace(admin, organization, { title: 'Guide' });
  const [first] = await writePages(admin, space, { Welcome: 'Here it begins.' });
  member = await newUser(admin, { organization, role: 'edit' });
  const team = (await admin.put(`${at}/teams`, { title: 'Writers', members: [member.id] })).body.id;
  await admin.post(`/v1/spaces/${space}/permissions`, { role: 'edit', users: [member.id], teams: [team] });
  const invite = (await admin.post(`${at}/link-invites`, { role: 'read' })).body.id;
  const site = (await admin.post(`${at}/sites`, { title: 'Guide', spaces: [space], visibility: 'share-link' })).body.id;
  await admin.post(`${at}/sites/${site}/publish`);
  await admin.post(`${at}/sites/${site}/share-links`, { name: 'Testers' });
  await new TrackedSite(admin, organization, site).tracked([{ location: { page: first, space } }, {}]);
  const o = `/app/o/${organization}`;
  screens = {
    sites: `${o}/sites`,
    site: `${o}/sites/${site}`,
    visits: `${o}/sites/${site}/visits`,
    publish: `/app/s/${space}/~/publish`,
    members: `${o}/members`,
    invite: `${o}/members/invite`,
    teams: `${o}/teams`,
    team: `${o}/teams/${team}`,
    access: `/app/s/${space}/~/access`,
    join: `/app/join/${organization}/${invite}`,
    account: '/app/account',
  };
  // The checker is a script that screens do not allow.
  context = await newContext(browser, { bypassCSP: true });
  page = await context.newPage();
  await signIn(page);
});
afterAll(() => browser.close());

async function violations(rules?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode();
  if (rules) builder.withRules(rules);
  const found = await builder.analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

const names = ['sites', 'site', 'visits', 'publish', 'members', 'invite', 'teams', 'team', 'access', 'join', 'account'];

describe.each(names)('the screen %s', (name) => {
  it('has nothing against the rules of axe, in light and in dark, with its menus open', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(admin.url + screens[name]);
    for (const summary of await page.locator('main details:not(.menu) > summary').all()) await summary.click();
    expect(await page.locator('h1').count()).toBe(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, ...(await violations())]).toEqual([colorScheme]);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  it('is no wider than a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(admin.url + screens[name]);
    expect(await evaluate(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});

it('the menu of a member opens within the window, and asks before somebody is removed', async () => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(admin.url + screens.members);
    const row = page.locator('.row', { hasText: member.email });
    await row.locator('.menu summary').click();
    const box = await row.locator('.menu-body').boundingBox();
    expect([box !== null && box.x >= 0, box !== null && box.x + box.width <= width]).toEqual([true, true]);
    expect(await violations()).toEqual([]);
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.dismiss();
      return dialog.message();
    });
    await row.getByRole('button', { name: 'Remove' }).click();
    expect(await asked).toMatch(/^Remove .* from the organization\?/);
    await page.goto(admin.url + screens.members);
    expect(await page.locator('.row', { hasText: member.email }).count()).toBe(1);
  }
});

it('an address is copied by a press, within the policy of the screens', async () => {
  const {
    context: strict,
    page: copying,
    takeFaults,
  } = await newVisitor(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await signIn(copying);
  await copying.goto(admin.url + screens.invite);
  const button = copying.locator('button[data-copy]').first();
  await button.click();
  await copying.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await evaluate(copying, 'navigator.clipboard.readText()')).toBe(`${admin.url}${screens.join}`);
  for (const path of Object.values(screens)) await copying.goto(admin.url + path);
  expect(await takeFaults()).toEqual([]);
  await strict.close();
});
