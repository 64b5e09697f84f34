import { issueApiToken, issuingCollections } from '../../services/identity/accounts/api-tokens.js';
import { createLog } from '../../shared/log.js';
import { openStore } from '../../shared/platform.js';
import { readConfig } from '../../shared/settings/config.js';
import type { Store } from '../../shared/store/port.js';
import { Client } from './server.js';

/** The server that all end-to-end tests share. */
export const shared = (): Client =>
  new Client(String(process.env.BINDERY_TEST_URL), String(process.env.BINDERY_TEST_TOKEN));

/** The domain of people's addresses, for the tests of one process: a domain is proven by one organization at a time. */
export const peopleDomain = `people-${process.pid}.example`;

/** The user of a client, as members of the same organizations see it. */
export async function shownUser(client: Client): Promise<{ id: string; object: 'user' }> {
  const { commentMails: _, ...shown } = (await client.get('/v1/user')).body;
  return shown;
}

let made = 0;
export const unique = (name: string) => `${name} ${process.pid}-${Date.now()}-${made++}`;

export async function newOrganization(client: Client): Promise<string> {
  const { body } = await client.post('/v1/orgs', { title: unique('Org') });
  return body.id;
}

export async function newSpace(
  client: Client,
  organization: string,
  input: Record<string, unknown> = {},
): Promise<string> {
  const { body } = await client.post(`/v1/orgs/${organization}/spaces`, { title: 'A space', ...input });
  return body.id;
}

/** Every item of a list, page by page. */
export async function walk<T = any>(client: Client, path: string, limit: number): Promise<T[]> {
  const items: T[] = [];
  let page: string | undefined;
  do {
    const mark = path.includes('?') ? '&' : '?';
    const { body } = await client.get(`${path}${mark}limit=${limit}${page ? `&page=${encodeURIComponent(page)}` : ''}`);
    items.push(...body.items);
    page = body.next?.page;
  } while (page);
  return items;
}

let operatorStore: Promise<Store> | undefined;

/** The documents of the shared server, as the operator's commands open them. */
export const openSharedStore = (): Promise<Store> =>
  openStore(readConfig(JSON.parse(String(process.env.BINDERY_TEST_STORE))), createLog('silent'));

async function openedStore(): Promise<Store> {
  const store = await openSharedStore();
  await store.prepare(issuingCollections);
  return store;
}

afterAll(async () => {
  await (await operatorStore)?.close();
  operatorStore = undefined;
});

/** The same user with the token that the single sign-on of one organization gives. */
export async function signedInTo(organization: string, user: NewUser): Promise<NewUser> {
  operatorStore ??= openedStore();
  const token = await issueApiToken(await operatorStore, { email: user.email, label: 'Okta', scope: organization });
  return { ...user, token, client: new Client(user.client.url, token) };
}

export interface NewUser {
  id: string;
  email: string;
  token: string;
  client: Client;
}

/** People with tokens of their own, members of `organization` in `role`; without one, of one of which they are guests. */
export async function newUsers(
  client: Client,
  count: number,
  { organization, role = 'read' }: { organization?: string; role?: string | null } = {},
): Promise<NewUser[]> {
  const emails = Array.from({ length: count }, () => `${unique('user').replace(/ /g, '-')}@${peopleDomain}`);
  const home = organization ?? (await newOrganization(client));
  const { status, body } = await client.post(`/v1/orgs/${home}/invites`, {
    emails,
    role: organization === undefined ? null : role,
  });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  operatorStore ??= openedStore();
  const store = await operatorStore;
  return Promise.all(
    emails.map(async (email, at) => {
      const token = await issueApiToken(store, { email, label: 'test' });
      return { id: body.users[at] as string, email, token, client: new Client(client.url, token) };
    }),
  );
}

/** Makes somebody with an account a member: an admin invites, the user accepts. */
export async function joined(
  admin: Client,
  { email, client }: NewUser,
  { organization, role = 'read' }: { organization: string; role?: string | null },
): Promise<void> {
  for (const answer of [
    await admin.post(`/v1/orgs/${organization}/invites`, { emails: [{ email, role }] }),
    await client.post(`/v1/user/invites/${organization}`),
  ])
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

export async function newUser(
  client: Client,
  options: { organization?: string; role?: string | null } = {},
): Promise<NewUser> {
  const [user] = await newUsers(client, 1, options);
  return user as NewUser;
}
