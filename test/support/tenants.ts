import { type NewUser, newSpace, newUser } from './fixtures.js';
import type { Setting } from './samples.js';
import type { Client } from './server.js';

/** One of two organizations that are to know nothing of each other. */
export interface Tenant extends Setting {
  /** Its only admin besides the one of both. */
  owner: NewUser;
  team: string;
  collection: string;
  space: string;
  provider: string;
  invite: string;
  /** Stands in titles, names and texts of this one alone. */
  word: string;
}

export async function newTenant(root: Client, both: NewUser, word: string): Promise<Tenant> {
  const owner = await newUser(root);
  const { client: admin } = owner;
  const id = async (answer: Promise<{ status: number; body: any }>): Promise<string> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const organization = await id(
    admin.post('/v1/orgs', { title: `${word} Inc`, emailDomains: [`${word.toLowerCase()}.example`] }),
  );
  const at = `/v1/orgs/${organization}`;
  await admin.post(`${at}/invites`, { emails: [{ email: both.email, role: 'admin' }] });
  const member = await newUser(admin, { organization, role: 'edit' });
  await member.client.patch(`/v1/users/${member.id}`, { displayName: `${word} Person` });
  const team = await id(admin.put(`${at}/teams`, { title: `${word} team`, members: [member.id] }));
  const collection = await id(admin.post(`${at}/collections`, { title: `${word} docs` }));
  const space = await newSpace(admin, organization, { title: `${word} space`, parent: collection });
  const provider = await id(admin.post(`${at}/saml`, { label: `${word} IdP`, defaultTeam: team }));
  const invite = await id(admin.post(`${at}/link-invites`, { role: 'read' }));
  for (const place of [`spaces/${space}`, `collections/${collection}`])
    await admin.post(`/v1/${place}/permissions`, { role: 'comment', users: [member.id], teams: [team] });
  return { admin, owner, organization, member, team, collection, space, provider, invite, word };
}

const lists = (organization: string) =>
  ['', '/members', '/teams', '/link-invites', '/saml', '/sso', '/spaces', '/collections'].map(
    (list) => `/v1/orgs/${organization}${list}`,
  );

/** Paths that show what is in it, all of which its admin may read. */
export const inside = ({ organization, member, team, space, collection, provider, invite }: Tenant) => [
  ...lists(organization),
  `/v1/orgs/${organization}/teams/${team}/members`,
  `/v1/orgs/${organization}/members/${member.id}/spaces`,
  `/v1/orgs/${organization}/members/${member.id}/teams`,
  `/v1/orgs/${organization}/saml/${provider}`,
  `/v1/orgs/${organization}/link-invites/${invite}`,
  ...[`/v1/spaces/${space}`, `/v1/collections/${collection}`].flatMap((place) => [
    place,
    ...['teams', 'users', 'aggregate'].map((list) => `${place}/permissions/${list}`),
  ]),
  `/v1/collections/${collection}/spaces`,
  `/v1/spaces/${space}/content/pages`,
  `/v1/spaces/${space}/git/info`,
];

/** All that its admin sees of it. */
export const stateOf = (tenant: Tenant): Promise<unknown[]> =>
  Promise.all(
    inside(tenant).map(async (path) => {
      const { status, body } = await tenant.admin.get(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return { path, body };
    }),
  );

/** What would tell of a tenant. */
export const traces = ({ organization, owner, member, team, space, collection, provider, invite, word }: Tenant) => [
  organization,
  ...[owner, member].flatMap(({ id, email }) => [id, email]),
  team,
  space,
  collection,
  provider,
  invite,
  word,
];
