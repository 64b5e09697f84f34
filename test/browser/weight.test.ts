import { request as httpRequest } from 'node:http';
import type { Browser, Request } from 'playwright-core';
import { evaluate, newContext, newVisitor, openBrowser } from '../support/browser/browser.js';
import { fullCustomization, newSampleSite, type SampleSite } from '../support/browser/sample-site.js';

let browser: Browser;
let sample: SampleSite;
beforeAll(async () => {
  [browser, sample] = await Promise.all([openBrowser(), newSampleSite()]);
});
afterAll(async () => {
  await browser.close();
  await sample.close();
});

/** The bytes of an answer as they are sent. */
const bytesOf = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      let bytes = 0;
      answer
        .on('data', (part: Buffer) => {
          bytes += part.length;
        })
        .on('end', () => {
          // Small ones gain nothing.
          if (bytes > 2048) expect([url, answer.headers['content-encoding']]).toEqual([url, 'br']);
          resolve(bytes);
        });
    })
      .on('error', reject)
      .end();
  });

/** A first visit to a page: what it asked for. */
async function firstVisit(path: string): Promise<Request[]> {
  const { page, context, takeFaults } = await newVisitor(browser);
  const asked: Request[] = [];
  page.on('request', (request) => asked.push(request));
  await page.goto(sample.url + path, { waitUntil: 'networkidle' });
  expect(await takeFaults()).toEqual([]);
  await context.close();
  return asked.filter((request) => request.method() === 'GET');
}

const isPicture = (request: Request) =>
  ['image', 'font'].includes(request.resourceType()) || /favicon/.test(request.url());
const urlsOf = (requests: Request[], type: string) =>
  requests.filter((request) => request.resourceType() === type).map((request) => request.url());

it('a page has at most 10 KB of script, 20 KB of styles and four requests, all to its own host', async () => {
  const asked = await firstVisit('all-blocks');
  expect(asked.filter((request) => !isPicture(request)).map((request) => request.resourceType())).toEqual(
    expect.arrayContaining(['document', 'script', 'stylesheet']),
  );
  expect(asked.filter((request) => !isPicture(request)).length).toBeLessThanOrEqual(4);
  const sum = async (type: string) => (await Promise.all(urlsOf(asked, type).map(bytesOf))).reduce((a, b) => a + b, 0);
  const script = await sum('script');
  const styles = await sum('stylesheet');
  expect(script).toBeGreaterThan(0);
  expect(script).toBeLessThanOrEqual(10 * 1024);
  expect(styles).toBeGreaterThan(0);
  expect(styles).toBeLessThanOrEqual(20 * 1024);
  expect(new Set(asked.map((request) => new URL(request.url()).host))).toEqual(new Set([new URL(sample.url).host]));
});

it('the next page loads nothing again', async () => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(sample.url, { waitUntil: 'networkidle' });
  await page.goto(`${sample.url}tabs`, { waitUntil: 'networkidle' });
  const loaded = await evaluate<[string, number][]>(
    page,
    `performance.getEntriesByType('resource').filter(({ initiatorType }) => initiatorType !== 'beacon').map(({ name, transferSize }) => [name, transferSize])`,
  );
  expect(loaded.length).toBeGreaterThanOrEqual(3);
  expect(loaded.filter(([, size]) => size > 0)).toEqual([]);
  await context.close();
});

it('nothing is shifted while a page loads', async () => {
  for (const [path, width] of [
    ['', 1280],
    ['all-blocks', 1280],
    ['all-blocks', 390],
    ['more/long/wide', 1280],
    ['hebrew/all-blocks', 390],
  ] as const) {
    const context = await newContext(browser, { viewport: { width, height: 800 } });
    await context.addInitScript(
      `globalThis.shifted = 0; new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value; }).observe({ type: 'layout-shift', buffered: true })`,
    );
    const page = await context.newPage();
    await page.goto(sample.url + path, { waitUntil: 'networkidle' });
    // Pictures that come later shift nothing either.
    await evaluate(
      page,
      `document.querySelectorAll('img').forEach((each) => { each.loading = 'eager'; });
      Promise.all([...document.images].map((each) => each.decode().catch(() => 0))).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))`,
    );
    const shifted = await evaluate<number>(page, 'globalThis.shifted');
    expect([path, width, shifted < 0.02 ? 'little' : shifted]).toEqual([path, width, 'little']);
    await context.close();
  }
});

it('sets no cookie; where the site wants one, only after a yes', async () => {
  const { page, context, takeFaults } = await newVisitor(browser);
  await page.goto(`${sample.url}tabs`, { waitUntil: 'networkidle' });
  expect(await page.locator('.cookie-notice').count()).toBe(0);
  expect(await context.cookies()).toEqual([]);
  await sample.site.ok('PUT', '/customization', { ...fullCustomization, insights: { trackingCookie: true } });
  const answer = async (name: string) => {
    await page.goto(sample.url);
    await page.reload();
    await page.locator('.cookie-notice').getByRole('button', { name }).click();
    await page.reload();
    expect(await page.locator('.cookie-notice').count()).toBe(0);
    return (await context.cookies()).map(({ name: cookie }) => cookie);
  };
  await page.goto(sample.url);
  await page.locator('.cookie-notice').waitFor();
  expect(await context.cookies()).toEqual([]);
  expect(await answer('Reject')).toEqual([]);
  await evaluate(page, 'localStorage.clear()');
  expect(await answer('Accept')).toEqual(['bindery-visitor']);
  expect(await takeFaults()).toEqual([]);
  await context.close();
});
