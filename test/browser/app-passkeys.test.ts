import type { Browser } from 'playwright-core';
import { freePort } from '../../shared/process/free-port.js';
import { newVisitor, openBrowser, type Visitor } from '../support/browser/browser.js';
import { askOperator } from '../support/operator.js';
import { type StartedServer, startServer } from '../support/server.js';

let browser: Browser;
let server: StartedServer;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  [browser, server] = await Promise.all([openBrowser(), startServer({ port, env: { BASE_URL: origin } })]);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Gives the page a device of its own that holds passkeys, and whose user is always there. */
async function plugIn({ context, page }: Visitor): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** What browsers of before 2025 lack. */
const former = `
  delete PublicKeyCredential.parseCreationOptionsFromJSON;
  delete PublicKeyCredential.parseRequestOptionsFromJSON;
  delete PublicKeyCredential.prototype.toJSON;
`;

it.each([
  ['a browser of today', ''],
  ['a browser of before 2025', former],
])('%s makes a passkey, and signs in with it', async (_, lacks) => {
  const visitor = await newVisitor(browser);
  const { context, page, takeFaults } = visitor;
  if (lacks) await context.addInitScript(lacks);
  await plugIn(visitor);
  const { email } = (await server.get('/v1/user')).body;
  await page.goto(origin + (await askOperator({ link: { email } }, server.settings)));
  await page.getByRole('main').getByRole('button').click();
  await page.waitForURL(/\/app(?!\/sign-in)/);
  await page.goto(`${origin}/app/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is kept.').waitFor();
  // The device has one already: it makes no other, and the screen says so.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('alert').filter({ hasText: 'Your browser made no passkey.' }).waitFor();
  await context.clearCookies();
  await page.goto(`${origin}/app/account`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${origin}/app/account`);
  expect(await page.getByRole('heading', { name: 'Passkeys' }).isVisible()).toBe(true);
  expect(await takeFaults()).toEqual([]);
  await context.close();
});

it('without a script there is no button that does nothing', async () => {
  const { context, page } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.goto(`${origin}/app/sign-in`);
  expect(await page.getByText('Sign in with a passkey').isVisible()).toBe(false);
  expect(await page.getByText('Find my organization').isVisible()).toBe(true);
  await context.close();
});
