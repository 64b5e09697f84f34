import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The browser of a test file. */
export const openBrowser = (...more: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.BROWSER ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
      ...more,
    ],
    timeout: 0,
  });

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** What went wrong since the last time that they were taken: violations of the policy, errors, requests that failed or left this host. */
  takeFaults(): Promise<string[]>;
}

/** Without an end of its own: the limit of a test ends what never comes. */
function withoutLimits(context: BrowserContext): void {
  context.setDefaultTimeout(0);
  context.setDefaultNavigationTimeout(0);
}

export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  withoutLimits(context);
  return context;
}

/** A reader of sites, who notes what goes wrong. */
export async function newVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await newContext(browser, options);
  const faults: string[] = [];
  const hosts = new Set<string>();
  await context.exposeBinding('noteFault', (_, text: string) => faults.push(text));
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => noteFault('policy: ' + [event.effectiveDirective, event.blockedURI, event.sample, event.sourceFile].join(' ')))`,
  );
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
  context.on('requestfailed', (request) => {
    // A page that is left gives up what it was loading.
    const reason = request.failure()?.errorText ?? '';
    if (!reason.includes('ERR_ABORTED')) faults.push(`failed: ${request.url()} ${reason}`);
  });
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) hosts.add(host);
    else if (protocol.startsWith('http') && !hosts.has(host)) faults.push(`another host: ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400 && !response.request().isNavigationRequest())
      faults.push(`${response.status()}: ${response.url()}`);
  });
  const page = await context.newPage();
  const takeFaults = async () => {
    // What the page says comes in the order in which it was said: an answer to this comes after all of it.
    if (options.javaScriptEnabled !== false) await page.evaluate('0');
    return faults.splice(0);
  };
  return { context, page, takeFaults };
}

/** Asks the page for a value. */
export const evaluate = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression);
