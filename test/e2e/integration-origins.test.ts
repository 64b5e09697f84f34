import { request } from 'node:http';
import { newOrganization } from '../support/fixtures.js';
import { endpointScript } from '../support/integration-scripts.js';
import { install, publish } from '../support/integrations.js';
import { type StartedServer, startServer } from '../support/server.js';

let server: StartedServer;
let path: string;
beforeAll(async () => {
  server = await startServer({
    env: { BASE_URL: 'https://docs.test/app', INTEGRATIONS_URL: 'https://scripts.test/of' },
  });
  const organization = await newOrganization(server);
  const { urls } = await install(server, await publish(server, organization, endpointScript), organization);
  expect(urls.publicEndpoint).toMatch(/^https:\/\/scripts\.test\/of\/~integrations\/v1\/integrations\//);
  path = new URL(urls.publicEndpoint).pathname;
});
afterAll(() => server.stop());

/** Asks for a path as a browser that found the server at this host. */
function ask(host: string, at: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path: at, headers: { host, ...headers } }, (answer) => {
        let text = '';
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('an origin for scripts alone', () => {
  it('shows their pages as they are, with cookies that stay on its host', async () => {
    for (const host of ['scripts.test', 'SCRIPTS.test:443']) {
      const { headers } = await ask(host, `${path}/page`);
      expect(headers['set-cookie']).toEqual(['mine=1; Path=/']);
      expect(headers['content-security-policy']).toBe("img-src 'none'");
      for (const header of ['clear-site-data', 'strict-transport-security']) expect(headers).not.toHaveProperty(header);
    }
  });

  it('gives scripts its cookies, but none by which people sign in', async () => {
    const signedIn =
      '__Host-session=bns_secret; bindery_session=bns_secret; __Host-browser=secret; bindery_browser=secret';
    const cookie = `mine=1; __Host-saml=secret; saml=secret; ${signedIn}; b=2`;
    const { text } = await ask('scripts.test', `${path}/echo?a=1`, { cookie });
    expect(JSON.parse(text)).toMatchObject({
      url: `https://scripts.test${path}/echo?a=1`,
      headers: { cookie: 'mine=1; b=2' },
    });
  });

  it('has no page on which people sign in or try a token', async () => {
    for (const at of ['/', '/docs', '/handbook', '/sign-in', '/saml/x', '/unsubscribe', '/metrics', '/device'])
      expect([at, (await ask('scripts.test', `/of${at}`)).status]).toEqual([at, 404]);
    for (const [at, status] of Object.entries({ '/healthz': 200, '/v1/user': 401 }))
      expect([at, (await ask('scripts.test', `/of${at}`)).status]).toEqual([at, status]);
    for (const at of ['/', '/docs', '/handbook']) expect((await ask('docs.test', `/app${at}`)).status).toBe(200);
  });

  it.each(['docs.test', 'docs.test:4000', 'other.test', 'scripts.test.evil.test'])(
    'is that of no other host: at %s pages are sandboxed, and no cookies pass',
    async (host) => {
      const page = await ask(host, `${path}/page`);
      expect(page.headers['content-security-policy']).toMatch(/^sandbox allow-scripts/);
      expect(page.headers).not.toHaveProperty('set-cookie');
      const { text } = await ask(host, `${path}/echo`, { cookie: 'mine=1' });
      expect(JSON.parse(text).headers).not.toHaveProperty('cookie');
    },
  );
});
