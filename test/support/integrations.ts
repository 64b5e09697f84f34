import { proveDomain } from './domains.js';
import { unique, walk } from './fixtures.js';
import { endpointScript } from './integration-scripts.js';
import { done } from './requests/setting.js';
import type { Client } from './server.js';
import type { Site } from './site.js';

/** Answers every event; the render of a component with an empty block. */
export const sampleScript = `
export default {
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get('event'));
    if (event.type === 'ui_render')
      return Response.json({ type: 'element', element: { type: 'block', children: [] }, state: {}, props: {} });
    if (event.type === 'fetch_published_script')
      return new Response('console.log(1)', { headers: { 'content-type': 'application/javascript' } });
    return new Response('hello');
  },
};
`;

/** What `gitbook publish` sends for a small integration. */
export const manifestOf = (organization: string, changes: Record<string, unknown> = {}) => ({
  runtime: 'v2',
  title: 'Hello',
  description: 'Says hello.',
  script: sampleScript,
  organization,
  ...changes,
});

/** A name that no integration has. */
export const freeName = (prefix = 'sample') => unique(prefix).replaceAll(' ', '-');

export const at = (name: string) => `/v1/integrations/${name}`;

/** Publishes a new integration; returns its name. */
export async function published(
  client: Client,
  organization: string,
  { name = freeName(), ...changes }: Record<string, unknown> & { name?: string } = {},
): Promise<string> {
  await done(client.post(at(name), manifestOf(organization, changes)));
  return name;
}

/** Images of one pixel, in base64. */
export const pixel = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  jpg: '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  webp: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
} as const;

/** Publishes a public integration with this script; returns its name. */
export const publish = (
  client: Client,
  organization: string,
  script: string,
  more: Record<string, unknown> = {},
): Promise<string> => published(client, organization, { script, visibility: 'public', ...more });

/** Installs an integration in an organization; the installation. */
export const install = (
  client: Client,
  name: string,
  organization: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; status: string; urls: { location: string; publicEndpoint: string } }> =>
  done(client.post(`${at(name)}/installations`, { organization, ...more }));

/** Puts the script of a new integration on the pages of a site, and gives the site a host name of its own; the address of the integration. */
export async function addScript(
  client: Client,
  { organization, site }: { organization: string; site: Site },
  hostname: string,
): Promise<string> {
  const name = await publish(client, organization, endpointScript, {
    scopes: ['site:script:inject'],
    visibility: 'private',
  });
  const { id, urls } = await install(client, name, organization);
  const { status, body } = await client.post(`${at(name)}/installations/${id}/sites`, { siteId: site.id });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  await proveDomain(client, organization, hostname);
  await site.ok('PATCH', '', { hostname });
  return urls.publicEndpoint;
}

/** All that a manifest may declare. */
export const fullManifest = {
  summary: '# Hello\n\nIt says **hello**.',
  icon: pixel.png,
  previewImages: [pixel.jpg, pixel.gif, pixel.webp],
  visibility: 'public',
  target: 'space',
  scopes: ['space:content:read', 'space:script:inject', 'space:content:read'],
  categories: ['analytics', 'other'],
  blocks: [
    {
      id: 'hello',
      title: 'Hello',
      description: 'A greeting',
      icon: 'https://example.com/a.png',
      urlUnfurl: ['https://www.hello.example/**', 'https://*.greet.example/x'],
      markdown: { codeblock: 'hello', body: 'content' },
    },
  ],
  contentSources: [{ id: 'greetings', title: 'Greetings', configuration: { componentId: 'pick' } }],
  externalLinks: [{ url: 'https://example.com/docs', label: 'Docs' }],
  configurations: {
    account: {
      properties: {
        token: { type: 'button', title: 'Sign in', callback_url: '/oauth', button_text: 'Sign in' },
        region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
        limit: { type: 'number', default: 3 },
        loud: { type: 'boolean', default: false },
      },
      required: ['token'],
    },
    space: { componentId: 'configure' },
  },
  secrets: { KEY: 'nobody sees this' },
  contentSecurityPolicy: { 'default-src': "'self'", 'img-src': 'https: data:' },
};

/** The names of a list of integrations. */
export const namesIn = async (client: Client, query: string, limit = 100): Promise<string[]> =>
  (await walk(client, `/v1/integrations?${query}`, limit)).map(({ name }) => name);

/** A public integration with an installation, as path parameters: a new one, unless that of `before` is there still. */
export async function installedIntegration(
  client: Client,
  organization: string,
  before: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { integrationName: known = 'none', installationId: id = 'none' } = before;
  if ((await client.get(`${at(known)}/installations/${id}`)).status === 200) return before;
  const integrationName = await published(client, organization, { visibility: 'public' });
  const installation = await client.post(`${at(integrationName)}/installations`, { organization });
  return { integrationName, installationId: String(installation.body.id) };
}
