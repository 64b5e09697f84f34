import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { evaluate, newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { newSampleSite, type SampleSite } from '../support/browser/sample-site.js';

let browser: Browser;
let sample: SampleSite;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  [browser, sample] = await Promise.all([openBrowser(), newSampleSite()]);
});
afterAll(async () => {
  await browser.close();
  await sample.close();
});
beforeEach(async () => {
  visitor = await newVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  page = visitor.page;
});
afterEach(async () => {
  expect(await visitor.takeFaults()).toEqual([]);
  await visitor.context.close();
});

const open = (path: string) => page.goto(sample.url + path);
const focused = (what: string) => evaluate<string>(page, `document.activeElement.${what}`);
const clipboard = () => evaluate<string>(page, 'navigator.clipboard.readText()');
const copied = (expected: string) =>
  eventually(`${expected} in the clipboard`, clipboard, (text) => text.includes(expected));

describe('the search', () => {
  const field = () => page.locator('.search-dialog input[type="search"]');
  const active = () => page.locator('[role="option"][aria-selected="true"]');

  async function search(query: string): Promise<void> {
    await field().fill(query);
    await page.locator('[role="option"]').first().waitFor();
  }

  it.each(['/', 'Control+k'])('opens by %s, says what it found, and gives the focus back', async (key) => {
    await open('');
    await page.locator('.tree').getByRole('link', { name: 'Tabs' }).focus();
    await page.keyboard.press(key);
    expect(await focused('getAttribute("role")')).toBe('combobox');
    await search('wombats');
    const said = await page.locator('.search-dialog [role="status"]').textContent();
    expect(said).toMatch(/^Results: [1-9]/);
    expect(await field().getAttribute('aria-expanded')).toBe('true');
    await field().fill('nothing-has-this');
    await page.locator('.search-dialog [role="status"]', { hasText: 'No results' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.search-dialog').waitFor({ state: 'detached' });
    expect(await focused('textContent')).toBe('Tabs');
  });

  it('is walked through by the arrows, in a circle, and opens what is active', async () => {
    await open('');
    await page.keyboard.press('/');
    await search('about');
    const count = await page.locator('[role="option"]').count();
    expect(count).toBeGreaterThan(2);
    const first = await active().getAttribute('id');
    await page.keyboard.press('ArrowDown');
    expect(await active().count()).toBe(1);
    const second = await active().getAttribute('id');
    expect(second).not.toBe(first);
    expect(await field().getAttribute('aria-activedescendant')).toBe(second);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await active().getAttribute('id')).toBe(`page:option-${count - 1}`);
    await page.keyboard.press('ArrowDown');
    expect(await active().getAttribute('id')).toBe(first);
    const href = (await active().getAttribute('href')) ?? '';
    await page.keyboard.press('Enter');
    await page.waitForURL(new URL(href, sample.url).href);
  });

  it('opens from the field of the header with what was typed, and stays in the section where that is chosen', async () => {
    await open('api');
    await page.locator('.search-form input').focus();
    await page.keyboard.type('about');
    await page.locator('[role="option"]').first().waitFor();
    expect(await field().inputValue()).toBe('about');
    const all = await page.locator('[role="option"]').count();
    await page.getByLabel('This section').check();
    await eventually(
      'fewer results',
      () => page.locator('[role="option"]').count(),
      (count) => count > 0 && count < all,
    );
  });

  it('is not opened by a sign that is typed into a field', async () => {
    await open('more/long');
    await page.locator('.table-filter').press('/');
    expect(await page.locator('.table-filter').inputValue()).toBe('/');
    expect(await page.locator('.search-dialog').count()).toBe(0);
  });
});

it('the theme that was chosen is there before the next page has a body', async () => {
  await visitor.context.addInitScript(
    `new MutationObserver(() => { if (document.body && globalThis.early === undefined) globalThis.early = document.documentElement.dataset.theme }).observe(document, { childList: true, subtree: true })`,
  );
  await page.emulateMedia({ colorScheme: 'light' });
  await open('');
  const paper = () => evaluate<string>(page, 'getComputedStyle(document.documentElement).backgroundColor');
  const light = await paper();
  await page.locator('.theme-menu summary').press('Enter');
  await page.getByRole('button', { name: 'Dark' }).press('Enter');
  const dark = await eventually('the dark theme', paper, (color) => color !== light);
  await open('tabs');
  expect(await evaluate(page, 'globalThis.early')).toBe('dark');
  expect(await paper()).toBe(dark);
  expect(await page.locator('[data-choose-theme="dark"]').getAttribute('aria-pressed')).toBe('true');
  await page.locator('.theme-menu summary').press('Enter');
  await page.getByRole('button', { name: 'System' }).press('Enter');
  await eventually('the theme of the system', paper, (color) => color === light);
});

it('menus close by Escape, which gives the focus back, and when the focus leaves them', async () => {
  await open('');
  const products = page.locator('.header-links summary', { hasText: 'Products' });
  const two = page.locator('.header-links').getByRole('link', { name: 'Two' });
  await products.press('Enter');
  await two.focus();
  await page.keyboard.press('Escape');
  expect(await two.isVisible()).toBe(false);
  expect(await focused('textContent')).toBe('Products');
  await products.press('Enter');
  await two.focus();
  await page.keyboard.press('Tab');
  await eventually('the menu closes', async () => !(await two.isVisible()));
});

it('an announcement stays dismissed', async () => {
  await open('');
  await page.locator('.announcement button').press('Enter');
  expect(await page.locator('.announcement').isVisible()).toBe(false);
  await open('tabs');
  expect(await page.locator('.announcement').isVisible()).toBe(false);
});

it('tabs of one name switch together, on the page and on the next one', async () => {
  await open('tabs');
  await page.locator('.tab-input').first().focus();
  await page.keyboard.press('ArrowRight');
  const shown = async () => [
    await page.getByText('Install by yarn.').isVisible(),
    await page.getByText('Run by yarn.').isVisible(),
    await page.getByText('In Go.').isVisible(),
  ];
  expect(await shown()).toEqual([true, true, true]);
  await page.goto(`${sample.hebrew}tabs`);
  expect(await shown()).toEqual([true, true, true]);
});

it('addresses lead into hidden tabs and closed parts, also within a page', async () => {
  await open('all-blocks');
  await page.getByRole('link', { name: 'a place' }).click();
  await page.waitForURL('**/tabs#deep-in-rust');
  await page.getByText('In Rust.').waitFor();
  await page.locator('.tab-label', { hasText: 'Go' }).click();
  expect(await page.getByText('In Rust.').isVisible()).toBe(false);
  await evaluate(page, `location.hash = '#deep-in-details'`);
  await page.getByText('Within.').waitFor();
  await evaluate(page, `location.hash = '#deep-in-rust'`);
  await page.getByText('In Rust.').waitFor();
});

it('code, headings and pages are copied', async () => {
  await open('all-blocks');
  const code = page.locator('figure.code').first();
  await code.getByRole('button', { name: 'Copy' }).press('Enter');
  await copied('const wombat = `a`; // <b>');
  expect(await page.locator('.toast').textContent()).toBe('Copied');
  await page.locator('figure.prompt').getByRole('button', { name: 'Copy' }).first().press('Enter');
  await copied('Explain wombats.');
  await page.locator('a.anchor[href="#a-heading"]').click();
  await copied(`${sample.url}all-blocks#a-heading`);
  await page.locator('.page-actions summary').press('Enter');
  await page.getByRole('button', { name: 'Copy as Markdown' }).press('Enter');
  await copied('# All blocks');
});

it('images are enlarged, and give the focus back', async () => {
  await open('all-blocks');
  const image = page.locator('main img[alt="A photo"]');
  await image.scrollIntoViewIfNeeded();
  await page.locator('img.zoomable[alt="A photo"]').press('Enter');
  const large = page.getByRole('dialog', { name: 'A photo' });
  await large.waitFor();
  await page.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  expect(await focused('alt')).toBe('A photo');
});

it('the outline follows what is read', async () => {
  await open('more/long');
  const current = () => page.locator('.outline [aria-current]').allTextContents();
  for (const name of ['Beta', 'Gamma', 'Alpha']) {
    await evaluate(page, `document.getElementById('${name.toLowerCase()}').scrollIntoView({ behavior: 'instant' })`);
    await eventually(`${name} in the outline`, current, (names) => names.join() === name);
  }
  await evaluate(page, `scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })`);
  const last = await page.locator('.outline a').last().textContent();
  await eventually('the last heading in the outline', current, (names) => names.join() === last);
});

it('long tables and updates are filtered', async () => {
  await open('more/long');
  const rows = page.locator('main tbody tr:visible');
  expect(await rows.count()).toBe(30);
  await page.getByRole('searchbox', { name: 'Filter the table' }).fill('ODD');
  expect(await rows.count()).toBe(15);
  await page.getByRole('searchbox', { name: 'Filter the table' }).fill('word7');
  expect(await rows.count()).toBe(1);
  await open('more/updates');
  const updates = page.locator('.update:visible time');
  expect(await updates.count()).toBe(3);
  await page.getByLabel('Filter by tag').selectOption('new');
  expect(await updates.count()).toBe(2);
  await page.getByLabel('Filter by tag').selectOption('');
  expect(await updates.count()).toBe(3);
});
