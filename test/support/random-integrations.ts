import { unique, walk } from './fixtures.js';
import { renderingScript } from './integration-scripts.js';
import { freeName, fullManifest, install, pixel, published } from './integrations.js';
import { done } from './requests/setting.js';
import type { Client } from './server.js';

interface Filled {
  client: Client;
  organization: string;
  spaces: string[];
  next: () => number;
}

/** A value of it is in no archive. */
export const integrationSecret = 'secret-7b0d';

const account = {
  properties: {
    region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    project: { type: 'string', title: 'Project' },
    limit: { type: 'number', default: 3 },
    loud: { type: 'boolean' },
    api_token: { type: 'string' },
    where: { type: 'string', title: 'Private key' },
    address: { type: 'string' },
    login: { type: 'button', callback_url: '/oauth', button_text: 'Sign in' },
  },
  required: ['project', 'api_token'],
};

const configuration = {
  region: 'us',
  project: 'docs',
  limit: 4,
  loud: true,
  api_token: integrationSecret,
  where: integrationSecret,
  address: `https://somebody:${integrationSecret}@example.com/`,
  login: { token: integrationSecret },
  oauth_credentials: { access_token: integrationSecret },
};

/** Publishes integrations at random and installs them: with images and without, on all spaces, on some, and on sites; a webhook, too. */
export async function randomIntegrations({ client, organization, spaces, next }: Filled): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const sites = (await walk(client, `/v1/orgs/${organization}/sites`, 100)).map(({ id }) => id as string);
  const manifest = {
    ...fullManifest,
    name: freeName('Whole.of_all'),
    script: renderingScript,
    target: 'all',
    visibility: pick(['private', 'public']),
    configurations: { account, space: { properties: { channel: { type: 'string' } } } },
    secrets: { KEY: integrationSecret },
  };
  await published(client, organization, manifest);
  const whole = await published(client, organization, { ...manifest, summary: 'Another version' });
  const { id } = await install(client, whole, organization, { configuration });
  const at = `/v1/integrations/${whole}/installations/${id}`;
  await done(client.patch(at, { externalIds: [unique('Team')] }));
  for (const space of new Set([pick(spaces), pick(spaces)])) {
    await done(client.post(`${at}/spaces`, { space }));
    if (next() < 0.5)
      await done(client.patch(`${at}/spaces/${space}`, { configuration: { channel: 'news', other: 1 } }));
  }
  for (const siteId of new Set([pick(sites), pick(sites)])) await done(client.post(`${at}/sites`, { siteId }));

  const runtime = pick(['v1', 'v2'] as const);
  const script =
    runtime === 'v1' ? "addEventListener('fetch', (event) => event.respondWith(new Response('ä')));" : renderingScript;
  const plain = await published(client, organization, {
    runtime,
    script,
    icon: pick([undefined, pixel.webp]),
    configurations: { account: { componentId: 'configure' } },
  });
  if (next() < 0.7)
    await install(client, plain, organization, {
      space_selection: 'all',
      configuration: { anything: integrationSecret },
    });
  await published(client, organization);
  const events = { page_events: pick([true, false]), comment_events: pick([true, false]) };
  await install(client, 'webhook', organization, {
    space_selection: pick(['all', 'selected']),
    configuration: { url: 'https://hooks.example.com/x', secret: `${integrationSecret}-of-a-webhook`, ...events },
  });
}
