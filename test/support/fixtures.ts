import type { Collection, Store } from '../../shared/store/port.js';
import { askOperator, sharedSettings } from './operator.js';
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

/** The documents of the shared server by default, as the operator's commands open them. Only what opens them loads what they need. */
export async function openSharedStore(settings = sharedSettings()): Promise<Store> {
  const [{ openStore }, { readConfig }, { createLog }] = await Promise.all([
    import('../../shared/process/platform.js'),
    import('../../shared/settings/config.js'),
    import('../../shared/monitoring/log.js'),
  ]);
  return openStore(readConfig(settings), createLog('silent'));
}

/** Reads or changes collections of the shared server, as time or an operator would. */
export async function withStore<T>(collections: unknown[], use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSharedStore();
  try {
    await store.prepare(collections as Collection<never>[]);
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The same user with the token that the single sign-on of one organization gives. */
export async function signedInTo(organization: string, user: NewUser): Promise<NewUser> {
  const token = await askOperator({ issue: { email: user.email, label: 'Okta', scope: organization } });
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
  return Promise.all(
    emails.map(async (email, at) => {
      const token = await askOperator({ issue: { email, label: 'test' } });
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
