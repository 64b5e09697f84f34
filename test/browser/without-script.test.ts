import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser/browser.js';
import { readingSuite } from '../support/browser/reading-suite.js';
import { newSampleSite, type SampleSite } from '../support/browser/sample-site.js';

let browser: Browser;
let sample: SampleSite;
beforeAll(async () => {
  [browser, sample] = await Promise.all([openBrowser(), newSampleSite()]);
});
afterAll(async () => {
  await browser.close();
  await sample.close();
});
const setting = { browser: () => browser, sample: () => sample };

describe('without scripts a site', () => readingSuite(setting, false));
describe('with scripts a site', () => readingSuite(setting, true));
