import { joined, type NewUser, newSpace, newUser, unique } from './fixtures.js';
import { TrackedSite } from './insights/tracked-site.js';
import { importInto, openRepositories } from './repository.js';
import type { Setting } from './requests/setting.js';
import type { Client } from './server.js';

/** One of two organizations that are to know nothing of each other. */
export interface Tenant extends Setting {
  /** Its only admin besides the one of both. */
  owner: NewUser;
  team: string;
  collection: string;
  space: string;
  /** Published, with an event of a visitor. */
  site: string;
  provider: string;
  /** Not with a release of the past that has none. */
  oidcProvider?: string;
  invite: string;
  changeRequest: string;
  /** Each with a reply: one in the space, one in the change request. */
  comments: string[];
  /** Stands in titles, names and texts of this one alone. */
  word: string;
}

interface Known {
  both: NewUser;
  hasOidc: boolean;
}

async function newTenant(root: Client, word: string, { both, hasOidc }: Known): Promise<Tenant> {
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
  await joined(admin, both, { organization, role: 'admin' });
  const member = await newUser(admin, { organization, role: 'edit' });
  await member.client.patch(`/v1/users/${member.id}`, { displayName: `${word} Person` });
  const team = await id(admin.put(`${at}/teams`, { title: `${word} team`, members: [member.id] }));
  const collection = await id(admin.post(`${at}/collections`, { title: `${word} docs` }));
  const space = await newSpace(admin, organization, { title: `${word} space`, parent: collection });
  const site = await id(admin.post(`${at}/sites`, { title: `${word} site`, spaces: [space] }));
  await admin.post(`${at}/sites/${site}/publish`);
  const visit = { visitorId: word, visitorAuthClaims: { company: word } };
  await new TrackedSite(admin, organization, site).tracked([{ session: visit, location: { page: word } }]);
  const provider = await id(admin.post(`${at}/saml`, { label: `${word} IdP`, defaultTeam: team }));
  const openId = { label: `${word} OP`, issuer: `https://${word}.example`, clientId: word, defaultTeam: team };
  const oidcProvider = hasOidc ? await id(admin.post(`${at}/oidc`, openId)) : undefined;
  const invite = await id(admin.post(`${at}/link-invites`, { role: 'read' }));
  for (const place of [`spaces/${space}`, `collections/${collection}`])
    await admin.post(`/v1/${place}/permissions`, { role: 'comment', users: [member.id], teams: [team] });
  return {
    admin,
    owner,
    organization,
    member,
    team,
    collection,
    space,
    site,
    provider,
    oidcProvider,
    invite,
    word,
    changeRequest: '',
    comments: [],
  };
}

/** A comment with a reply by its member, and a reaction of its owner. */
async function newThread({ owner, member, word }: Tenant, place: string): Promise<string> {
  const body = { markdown: `${word} is [mine](/users/${member.id})` };
  const path = `${place}/comments`;
  const { id } = (await member.client.post(path, { body })).body;
  await member.client.post(`${path}/${id}/replies`, { body });
  await owner.client.put(`${path}/${id}`, { addedReactions: ['👍'] });
  return id;
}

export interface Tenants {
  a: Tenant;
  b: Tenant;
  /** An admin of both. */
  both: NewUser;
}

/** Two organizations, each with an imported space that holds its word; without OpenID providers for a release that has none. */
export async function newTenants(root: Client, { hasOidc = true } = {}): Promise<Tenants> {
  const both = await newUser(root);
  const known = { both, hasOidc };
  const tag = unique('').replace(/\D/g, '').slice(-12);
  const [a, b] = await Promise.all([newTenant(root, `Quokka${tag}`, known), newTenant(root, `Wombat${tag}`, known)]);
  const repositories = await openRepositories();
  await Promise.all(
    [a, b].map(async (tenant) => {
      const { admin, space, word } = tenant;
      await repositories.commit(word, { 'README.md': `# ${word}\n\nAbout ${word}.\n`, 'file.txt': word });
      await importInto(admin, space, { url: `${repositories.url}/${word}.git` });
      const at = `/v1/spaces/${space}`;
      tenant.changeRequest = (await admin.post(`${at}/change-requests`, { subject: `More about ${word}` })).body.id;
      for (const place of [at, `${at}/change-requests/${tenant.changeRequest}`])
        tenant.comments.push(await newThread(tenant, place));
    }),
  );
  await repositories.close();
  return { a, b, both };
}

const lists = (organization: string) =>
  ['', '/members', '/teams', '/link-invites', '/saml', '/sso', '/spaces', '/collections'].map(
    (list) => `/v1/orgs/${organization}${list}`,
  );

/** Paths that show what is in it, all of which its admin may read. */
export const inside = ({ organization, member, team, space, collection, site, comments, ...tenant }: Tenant) => [
  ...lists(organization),
  ...['', `/${site}`, `/${site}/structure`, `/${site}/insights/visitor-segments`, `/${site}/insights/events`].map(
    (path) => `/v1/orgs/${organization}/sites${path}`,
  ),
  `/v1/orgs/${organization}/teams/${team}/members`,
  `/v1/orgs/${organization}/members/${member.id}/spaces`,
  `/v1/orgs/${organization}/members/${member.id}/teams`,
  `/v1/orgs/${organization}/saml/${tenant.provider}`,
  ...(tenant.oidcProvider ? ['', `/${tenant.oidcProvider}`].map((path) => `/v1/orgs/${organization}/oidc${path}`) : []),
  `/v1/orgs/${organization}/link-invites/${tenant.invite}`,
  ...[`/v1/spaces/${space}`, `/v1/collections/${collection}`].flatMap((place) => [
    place,
    ...['teams', 'users', 'aggregate'].map((list) => `${place}/permissions/${list}`),
  ]),
  `/v1/collections/${collection}/spaces`,
  `/v1/spaces/${space}/content/pages`,
  `/v1/spaces/${space}/links`,
  `/v1/spaces/${space}/git/info`,
  `/v1/spaces/${space}/revisions`,
  ...[
    '',
    '?status=draft',
    '/1',
    '/1/content/pages',
    '/1/changes',
    '/1/links',
    '/1/reviews',
    '/1/contributors',
    '/1/requested-reviewers',
  ].map((path) => `/v1/spaces/${space}/change-requests${path}`),
  ...[`/v1/spaces/${space}`, `/v1/spaces/${space}/change-requests/1`].flatMap((place, at) => [
    `${place}/comments`,
    `${place}/comments?status=resolved`,
    `${place}/comments/${comments[at]}`,
    `${place}/comments/${comments[at]}/replies`,
    `${place}/commenters`,
  ]),
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

/** Begins and ends a block of tests that must change neither of the two. */
export function changesNothing(tenants: () => Tenants, prepare: () => Promise<void> = async () => {}): void {
  const states = () => Promise.all([stateOf(tenants().a), stateOf(tenants().b)]);
  let before: unknown;
  beforeAll(async () => {
    await prepare();
    before = await states();
  });
  afterAll(async () => {
    expect(await states()).toEqual(before);
  });
}

/** What would tell of a tenant. */
export const traces = (tenant: Tenant) => {
  const { organization, owner, member, team, space, collection, site, provider, invite, word } = tenant;
  return [
    organization,
    ...[owner, member].flatMap(({ id, email }) => [id, email]),
    tenant.changeRequest,
    ...tenant.comments,
    team,
    space,
    collection,
    site,
    provider,
    ...(tenant.oidcProvider ? [tenant.oidcProvider] : []),
    invite,
    word,
  ];
};
