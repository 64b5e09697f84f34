import type { Browser } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { shared } from '../support/fixtures.js';
import { addScript } from '../support/integrations.js';
import { shownSite } from '../support/shown-sites.js';

const admin = shared();
const host = `docs.scripts-in-browser-${process.pid}-${Date.now()}.example`;
let browser: Browser;
let visitor: Visitor;
const said: string[] = [];

beforeAll(async () => {
  browser = await openBrowser(`--host-resolver-rules=MAP ${host} 127.0.0.1`);
  visitor = await newVisitor(browser);
  visitor.page.on('console', (message) => said.push(message.text()));
});
afterAll(() => browser.close());

it('the script of an integration runs at the host name of a site, and not below the address of the server', async () => {
  const { organization, site, start } = await shownSite(admin, { Home: 'Welcome.\n' });
  await addScript(admin, { organization, site }, host);
  const { page } = visitor;
  const { port } = new URL(admin.url);
  const isSaid = async () => {
    await page.goto(`http://${host}:${port}/`, { waitUntil: 'load' });
    const faults = await visitor.takeFaults();
    expect(faults.filter((fault) => !fault.startsWith('another host: '))).toEqual([]);
    return said.some((text) => text.includes('fetch_published_script'));
  };
  await eventually('the word of the script', isSaid);
  expect(await page.locator('h1').textContent()).toBe('Home');

  said.length = 0;
  await page.goto(start, { waitUntil: 'load' });
  expect(await visitor.takeFaults()).toEqual([]);
  expect(said).toEqual([]);
});
