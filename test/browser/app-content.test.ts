import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { evaluate, newContext, openBrowser } from '../support/browser/browser.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let admin: NewUser;
let organization: string;
let collection: string;
beforeAll(async () => {
  const root = shared();
  organization = await newOrganization(root);
  admin = await newUser(root, { organization, role: 'admin' });
  collection = (await admin.client.post(`/v1/orgs/${organization}/collections`, { title: 'Handbooks' })).body.id;
  browser = await openBrowser();
  // The checker is a script that pages do not allow.
  context = await newContext(browser, { bypassCSP: true });
  page = await context.newPage();
  await page.goto(`${root.url}/app/sign-in`);
  await page.locator('[name="api-token"]').fill(admin.token);
  await page.locator('form:has([name="api-token"]) button').click();
  await page.waitForURL(/\/app\/o\//);
});
afterAll(() => browser.close());

const open = (path: string) => page.goto(`${admin.client.url}/app${path}`);

async function liveSpace(...titles: string[]): Promise<string> {
  const space = await newSpace(admin.client, organization, { title: 'Guide', editMode: 'live', parent: collection });
  const changes = titles.map((title) => ({ operation: 'insert_page', title, document: { markdown: 'Words.\n' } }));
  await admin.client.post(`/v1/spaces/${space}/content`, { changes });
  return space;
}

interface Shown {
  title: string;
  pages?: Shown[];
}
const outline = (pages: Shown[]): unknown[] =>
  pages.map(({ title, pages: below = [] }) => (below.length > 0 ? [title, outline(below)] : title));
const treeOf = async (space: string) =>
  outline((await admin.client.get(`/v1/spaces/${space}/content/pages`)).body.pages as Shown[]);

const row = (title: string) => page.locator('[data-page]', { hasText: title });
/** Until the screen has come back after a move. */
const moved = (act: () => Promise<void>) => Promise.all([page.waitForURL(/done=saved/), act()]);

it('pages are dragged before, below and after others', async () => {
  const space = await liveSpace('Alpha', 'Beta', 'Gamma');
  const drag = async (what: string, to: string, part: number) => {
    await open(`/s/${space}/~/tree`);
    const { width = 0, height = 0 } = (await row(to).boundingBox()) ?? {};
    await moved(() => row(what).dragTo(row(to), { targetPosition: { x: width / 2, y: height * part } }));
    return treeOf(space);
  };
  expect(await drag('Gamma', 'Alpha', 0.1)).toEqual(['Gamma', 'Alpha', 'Beta']);
  expect(await drag('Gamma', 'Beta', 0.5)).toEqual(['Alpha', ['Beta', ['Gamma']]]);
  expect(await drag('Alpha', 'Gamma', 0.95)).toEqual([['Beta', ['Gamma', 'Alpha']]]);
});

it('pages are moved by keys, and keep the focus', async () => {
  const space = await liveSpace('Alpha', 'Beta', 'Gamma');
  await open(`/s/${space}/~/tree`);
  await row('Beta').locator('a').focus();
  await page.keyboard.press('ArrowDown');
  const press = async (key: string) => {
    // The address is the same after each move.
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('done=saved') && answer.status() === 200),
      page.keyboard.press(`Alt+${key}`),
    ]);
    await response.finished();
    await page.waitForLoadState('load');
    await page.locator('[data-page] a:focus', { hasText: 'Gamma' }).waitFor();
    return treeOf(space);
  };
  expect(await press('ArrowUp')).toEqual(['Alpha', 'Gamma', 'Beta']);
  expect(await press('ArrowRight')).toEqual([['Alpha', ['Gamma']], 'Beta']);
  expect(await press('ArrowLeft')).toEqual(['Alpha', 'Gamma', 'Beta']);
  expect(await press('ArrowDown')).toEqual(['Alpha', 'Beta', 'Gamma']);
});

it('the screens have no barrier, in light and dark, wide and narrow', async () => {
  const space = await liveSpace('Alpha', 'Beta');
  const deleted = await newSpace(admin.client, organization, { title: 'Gone' });
  await admin.client.delete(`/v1/spaces/${deleted}`);
  const { body } = await admin.client.get(`/v1/spaces/${space}/content/pages`);
  const found: string[] = [];
  for (const path of [
    '/?all=1',
    `/o/${organization}`,
    `/o/${organization}/drafts`,
    `/o/${organization}/trash`,
    `/o/${organization}/search?q=guide`,
    `/o/${organization}/openapi`,
    `/o/${organization}/integrations`,
    `/c/${collection}`,
    `/s/${space}`,
    `/s/${space}/~/settings`,
    `/s/${space}/~/import`,
    `/s/${space}/~/tree?page=${body.pages[0].id}`,
  ]) {
    await open(path);
    await evaluate(page, `document.querySelectorAll('main details.panel').forEach((each) => (each.open = true))`);
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      for (const { id, nodes } of violations)
        found.push(...nodes.map(({ target }) => `${path} ${colorScheme}: ${id}: ${target.join(' ')}`));
      const overflow = await evaluate<number>(page, 'document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) found.push(`${path} ${width}: wider than the window by ${overflow}`);
    }
  }
  expect(found).toEqual([]);
});

describe('on a phone', () => {
  beforeAll(() => page.setViewportSize({ width: 375, height: 800 }));

  it('each version of the history has the width for its title, above what can be done with it', async () => {
    const space = await liveSpace('Alpha', 'Beta');
    await admin.client.post(`/v1/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Gamma', document: { markdown: 'Words.\n' } }],
    });
    await open(`/s/${space}/~/history`);
    const rows = await page.locator('main .row').all();
    expect(rows.length).toBeGreaterThan(1);
    for (const each of rows) {
      const [whole, text, actions] = [
        await each.boundingBox(),
        await each.locator('.row-text').boundingBox(),
        await each.locator('.actions').boundingBox(),
      ];
      if (!whole || !text || !actions) throw new Error('a row has no text or no actions');
      expect(text.width).toBeGreaterThan(whole.width / 2);
      expect(actions.y).toBeGreaterThanOrEqual(text.y + text.height);
    }
  });

  it('a wide table is scrolled by itself, and the texts around it keep to the screen', async () => {
    const space = await liveSpace('Alpha');
    const cells = (text: string) => `| ${`${text} | `.repeat(12)}\n`;
    const markdown = `${'Words '.repeat(100)}\n\n${cells('`LONG_HEADING`')}${cells('---')}${cells('cell')}`;
    const changes = [{ operation: 'insert_page', title: 'Table', document: { markdown } }];
    expect((await admin.client.post(`/v1/spaces/${space}/content`, { changes })).status).toBe(200);
    await open(`/s/${space}/table`);
    expect(await page.locator('.page-body p').count()).toBe(1);
    const paragraph = await page.locator('.page-body p').boundingBox();
    expect((paragraph?.x ?? 0) + (paragraph?.width ?? 0)).toBeLessThanOrEqual(375);
    expect(await evaluate(page, 'document.documentElement.scrollWidth')).toBe(375);
    const table = page.locator('.page-body .table-wrap');
    expect(await table.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
  });
});

it('the texts of a space have the language and direction of their space, and what is around them those of its reader', async () => {
  const space = await liveSpace('Alpha');
  await admin.client.patch(`/v1/spaces/${space}`, { language: 'ar' });
  const [{ revision }] = (await admin.client.get(`/v1/spaces/${space}/revisions`)).body.items;
  const { number } = (await admin.client.post(`/v1/spaces/${space}/change-requests`, { subject: 'More' })).body;
  const arabic = ['ar', 'rtl'];
  const languageOf = async (selector: string) =>
    page
      .locator(selector)
      .evaluate((each) => [each.closest('[lang]')?.getAttribute('lang'), getComputedStyle(each).direction]);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of ['/alpha', `/~/revisions/${revision}/alpha`, `/~/changes/${number}/~/read/alpha`]) {
    await open(`/s/${space}${path}`);
    expect([path, await languageOf('article h1'), await languageOf('.page-body')]).toEqual([path, arabic, arabic]);
    expect(await languageOf('main')).toEqual(['en', 'ltr']);
    for (const each of ['article .actions', 'article .hint-text']) expect((await languageOf(each))[0]).toBe('en');
  }
  await open(`/s/${space}/~/changes/${number}/~/edit/alpha`);
  await page.locator('#editor-preview h1').waitFor();
  expect(await languageOf('.cm-content')).toEqual(arabic);
  expect(await languageOf('#editor-preview h1')).toEqual(arabic);
  expect(await languageOf('#editor-preview .page-body')).toEqual(arabic);
  expect(await languageOf('.editor-head h1 + p')).toEqual(['en', 'ltr']);
});
