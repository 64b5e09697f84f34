import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { packageFile } from '../../shared/process/package-root.js';
import { newContext, openBrowser } from '../support/browser/browser.js';
import { startServer } from '../support/server.js';

interface Shot {
  /** The name of the file, without its ending. */
  name: string;
  /** An address below that of the server. */
  path: string;
  width: number;
  height: number;
  dark?: boolean;
  /** What a person does before. */
  act?: (page: Page) => Promise<unknown>;
}

/** Bytes of one picture, and of all together. */
const limits = { ofOne: 150_000, ofAll: 500_000 };
const quality = 80;
/** Pixels of a picture for one of the page. */
const scale = 1.5;

const desktop = { width: 1280, height: 800 };

async function searchFor(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.search-dialog input').fill(text);
  await page.locator('.search-dialog mark').first().waitFor();
}

/** The pictures of the README; `site` is the path of the site of the handbook. */
const shotsOf = (site: string): Shot[] => [
  { name: 'site', path: `${site}tour`, ...desktop },
  { name: 'site-dark', path: `${site}api/access`, ...desktop, dark: true },
  { name: 'site-phone', path: `${site}tour`, width: 390, height: 800 },
  { name: 'search', path: site, ...desktop, act: (page) => searchFor(page, 'change request') },
  { name: 'home', path: '/', ...desktop },
];

/** Takes a picture as WebP, which playwright itself does not write. */
async function take(browser: Browser, url: string, { name, path, width, height, dark, act }: Shot): Promise<number> {
  const context = await newContext(browser, {
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
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

/** Makes the pictures of the README in `docs/images`, of a server that has just been started for the first time. */
async function takeAll(): Promise<void> {
  await mkdir(packageFile('docs/images'), { recursive: true });
  const server = await startServer({ env: { BASE_URL: 'http://docs.example.com' } });
  const browser = await openBrowser();
  try {
    const [, site = ''] = /Handbook +\S+?(\/sites\/\S+)/.exec(await server.said(/Handbook +http/)) ?? [];
    let sum = 0;
    for (const shot of shotsOf(site)) {
      const bytes = await take(browser, server.url, shot);
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
