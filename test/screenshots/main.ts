import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { packageFile } from '../../shared/process/package-root.js';
import { newContext, openBrowser } from '../support/browser/browser.js';
import { type StartedServer, startServer } from '../support/server.js';

interface Shot {
  /** The name of the file, without its ending. */
  name: string;
  /** An address below that of the server. */
  path: string;
  width: number;
  height: number;
  dark?: boolean;
  /** Somebody is signed in. */
  isSignedIn?: boolean;
  /** What a person does before. */
  act?: (page: Page) => Promise<unknown>;
}

/** Bytes of one picture, and of all together. */
const limits = { ofOne: 150_000, ofAll: 900_000 };
const quality = 80;
/** Pixels of a picture for one of the page. */
const scale = 1.5;

const desktop = { width: 1280, height: 800 };

async function searchFor(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.search-dialog input').fill(text);
  await page.locator('.search-dialog mark').first().waitFor();
}

interface Shown {
  /** The path of the site of the handbook. */
  site: string;
  /** The path of its space in the app. */
  space: string;
  /** The id of the page that a change request changes. */
  page: string;
}

const editing = async (page: Page) => {
  await page.locator('.cm-content').waitFor();
  await page.locator('.page-body h2').first().waitFor();
};

/** The pictures of the README. */
const shotsOf = ({ site, space, page: changed }: Shown): Shot[] => [
  { name: 'app-editor', path: `${space}/~/changes/1/~/edit/tour`, ...desktop, isSignedIn: true, act: editing },
  { name: 'app-differences', path: `${space}/~/changes/1/~/differences/${changed}`, ...desktop, isSignedIn: true },
  { name: 'app-change-request', path: `${space}/~/changes/1`, ...desktop, isSignedIn: true, dark: true },
  { name: 'app-phone', path: `${space}/tour`, width: 390, height: 800, isSignedIn: true },
  { name: 'site', path: `${site}tour`, ...desktop },
  { name: 'site-dark', path: `${site}api/access`, ...desktop, dark: true },
  { name: 'site-phone', path: `${site}tour`, width: 390, height: 800 },
  { name: 'search', path: site, ...desktop, act: (page) => searchFor(page, 'change request') },
  { name: 'home', path: '/', ...desktop },
];

/** Takes a picture as WebP, which playwright itself does not write. */
async function take(browser: Browser, { url, token }: StartedServer, shot: Shot): Promise<number> {
  const { name, path, width, height, dark, isSignedIn, act } = shot;
  const context = await newContext(browser, {
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (isSignedIn) await signIn(page, url, token);
  await page.goto(url + path, { waitUntil: 'networkidle' });
  await page.evaluate('document.fonts.ready');
  await act?.(page);
  const session = await context.newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip });
  await context.close();
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > limits.ofOne) throw new Error(`${name} has ${bytes.length} bytes, more than ${limits.ofOne}`);
  await writeFile(join(packageFile('docs/images'), `${name}.webp`), bytes);
  return bytes.length;
}

async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/app/sign-in`);
  await page.locator('details:has([name="api-token"])').evaluate((each) => each.setAttribute('open', ''));
  await page.locator('[name="api-token"]').fill(token);
  await page.locator('form:has([name="api-token"]) button').click();
  await page.waitForURL(/\/app\/o\//);
}

/** Makes a change request of the handbook; answers the id of the page that it changes. */
async function changeTour(server: StartedServer, space: string): Promise<string> {
  const at = `/v1/spaces/${space}`;
  const { body: page } = await server.get(`${at}/content/path/tour`);
  const { body: request } = await server.post(`${at}/change-requests`, { subject: 'Tell what the first start prints' });
  const { body: source } = await server.get(`${at}/content/page/${page.id}?format=markdown`);
  const markdown = String(source.markdown)
    .replace('Keep these for the commands below:', 'Keep these in your shell; all commands below use them:')
    .replace('## Start', '## Start the server');
  const changes = [{ operation: 'update_page', page: page.id, document: { markdown } }];
  await server.post(`${at}/change-requests/${request.id}/content`, { changes });
  return page.id;
}

/** Makes the pictures of the README in `docs/images`, of a server that has just been started for the first time. */
async function takeAll(): Promise<void> {
  await mkdir(packageFile('docs/images'), { recursive: true });
  const server = await startServer({ env: { BASE_URL: 'http://docs.example.com' } });
  const browser = await openBrowser();
  try {
    const [, site = ''] = /Handbook +\S+?(\/sites\/\S+)/.exec(await server.said(/Handbook +http/)) ?? [];
    const [, id = ''] = /site_(\w+)/.exec(site) ?? [];
    const shown = { site, space: `/app/s/${id}`, page: await changeTour(server, id) };
    let sum = 0;
    for (const shot of shotsOf(shown)) {
      const bytes = await take(browser, server, shot);
      sum += bytes;
      process.stdout.write(`docs/images/${shot.name}.webp ${bytes} bytes\n`);
    }
    if (sum > limits.ofAll) throw new Error(`the pictures have ${sum} bytes, more than ${limits.ofAll}`);
  } finally {
    await browser.close();
    await server.stop();
  }
}

await takeAll();
