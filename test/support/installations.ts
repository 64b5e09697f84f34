import { integrations } from '../../services/integrations/catalogue/model.js';
import { type IntegrationSubject, integrationTokens } from '../../shared/contract/integration-token.js';
import { createSecrets, embeddedKey, type Secrets } from '../../shared/secrets/secrets.js';
import { readConfig } from '../../shared/settings/config.js';
import type { Collection } from '../../shared/store/port.js';
import { openSharedStore } from './fixtures.js';
import { freeName, published as publishedWith } from './integrations.js';
import { done, idOf } from './requests/setting.js';
import { Client } from './server.js';

/** The keys of the shared server. */
export function sharedSecrets(): Secrets {
  const { SECRET_KEY, DATA_DIR } = readConfig(JSON.parse(String(process.env.BINDERY_TEST_STORE)));
  return createSecrets(SECRET_KEY.length > 0 ? SECRET_KEY : [embeddedKey(DATA_DIR, true)]);
}

/** Signs a token as the shared server does. */
export function signedToken(subject: IntegrationSubject): Promise<string> {
  return integrationTokens(sharedSecrets(), String(process.env.BINDERY_TEST_URL)).sign(subject);
}

export interface Installing {
  organization: string;
  scopes: readonly string[];
  /** What it is installed on: all of the organization, or these; none by default. */
  spaces?: 'all' | string[];
  sites?: 'all' | string[];
}

/** An integration that is installed, as whoever published and installed it sees it. */
export interface Installed {
  /** The name of the integration. */
  integration: string;
  /** The id of the installation. */
  id: string;
  /** Calls with the token of the installation. */
  client: Client;
}

/** Publishes an integration with these scopes. Answers its name. */
export const published = (
  admin: Client,
  { organization, scopes }: Pick<Installing, 'organization' | 'scopes'>,
): Promise<string> => publishedWith(admin, organization, { name: freeName('scopes'), scopes });

const selectionOf = (selected: 'all' | string[]) => (selected === 'all' ? 'all' : 'selected');

/** Publishes an integration with these scopes and installs it in its organization. */
export async function installed(
  admin: Client,
  { organization, scopes, spaces = [], sites = [] }: Installing,
): Promise<Installed> {
  const integration = await published(admin, { organization, scopes });
  const path = `/v1/integrations/${integration}/installations`;
  const selections = { space_selection: selectionOf(spaces), site_selection: selectionOf(sites) };
  const id = await idOf(admin.post(path, { organization, ...selections }));
  if (spaces !== 'all') for (const space of spaces) await done(admin.post(`${path}/${id}/spaces`, { space }));
  if (sites !== 'all') for (const siteId of sites) await done(admin.post(`${path}/${id}/sites`, { siteId }));
  return { integration, id, client: new Client(admin.url, await signedToken({ installation: id })) };
}

/** Calls with the token of a published integration, outside of any installation. */
export async function integrationClient(admin: Client, name: string): Promise<Client> {
  const store = await openSharedStore();
  await store.prepare([integrations as unknown as Collection<never>]);
  const found = await store.get(integrations, name);
  await store.close();
  if (!found) throw new Error(`${name} is not published`);
  return new Client(admin.url, await signedToken({ publication: found.publication }));
}
