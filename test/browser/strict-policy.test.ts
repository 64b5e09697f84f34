import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { hostileCustomization, hostileFiles, hostileSpec } from '../support/browser/attacks.js';
import { evaluate, newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { newPlainSite, newSampleSite, type SampleSite } from '../support/browser/sample-site.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Opens a page with all of its pictures and frames; the status of the answer. */
async function openWhole(page: Page, url: string): Promise<number | undefined> {
  const answer = await page.goto(url, { waitUntil: 'load' });
  await evaluate(
    page,
    `document.querySelectorAll('img,iframe').forEach((each) => { each.loading = 'eager'; });
    Promise.all([...document.images].map((each) => each.decode().catch(() => undefined)))`,
  );
  return answer?.status();
}

describe('a whole site', () => {
  let sample: SampleSite;
  let visitor: Visitor;
  beforeAll(async () => {
    sample = await newSampleSite();
    visitor = await newVisitor(browser);
  });
  afterAll(() => sample.close());

  it.each([
    '',
    'all-blocks',
    'tabs',
    'more/long',
    'more/long/covered',
    'more/long/wide',
    'more/updates',
    'more/hidden',
    'api',
    'lore',
    'hebrew/all-blocks',
    '~search?q=wombats',
    '~all',
    '~print',
  ])('asks for nothing that its policy refuses, for nothing of another host, and has no error: %s', async (path) => {
    expect(await openWhole(visitor.page, sample.url + path)).toBe(200);
    expect(await visitor.takeFaults()).toEqual([]);
  });

  it('still has none when it is used', async () => {
    const { page } = visitor;
    await page.goto(`${sample.url}all-blocks`);
    await page.locator('.theme-menu summary').click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.keyboard.press('Control+k');
    await page.locator('.search-dialog input[type="search"]').fill('wombats');
    await page.locator('[role="option"]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('figure img[alt="A photo"]').scrollIntoViewIfNeeded();
    await page.locator('img.zoomable').first().click();
    await page.keyboard.press('Escape');
    await page.locator('form.feedback').getByRole('button', { name: 'Good' }).click();
    await page.locator('form.feedback textarea').waitFor();
    expect(await visitor.takeFaults()).toEqual([]);
  });

  it('would tell: what a page may not do is noticed', async () => {
    const { page } = visitor;
    const attempts = [
      `document.body.append(Object.assign(document.createElement('img'), { src: 'ftp://elsewhere.example/x' }))`,
      `document.body.insertAdjacentHTML('beforeend', '<b>x</b>')`,
      `document.body.setAttribute('onclick', 'x()')`,
      `document.body.append(Object.assign(document.createElement('script'), { src: '/~files/x.js' }))`,
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))`,
      `document.body.append(Object.assign(document.createElement('style'), { textContent: '* { color: red }' }))`,
    ];
    for (const attempt of attempts) {
      await page.goto(sample.url);
      await evaluate(page, `(() => { try { ${attempt} } catch {} })()`);
      // The console may tell before the page does.
      const isTold = async () => (await visitor.takeFaults()).some((fault) => fault.startsWith('policy: '));
      await eventually(`a violation by ${attempt}`, isTold);
    }
  });
});

describe('a hostile site', () => {
  let hostile: SampleSite;
  let visitor: Visitor;
  const ran: string[] = [];
  beforeAll(async () => {
    hostile = await newPlainSite(hostileFiles, {
      customization: hostileCustomization,
      specs: { hostile: hostileSpec },
    });
    visitor = await newVisitor(browser);
    await visitor.context.exposeBinding('noteAttack', (_, name: string) => ran.push(name));
    // What leaves this machine goes nowhere.
    await visitor.context.route(/\.example\b|example\.com/, (route) => route.fulfill({ body: '' }));
    visitor.page.on('dialog', (dialog) => {
      ran.push(`dialog ${dialog.message()}`);
      return dialog.dismiss();
    });
  });
  afterAll(() => hostile.close());

  /** What authors must not bring into a page: places where something could run, or look as it likes. */
  const forbidden = (page: Page) =>
    evaluate<string[]>(
      page,
      `[...document.querySelectorAll('*')].flatMap((each) => [
        ...[...each.attributes].filter(({ name, value }) =>
          /^on|^style$|^srcdoc$/i.test(name) || (/href|src|action|data$/i.test(name) && /^[\\s\\x00-\\x1f]*(javascript|vbscript|data:text)/i.test(value))
        ).map(({ name, value }) => each.tagName + ' ' + name + '=' + value),
        ...(each.matches('script:not([src*="/~reader/"]):not(head > script:first-of-type), object, embed, base, meta[http-equiv], style') ? [each.outerHTML.slice(0, 100)] : []),
      ])`,
    );

  it('would be told of: the same attack runs where nothing holds it', async () => {
    const open = await visitor.context.newPage();
    await open.setContent(String(hostileFiles['.gitbook/assets/page.html']));
    await eventually('the attack', () => ran.splice(0).join());
    await open.close();
  });

  const paths = [
    '',
    'blocks',
    'files',
    '~search?q=text',
    '~all',
    '~print',
    `~search?q=${encodeURIComponent('"><img src=x onerror=top.noteAttack(1)>')}`,
  ];
  /** How often a page names what its attacks call. */
  const least: Record<string, number> = { '': 3, blocks: 100, '~print': 100, '~all': 1 };
  const odd = [
    '<img src=x onerror=top.noteAttack(1)>',
    '%22%3E%3Cscript%3Etop.noteAttack(1)%3C/script%3E',
    "x'-top.noteAttack(1)-'",
  ];
  it.each([...paths, ...odd])('runs nothing on its page %s', async (path) => {
    const { page } = visitor;
    expect(await openWhole(page, hostile.url + path)).toBe(odd.includes(path) ? 404 : 200);
    // What was tried is there to be read.
    const tried = (await page.locator('main').textContent())?.match(/noteAttack/g)?.length ?? 0;
    expect(tried).toBeGreaterThanOrEqual(least[path] ?? 0);
    expect(await forbidden(page)).toEqual([]);
    for (const summary of await page.locator('main summary').all()) await summary.dispatchEvent('click');
    for (const link of await page.locator('main a[href^="#"], main label, main button[type="button"]').all())
      await link.dispatchEvent('click');
    expect(ran).toEqual([]);
    const faults = await visitor.takeFaults();
    expect(faults.filter((fault) => fault.startsWith('policy') || fault.startsWith('error'))).toEqual([]);
  });

  it('runs nothing in its search dialog', async () => {
    const { page } = visitor;
    await page.goto(hostile.url);
    await page.keyboard.press('/');
    await page.locator('.search-dialog input[type="search"]').fill('<img src=x onerror=top.noteAttack(1)>');
    await page.locator('.said', { hasText: /./ }).waitFor();
    await page.locator('.search-dialog input[type="search"]').fill('text');
    await page.locator('[role="option"]').first().waitFor();
    expect(await forbidden(page)).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('runs nothing in a file that is opened by itself, nor as a script of its pages', async () => {
    const { page } = visitor;
    await page.goto(`${hostile.url}files`);
    const files = await evaluate<string[]>(
      page,
      `[...new Set([...document.querySelectorAll('main [href*="/~files/"], main [src*="/~files/"]')].map((each) => each.href || each.src))]`,
    );
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      // A file that is a download is no page.
      await page.goto(file).catch((error) => expect(String(error)).toMatch(/Download is starting|ERR_ABORTED/));
      expect([file, ran]).toEqual([file, []]);
      await page.goto(hostile.url);
      await evaluate(
        page,
        `document.body.append(Object.assign(document.createElement('script'), { src: ${JSON.stringify(file)} }))`,
      ).catch(() => undefined);
      await evaluate(
        page,
        `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(file)} }))`,
      );
    }
    await visitor.takeFaults();
    expect(ran).toEqual([]);
  });
});
