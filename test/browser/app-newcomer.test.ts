import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

let browser: Browser;
let server: StartedServer;
let repositories: Repositories;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  [browser, repositories, server] = await Promise.all([
    openBrowser(),
    openRepositories(),
    startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', BOOTSTRAP_TOKEN: '' } }),
  ]);
  await repositories.commit('newcomer', {
    'SUMMARY.md': '* [Welcome](README.md)\n* [Install](install.md)\n',
    'README.md': '# Welcome\n\nThis is our product.\n',
    'install.md': '# Install\n\nRun `make install`.\n',
  });
  visitor = await newVisitor(browser);
  page = visitor.page;
  page.on('dialog', (dialog) => dialog.accept());
});
afterAll(async () => {
  await browser.close();
  await Promise.all([server.stop(), repositories.close()]);
});

const press = (name: string | RegExp, within = page.locator('main')) => within.getByRole('button', { name }).click();
const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
/** Opens a menu or a card. */
const unfold = (text: string | RegExp) => page.locator('main summary', { hasText: text }).first().click();
const says = (text: string | RegExp) => page.getByText(text).locator('visible=true').first().waitFor();

/** One life of a page, by the screens alone: no terminal but the one that printed the link. */
it('a newcomer goes from the printed link to a published site and its visits', async () => {
  const [link = ''] = /http\S+\/app\/sign-in\?code=\S+/.exec(await server.said(/\/app\/sign-in\?code=/)) ?? [];
  await page.goto(link);
  await press('Sign in');
  await page.getByRole('heading', { level: 1 }).waitFor();

  await unfold('New space');
  await page.getByLabel('Name', { exact: true }).locator('visible=true').fill('Guide');
  await page.locator('details[open]').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Guide' }).waitFor();

  await follow('Import');
  await unfold('From a Git repository');
  await page.locator('details[open]').getByLabel('Address').fill(`${repositories.url}/newcomer.git`);
  await page
    .locator('details[open]')
    .getByRole('button', { name: /import/i })
    .click();
  // A step away would end the sending of the form.
  await page.getByRole('status').filter({ hasText: /start/i }).first().waitFor();
  const install = page.getByRole('link', { name: 'Install', exact: true });
  await eventually('the pages of the repository', async () => {
    await follow('Read');
    return install.count();
  });
  await install.first().click();
  await page.getByRole('heading', { name: 'Install', level: 1 }).waitFor();

  await follow('Edit in a change request');
  await page.locator('input[name="subject"]').fill('Tell how to install with npm');
  await press(/create|open|start/i);
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nOr run `npm ci`.');
  await page.locator('.page-body, [data-preview]').getByText('Or run').first().waitFor();
  await press('Save');
  await says(/^Saved at/);

  await page
    .getByRole('link', { name: /Tell how to install/ })
    .first()
    .click();
  await page.locator('main .row-title a', { hasText: 'Install' }).click();
  await page.locator('.added', { hasText: 'Or run' }).first().waitFor();
  await follow('Overview');
  await page.locator('main textarea:visible').first().fill('Is this right?');
  await press('Comment');
  await says('Is this right?');
  await unfold('Your review');
  await page.locator('details[open]').getByLabel('Approve').check();
  await page.locator('details[open]').getByRole('button').last().click();
  await says('Approved');
  await press('Merge');
  await page
    .getByRole('status')
    .filter({ hasText: /merged/i })
    .first()
    .waitFor();

  await follow('Guide');
  await follow('Publish');
  await press(/publish/i);
  await says('Published');
  const site = await page.locator('main a[href^="http"][href*="/sites/site_"]').first().getAttribute('href');
  await page.goto(`${site}install`);
  await says('npm ci');

  const visits = async () => {
    await page.goto(server.url + (await siteScreen()));
    await follow('Visits');
    return (await page.locator('main').textContent()) ?? '';
  };
  const siteScreen = async () => {
    await page.goto(`${server.url}/app`);
    await follow('Sites');
    return (await page.locator('main .row-title a', { hasText: 'Guide' }).first().getAttribute('href')) ?? '';
  };
  await eventually('the visit', visits, (text) => /install/i.test(text));
  expect(await visitor.takeFaults()).toEqual([]);
});
