import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { evaluate, newContext, openBrowser } from '../support/browser/browser.js';
import { newSampleSite, type SampleSite } from '../support/browser/sample-site.js';

let browser: Browser;
let sample: SampleSite;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  [browser, sample] = await Promise.all([openBrowser(), newSampleSite()]);
  // The checker is a script that pages do not allow.
  context = await newContext(browser, { bypassCSP: true });
  page = await context.newPage();
});
afterAll(async () => {
  await browser.close();
  await sample.close();
});

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 800 };
const narrowest = { width: 320, height: 640 };

/** What the checker has against the page as it is now. */
async function violations(rules?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode();
  if (rules) builder.withRules(rules);
  const found = await builder.analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** In light surroundings with every rule, in dark ones for their colors. */
async function violationsInBoth(): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: null });
  return [...light, ...dark];
}

/** Whether the page is wider than its window, and texts that are cut off. */
const lost = (on = page) =>
  evaluate<string[]>(
    on,
    `(() => {
      const found = [];
      if (document.documentElement.scrollWidth > innerWidth) found.push('page of ' + document.documentElement.scrollWidth);
      for (const each of document.querySelectorAll('body *')) {
        if (each.closest('.visually-hidden, svg, [popover], .skip-link') || !each.textContent.trim() || !each.checkVisibility()) continue;
        const { overflowX, textOverflow } = getComputedStyle(each);
        const isCut = overflowX === 'hidden' || overflowX === 'clip';
        if (isCut && each.scrollWidth > each.clientWidth + 1 && textOverflow !== 'ellipsis') found.push('cut: ' + each.className + ' ' + each.textContent.slice(0, 40));
        const { left, right } = each.getBoundingClientRect();
        const scrolled = each.parentElement.closest('pre, .table-wrap, math, [tabindex="0"], .section-tabs');
        if (!scrolled && each.children.length === 0 && right > left && (right > innerWidth + 1 || left < -1)) found.push('outside: ' + each.className + ' ' + each.textContent.slice(0, 40));
      }
      return found;
    })()`,
  );

const open = (path: string) => page.goto(sample.url + path);

describe('nothing is against the rules of axe', () => {
  it.each(['desktop', 'phone'] as const)('on the page with every block, on a %s', async (device) => {
    await page.setViewportSize({ desktop, phone }[device]);
    await open('all-blocks');
    expect(await page.locator('main h2').count()).toBeGreaterThan(5);
    expect(await violationsInBoth()).toEqual([]);
  });

  it('on the same page from right to left', async () => {
    await page.setViewportSize(desktop);
    await page.goto(`${sample.hebrew}all-blocks`);
    expect(await violationsInBoth()).toEqual([]);
  });

  it.each([
    ['of the front', ''],
    ['of updates', 'more/updates'],
    ['with a cover', 'more/long/wide'],
    ['of a search', '~search?q=wombats'],
    ['of all pages', '~all'],
    ['for printing', '~print'],
    ['that is not there', 'more/update'],
  ])('on the page %s', async (_, path) => {
    await page.setViewportSize(desktop);
    await open(path);
    expect(await violationsInBoth()).toEqual([]);
  });

  it('in menus and dialogs that are open', async () => {
    await page.setViewportSize(desktop);
    await open('');
    await page.locator('.theme-menu summary').click();
    expect(await violationsInBoth()).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.locator('.search-dialog input[type="search"]').fill('wombats');
    await page.locator('[role="option"]').first().waitFor();
    expect(await violationsInBoth()).toEqual([]);
    await page.setViewportSize(phone);
    await open('');
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await violationsInBoth()).toEqual([]);
  });
});

describe('nothing is lost', () => {
  it.each(['all-blocks', '', '~search?q=wombats', 'more/updates', '~all', '~print'])(
    'in a window of 320 pixels: %s',
    async (path) => {
      await page.setViewportSize(narrowest);
      await open(path);
      expect(await lost()).toEqual([]);
    },
  );

  it('of texts that are twice as large, as the settings of the browser have them', async () => {
    const large = await openBrowser('--blink-settings=defaultFontSize=32');
    const reader = await (await newContext(large)).newPage();
    for (const size of [desktop, phone]) {
      await reader.setViewportSize(size);
      await reader.goto(`${sample.url}all-blocks`);
      expect(await evaluate(reader, `getComputedStyle(document.querySelector('main p')).fontSize`)).toBe('32px');
      expect([size.width, ...(await lost(reader))]).toEqual([size.width]);
    }
    await large.close();
  });

  it('with the spaces between letters, words and lines that readers choose', async () => {
    await page.setViewportSize(phone);
    await open('all-blocks');
    const content =
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }';
    await page.addStyleTag({ content });
    expect(await lost()).toEqual([]);
  });
});

it('colors that the system forces leave what is chosen and what is focused visible', async () => {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ forcedColors: 'active' });
  await open('tabs');
  expect(await violations()).toEqual([]);
  const look = (selector: string) =>
    evaluate<string>(
      page,
      `(() => {
        const { color, backgroundColor, outline, borderBlockEnd, textDecoration, fontWeight } = getComputedStyle(document.querySelector('${selector}'));
        return [color, backgroundColor, outline, borderBlockEnd, textDecoration, fontWeight].join(' | ');
      })()`,
    );
  expect(await look('.tree a[aria-current]')).not.toBe(await look('.tree a:not([aria-current])'));
  expect(await look('.section-tabs a[aria-current]')).not.toBe(await look('.section-tabs a:not([aria-current])'));
  expect(await look('.tab-label:nth-of-type(1)')).not.toBe(await look('.tab-label:nth-of-type(2)'));
  await page.locator('.tree a').first().focus();
  expect(await evaluate(page, `getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
  await page.emulateMedia({ forcedColors: 'none' });
});

it('nothing moves for those who want no motion', async () => {
  await page.setViewportSize(desktop);
  await open('all-blocks');
  const moving = `[document.documentElement, ...document.querySelectorAll('*')].filter((each) => {
    const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(each);
    const seconds = transitionDuration.split(',').concat(animationName === 'none' ? [] : animationDuration.split(','));
    return scrollBehavior === 'smooth' || seconds.some((each) => Number.parseFloat(each) > 0.01);
  }).map((each) => each.tagName + '.' + each.className)`;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await evaluate<string[]>(page, moving)).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await evaluate<string[]>(page, moving)).toEqual([]);
});

it('the first step of the keyboard leads past the navigation', async () => {
  await page.setViewportSize(desktop);
  await open('');
  await page.keyboard.press('Tab');
  expect(await evaluate(page, 'document.activeElement.textContent')).toBe('Skip to content');
  const box = await page.locator('.skip-link').boundingBox();
  expect(box && box.x >= 0 && box.y >= 0 && box.height > 10).toBe(true);
  await page.keyboard.press('Enter');
  expect(await evaluate(page, 'document.activeElement.id')).toBe('page:content');
});
