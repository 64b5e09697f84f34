import type { IntegrationSubject } from '../../shared/contract/integration-token.js';
import { freeName, published as publishedWith } from './integrations.js';
import { askOperator } from './operator.js';
import { done, idOf } from './requests/setting.js';
import { Client } from './server.js';

/** Signs a token as the shared server does. */
export const signedToken = (subject: IntegrationSubject): Promise<string> =>
  askOperator({ sign: subject, issuer: String(process.env.BINDERY_TEST_URL) });

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
  const publication = await askOperator({ publicationOf: name });
  return new Client(admin.url, await signedToken({ publication }));
}
