import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../../../shared/testing/eventually.js';
import { TrackedSite } from '../insights/tracked-site.js';
import { evaluate, newVisitor, type Visitor } from './browser.js';
import type { SampleSite } from './sample-site.js';

interface Setting {
  browser: () => Browser;
  sample: () => SampleSite;
}

const background = (page: Page) => evaluate<string>(page, 'getComputedStyle(document.documentElement).backgroundColor');
const heading = (page: Page) => page.locator('main h1').first().textContent();

/** All that a reader does on a site with or without scripts. */
export function readingSuite({ browser, sample }: Setting, javaScriptEnabled: boolean): void {
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    visitor = await newVisitor(browser(), { javaScriptEnabled });
    page = visitor.page;
  });
  afterAll(() => visitor.context.close());
  beforeEach(() => visitor.takeFaults());
  afterEach(async () => expect(await visitor.takeFaults()).toEqual([]));

  const open = (path: string, on = page) => on.goto(sample().url + path);

  /** Does something in a window of its own. */
  async function apart<T>(options: BrowserContextOptions, act: (page: Page) => Promise<T>): Promise<T> {
    const other = await newVisitor(browser(), { javaScriptEnabled, ...options });
    const done = await act(other.page);
    expect(await other.takeFaults()).toEqual([]);
    await other.context.close();
    return done;
  }

  it('leads from page to page: by the contents, by links, forwards, backwards and up', async () => {
    await open('');
    expect(await heading(page)).toBe('Home');
    await page.locator('.tree').getByRole('link', { name: 'All blocks' }).click();
    await page.waitForURL('**/all-blocks');
    expect(await page.locator('.tree [aria-current="page"]').textContent()).toBe('All blocks');
    await page.locator('.pagination .next').click();
    await page.waitForURL('**/tabs');
    await page.locator('.pagination .previous').click();
    await page.waitForURL('**/all-blocks');
    await page.locator('main').getByRole('link', { name: 'a page', exact: true }).click();
    await page.waitForURL('**/tabs');
    await open('more/long/covered');
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Long' }).click();
    await page.waitForURL('**/more/long');
    await page.locator('.outline').getByRole('link', { name: 'Gamma' }).click();
    await page.waitForURL('**#gamma');
    const isShown = () => evaluate(page, `document.getElementById('gamma').getBoundingClientRect().top < innerHeight`);
    await eventually('the heading', isShown);
  });

  it('leads to the operations of an API', async () => {
    await open('all-blocks');
    await page.locator('.outline').getByRole('link', { name: 'Feed a wombat' }).click();
    await page.waitForURL((url) => url.hash.length > 1);
    const { hash } = new URL(page.url());
    expect(await page.locator(`section.operation[id="${hash.slice(1)}"] h2`).textContent()).toBe('Feed a wombat');
    expect(await page.locator('.outline').getByRole('link', { name: 'A wombat is born' }).count()).toBe(1);
  });

  it('opens the branches of the contents', async () => {
    await open('');
    const covered = page.locator('.tree').getByRole('link', { name: 'Covered' });
    expect(await covered.isVisible()).toBe(false);
    await page.locator('.tree summary', { hasText: 'Long' }).click();
    await covered.waitFor();
  });

  it('finds pages, and opens what was found', async () => {
    await open('~search');
    const again = page.locator('form.search-again');
    await again.getByRole('searchbox').fill('legends');
    await again.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/~search?q=legends**');
    expect(await page.locator('main').getByRole('status').textContent()).toBe('Results: 1');
    await page.locator('.results').getByRole('link', { name: 'Legends' }).first().click();
    await eventually(
      'the page that was found',
      () => heading(page),
      (title) => title === 'Legends',
    );
    await open('~search?q=nothing-has-this');
    expect(await page.locator('main').getByRole('status').textContent()).toContain('nothing-has-this');
  });

  it('searches in one section only', async () => {
    await open('~search?q=about&scope=section');
    const inSection = await page.locator('.results > li').count();
    await open('~search?q=about');
    expect(await page.locator('.results > li').count()).toBeGreaterThan(inSection);
  });

  it('switches tabs, also by the keys, and opens the one that an address leads into', async () => {
    await open('tabs');
    const [first, second] = [page.getByText('Install by npm.'), page.getByText('Install by yarn.')];
    expect([await first.isVisible(), await second.isVisible()]).toEqual([true, false]);
    await page.locator('.tab-label', { hasText: 'yarn' }).first().click();
    expect([await first.isVisible(), await second.isVisible()]).toEqual([false, true]);
    await page.locator('.tab-input').nth(1).press('ArrowLeft');
    expect([await first.isVisible(), await second.isVisible()]).toEqual([true, false]);
    expect(await page.getByText('In Rust.').isVisible()).toBe(false);
    await page.goto('about:blank');
    await open('tabs#deep-in-rust');
    expect(await page.getByText('In Rust.').isVisible()).toBe(true);
    expect(await page.getByText('In Go.').isVisible()).toBe(false);
  });

  it('opens expandables, also the one that an address leads into', async () => {
    await open('tabs');
    expect(await page.getByText('Within.').isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Closed' }).click();
    await page.getByText('Within.').waitFor();
    await page.goto('about:blank');
    await open('tabs#deep-in-details');
    await page.getByText('Within.').waitFor();
  });

  it('shows notes at their marks, and all of long code', async () => {
    await open('all-blocks');
    const note = page.locator('.note', { hasText: 'A note with' });
    expect(await note.isVisible()).toBe(false);
    await page.locator('.note-mark').first().click();
    await note.waitFor();
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'hidden' });
    const code = page.locator('figure.collapsible pre');
    const height = async () => (await code.boundingBox())?.height ?? 0;
    const before = await height();
    await page.locator('.code-more').click();
    await eventually('the rest of the code', height, (after) => after > before);
  });

  it('leads to sections, to those in a group, and to a translation from right to left', async () => {
    await open('');
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'API' }).click();
    await eventually(
      'the section',
      () => heading(page),
      (title) => title === 'Endpoints',
    );
    await sections.locator('summary', { hasText: 'Besides' }).click();
    await sections.getByRole('link', { name: 'Lore' }).click();
    await eventually(
      'the section of the group',
      () => heading(page),
      (title) => title === 'Legends',
    );
    await open('all-blocks');
    await page.locator('.variants summary').click();
    await page.locator('.variants').getByRole('link', { name: 'Hebrew' }).click();
    await page.waitForURL('**/hebrew/**');
    const { lang, dir } = await evaluate<{ lang: string; dir: string }>(
      page,
      '({ ...document.documentElement.attributes, lang: document.documentElement.lang, dir: document.documentElement.dir })',
    );
    expect([lang, dir]).toEqual(['he', 'rtl']);
    const [tree, main] = [await page.locator('.tree').boundingBox(), await page.locator('main').boundingBox()];
    expect(tree?.x).toBeGreaterThan(main?.x ?? Number.POSITIVE_INFINITY);
  });

  it('has everything in the menu of a phone', async () => {
    await apart({ viewport: { width: 390, height: 800 } }, async (phone) => {
      await open('', phone);
      const entry = phone.locator('.sidebar .tree').getByRole('link', { name: 'Tabs' });
      expect(await entry.isVisible()).toBe(false);
      await phone.getByRole('button', { name: 'Menu' }).click();
      await entry.waitFor();
      await phone.locator('.sidebar .sidebar-choice summary').click();
      await phone.locator('.sidebar').getByRole('link', { name: 'Lore' }).waitFor();
      expect(await phone.locator('.sidebar').getByRole('link', { name: 'Blog' }).isVisible()).toBe(true);
      await entry.click();
      await phone.waitForURL('**/tabs');
      expect(await entry.isVisible()).toBe(false);
    });
  });

  it('is light or dark as the system is', async () => {
    await open('');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(
      'another color',
      () => background(page),
      (dark) => dark !== light,
    );
    await page.emulateMedia({ colorScheme: null });
  });

  it('takes the rating of a page', async () => {
    const { site, organization } = sample();
    const insights = new TrackedSite(site.client, organization, site.id);
    const rated = () =>
      insights.count({ where: [{ column: 'eventType', operator: 'in', values: ['page_post_feedback'] }] });
    const before = await rated();
    await open('more/updates');
    await page.locator('form.feedback').getByRole('button', { name: 'Good' }).click();
    await eventually('the rating in the insights', rated, (after) => after === before + 1);
    expect(await heading(page)).toBe('Updates');
  });

  it('has all pages in a list and in a document for printing, and suggests others where there is none', async () => {
    await open('~all');
    await page.locator('main').getByRole('link', { name: 'Covered' }).waitFor();
    await open('~print');
    await page.locator('.print-contents').getByRole('link', { name: 'Tabs' }).click();
    await page.waitForURL('**#**');
    expect(await page.locator('h1', { hasText: 'Tabs' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('In Rust.').isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    const answer = await open('guides/updates');
    expect(answer?.status()).toBe(404);
    await page.locator('.page-list').getByRole('link', { name: 'Updates' }).first().click();
    await page.waitForURL('**/more/updates');
    await visitor.takeFaults();
  });

  it('shows what needs scripts only where they run', async () => {
    await open('');
    expect(await page.locator('.theme-menu').isVisible()).toBe(javaScriptEnabled);
    expect(await page.locator('.announcement button').isVisible()).toBe(javaScriptEnabled);
    await open('more/updates');
    expect(await page.locator('.update-filter').isVisible()).toBe(javaScriptEnabled);
  });
}
