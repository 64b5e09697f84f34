import type { Browser, BrowserContextOptions } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { newSampleSite, type SampleSite } from '../support/browser/sample-site.js';
import { TrackedSite } from '../support/insights/tracked-site.js';

let browser: Browser;
let sample: SampleSite;
let insights: TrackedSite;
beforeAll(async () => {
  [browser, sample] = await Promise.all([openBrowser(), newSampleSite()]);
  insights = new TrackedSite(sample.site.client, sample.organization, sample.site.id);
});
afterAll(async () => {
  await browser.close();
  await sample.close();
});

const groups = async (column: string, eventType?: string): Promise<Record<string, number>> => {
  const where = eventType ? { where: [{ column: 'eventType', operator: 'in', values: [eventType] }] } : {};
  const rows = await insights.rows({ groupBy: [{ column }], ...where });
  return Object.fromEntries(rows.map(([value, count]) => [JSON.stringify(value), count as number]));
};
const types = () => groups('eventType');

type Before = (visitor: Visitor) => Promise<unknown>;

/** Opens the site and looks for something that it has not. */
async function glance(options: BrowserContextOptions = {}, before?: Before): Promise<Visitor> {
  const visitor = await newVisitor(browser, options);
  await before?.(visitor);
  const { page } = visitor;
  await page.goto(sample.url);
  await page.keyboard.press('/');
  await page.locator('.search-dialog input[type="search"]').fill('nothing-has-this');
  await page.locator('.search-dialog [role="status"]', { hasText: 'No results' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.search-dialog').waitFor({ state: 'detached' });
  return visitor;
}

/** A visit that also finds something, says what it thinks, and leaves by a link. */
async function visit(): Promise<void> {
  const { page, context } = await glance();
  await context.route(/example\.com/, (route) => route.fulfill({ body: 'elsewhere' }));
  await page.keyboard.press('/');
  await page.locator('.search-dialog input[type="search"]').fill('legends');
  await page.locator('[role="option"]').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/lore\/?$/);
  await page.locator('form.feedback').getByRole('button', { name: 'Bad' }).click();
  await page.locator('form.feedback textarea').fill('Too few wombats');
  await page.locator('form.feedback').getByRole('button', { name: 'Send' }).click();
  await page.locator('form.feedback textarea').waitFor({ state: 'detached' });
  await page.locator('.site-header').getByRole('link', { name: 'Blog' }).click();
  await page.waitForURL('**/blog');
  await context.close();
}

const walked = {
  '"page_view"': 2,
  '"search_open"': 2,
  '"search_type_query"': 2,
  '"search_open_result"': 1,
  '"link_click"': 1,
  '"page_post_feedback"': 1,
  '"page_post_feedback_comment"': 1,
};
const sum = (all: Record<string, number>) => Object.values(all).reduce((one, other) => one + other, 0);

it('views, searches, clicks and ratings of a visit arrive, each once and with what they are about', async () => {
  await visit();
  await eventually('all reports of the visit', types, (found) => sum(found) >= sum(walked));
  expect(await types()).toEqual(walked);
  expect(await groups('eventSearchQuery', 'search_type_query')).toEqual({ '"nothing-has-this"': 1, '"legends"': 1 });
  expect(await groups('eventLinkTargetDomain', 'link_click')).toEqual({ '"example.com"': 1 });
  expect(await groups('eventLinkPosition', 'link_click')).toEqual({ '"header"': 1 });
  expect(await groups('eventPageFeedbackRating', 'page_post_feedback')).toEqual({ '"bad"': 1 });
  expect(await groups('eventPageFeedbackComment', 'page_post_feedback_comment')).toEqual({ '"Too few wombats"': 1 });
  expect(Object.keys(await groups('page', 'page_view'))).toHaveLength(2);
  expect(Object.keys(await groups('siteSection', 'page_view'))).toHaveLength(2);
  const [view] = (await insights.exported()).filter(({ type }) => type === 'search_open_result');
  expect(view).toBeDefined();
});

it('nothing arrives of readers who want no tracking', async () => {
  const before = await types();
  const sent: string[] = [];
  const says =
    (name: string, value: string): Before =>
    async ({ context, page }) => {
      page.on('request', (request) => request.url().includes('~insights') && sent.push(`${name}: ${request.url()}`));
      await context.addInitScript(
        `Object.defineProperty(Navigator.prototype, '${name}', { configurable: true, get: () => ${value} })`,
      );
    };
  const untracked = [
    await glance({ extraHTTPHeaders: { DNT: '1' } }),
    await glance({ extraHTTPHeaders: { 'Sec-GPC': '1' } }),
    await glance({}, says('doNotTrack', `'1'`)),
    await glance({}, says('globalPrivacyControl', 'true')),
  ];
  expect(sent).toEqual([]);
  // Closed when their last reports are on the way; what comes after them has arrived, and nothing else.
  for (const { context } of untracked) await context.close();
  await visit();
  const expected = sum(before) + sum(walked);
  await eventually('the reports of the last visit', types, (found) => sum(found) >= expected);
  expect(sum(await types())).toBe(expected);
});
