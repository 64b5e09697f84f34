import { freeName, published } from './integrations.js';
import { askOperator } from './operator.js';
import { done } from './requests/setting.js';
import type { Client } from './server.js';

/** A configuration with each type of property, of which `key` is required. */
export const configurable = {
  properties: {
    key: { type: 'string' },
    region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    limit: { type: 'number', default: 3 },
    loud: { type: 'boolean', default: false },
    login: { type: 'button', callback_url: '/oauth', button_text: 'Sign in' },
  },
  required: ['key'],
};

export interface Publishing {
  organization: string;
  /** A new one by default. */
  name?: string;
  /** Of the manifest. */
  [field: string]: unknown;
}

/** Publishes an integration, with a new name by default. Answers its name. */
export const publish = (
  client: Client,
  { organization, name = freeName('installed'), ...manifest }: Publishing,
): Promise<string> =>
  published(client, organization, { name, title: 'Installed', description: 'Is installed.', ...manifest });

export const installationsOf = (name: string) => `/v1/integrations/${name}/installations`;

/** Installs an integration. Answers the path of the installation. */
export async function install(client: Client, name: string, body: Record<string, unknown>): Promise<string> {
  const { id } = await done(client.post(installationsOf(name), body));
  return `${installationsOf(name)}/${id}`;
}

export const idIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The events that were queued for an installation, in their order. */
export const queuedFor = async (path: string): Promise<{ type: string; [field: string]: unknown }[]> =>
  JSON.parse(await askOperator({ queuedFor: idIn(path) }));
