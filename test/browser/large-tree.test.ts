import type { Browser } from 'playwright-core';
import { newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { largeFiles } from '../support/browser/sample-pages.js';
import { newPlainSite, type SampleSite } from '../support/browser/sample-site.js';

let browser: Browser;
let sample: SampleSite;
beforeAll(async () => {
  [browser, sample] = await Promise.all([openBrowser(), newPlainSite(largeFiles)]);
});
afterAll(async () => {
  await browser.close();
  await sample.close();
});

describe.each([true, false])('a space of 421 pages, with scripts: %s', (javaScriptEnabled) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await newVisitor(browser, { javaScriptEnabled });
  });
  afterAll(() => visitor.context.close());

  async function openPage(title: string): Promise<void> {
    await visitor.page.goto(`${sample.url}~all`);
    await visitor.page.locator('.page-list').getByRole('link', { name: title, exact: true }).click();
    await visitor.page.locator('h1', { hasText: title }).waitFor();
  }

  it('has in each page the chapters and what is near the page', async () => {
    const { page } = visitor;
    await openPage('Page 390');
    const titles = await page.locator('.tree a').allTextContents();
    expect(titles.filter((title) => title.startsWith('Chapter'))).toHaveLength(20);
    expect(titles.filter((title) => title.startsWith('Page'))).toEqual(
      Array.from({ length: 20 }, (_, at) => `Page ${380 + at}`),
    );
    const current = page.locator('.tree [aria-current="page"]');
    expect(await current.textContent()).toBe('Page 390');
    const [box, tree] = [await current.boundingBox(), await page.locator('.sidebar').boundingBox()];
    const isInView = box && tree && box.y >= tree.y && box.y + box.height <= tree.y + tree.height;
    if (javaScriptEnabled) expect(isInView).toBe(true);
    expect(await page.locator('.pagination .previous span').textContent()).toBe('Page 389');
    expect(await page.locator('.pagination .next span').textContent()).toBe('Page 391');
    expect(await visitor.takeFaults()).toEqual([]);
  });

  it('leads to another chapter, and to all pages', async () => {
    const { page } = visitor;
    await openPage('Page 390');
    await page.locator('.tree').getByRole('link', { name: 'Chapter 12', exact: true }).click();
    await page.locator('.tree').getByRole('link', { name: 'Page 240', exact: true }).waitFor();
    await page.locator('.all-pages').click();
    await page.waitForURL('**/~all');
    expect(await page.locator('.page-list a').count()).toBe(421);
    await page.getByRole('link', { name: 'Page 399', exact: true }).click();
    await page.locator('h1', { hasText: 'Page 399' }).waitFor();
    expect(await visitor.takeFaults()).toEqual([]);
  });
});
