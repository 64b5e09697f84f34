import { operations } from '../../services/gateway/contracts.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { filledOrganization } from '../support/filled.js';
import { type NewUser, newSpace, newUser, shared } from '../support/fixtures.js';
import { pathOf, type Sample, sampleOf } from '../support/requests/sample.js';
import { changesNothing, inside, newTenants, stateOf, type Tenant, type Tenants, traces } from '../support/tenants.js';

const root = shared();

let tenants: Tenants;
let [a, b] = [{} as Tenant, {} as Tenant];
let both: NewUser;
beforeAll(async () => {
  tenants = await newTenants(root);
  ({ a, b, both } = tenants);
});

/** Parameters that name something which is of one organization. */
const owned = [
  'teamId',
  'userId',
  'inviteId',
  'samlProviderId',
  'oidcProviderId',
  'translationSettingsId',
  'spaceId',
  'collectionId',
  'pageId',
  'fileId',
  'changeRequestId',
  'importId',
  'exportId',
  'commentId',
  'commentReplyId',
  'siteId',
  'versionId',
];
const parents = ['organizationId', 'spaceId', 'collectionId'];

interface Mix {
  name: string;
  operation: AnyOperation;
  /** Parameters that are of the other organization. */
  foreign: string[];
}

/** Each parameter below the first alone, and all of them, of another organization. */
const mixes = operations.flatMap((operation): Mix[] => {
  const [parent = '', ...below] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const kinds = below.filter((name) => owned.includes(name));
  if (!parents.includes(parent) || kinds.length === 0) return [];
  const choices = kinds.length > 1 ? [...kinds.map((name) => [name]), kinds] : [kinds];
  return choices.map((foreign) => ({
    name: `${operation.id} with a foreign ${foreign.join(' and ')}`,
    operation,
    foreign,
  }));
});

describe('an id of another organization in a path', () => {
  const samples = new Map<string, { ours: Sample; theirs: Sample }>();
  changesNothing(
    () => tenants,
    async () => {
      for (const operation of new Set(mixes.map(({ operation }) => operation)))
        samples.set(operation.id, {
          ours: await sampleOf(operation, b, both),
          theirs: await sampleOf(operation, a, both),
        });
    },
  );

  it.each(mixes.map((mix) => [mix.name, mix] as const))('%s is 404', async (_, { operation, foreign }) => {
    const { ours, theirs } = samples.get(operation.id) as { ours: Sample; theirs: Sample };
    const others = Object.fromEntries(foreign.map((each) => [each, theirs.parameters[each] ?? '']));
    const path = pathOf(operation, { ...ours, parameters: { ...ours.parameters, ...others } });
    for (const { client } of [b.owner, both]) {
      const answer = await client.request(operation.method, `/v1${path}`, ours.body);
      expect([answer.status, answer.body.error?.code]).toEqual([404, 404]);
      for (const each of foreign) expect(answer.body.error.message).not.toContain(others[each]);
    }
  });
});

/** What names something of an organization, and as if it were of one but of none. */
interface Ids {
  user: string;
  email: string;
  team: string;
  space: string;
  collection: string;
}
const foreign = ({ member, team, space, collection }: Tenant): Ids => ({
  user: member.id,
  email: member.email,
  team,
  space,
  collection,
});
const unknown: Ids = {
  user: '01HZZZZZZZZZZZZZZZZZZZZZZZ',
  email: 'nobody-at-all@people.example',
  team: '01HZZZZZZZZZZZZZZZZZZZZZZY',
  space: '01HZZZZZZZZZZZZZZZZZZZZZZX',
  collection: '01HZZZZZZZZZZZZZZZZZZZZZZW',
};

type Position = [field: string, method: string, path: (tenant: Tenant) => string, body: (ids: Ids) => unknown];
const onOrganization = (rest: string) => (tenant: Tenant) => `/orgs/${tenant.organization}${rest}`;
const ofTeam = (tenant: Tenant) => `/orgs/${tenant.organization}/teams/${tenant.team}/members`;
const onSpace = ({ space }: Tenant) => `/spaces/${space}/permissions`;
const onCollection = ({ collection }: Tenant) => `/collections/${collection}/permissions`;
const ofProvider = (tenant: Tenant) => `/orgs/${tenant.organization}/saml/${tenant.provider}`;
const ofOidcProvider = (tenant: Tenant) => `/orgs/${tenant.organization}/oidc/${tenant.oidcProvider}`;

const openId = { label: 'Sneaky', issuer: 'https://op.example', clientId: 'bindery' };
const positions: Position[] = [
  ['members.0', 'PUT', onOrganization('/teams'), ({ user }) => ({ title: 'Sneaky', members: [user] })],
  ['add.0', 'PUT', ofTeam, ({ user }) => ({ add: [user] })],
  ['add.0', 'PUT', ofTeam, ({ email }) => ({ add: [email] })],
  ['remove.0', 'PUT', ofTeam, ({ user }) => ({ remove: [user] })],
  ['remove.0', 'PUT', ofTeam, ({ email }) => ({ remove: [email] })],
  ['memberships', 'PUT', ofTeam, ({ user }) => ({ memberships: { [user]: { role: 'owner' } } })],
  ['memberships', 'PUT', ofTeam, ({ email }) => ({ memberships: { [email]: { role: 'owner' } } })],
  ['space', 'POST', onOrganization('/link-invites'), ({ space }) => ({ level: 'read', space })],
  ['collection', 'POST', onOrganization('/link-invites'), ({ collection }) => ({ level: 'read', collection })],
  ['users', 'POST', onSpace, ({ user }) => ({ role: 'read', users: [user] })],
  ['teams', 'POST', onSpace, ({ team }) => ({ role: 'read', teams: [team] })],
  ['users', 'POST', onCollection, ({ user }) => ({ role: 'read', users: [user] })],
  ['teams', 'POST', onCollection, ({ team }) => ({ role: 'read', teams: [team] })],
  ['defaultTeam', 'POST', onOrganization('/saml'), ({ team }) => ({ label: 'Sneaky', defaultTeam: team })],
  ['defaultTeam', 'PATCH', ofProvider, ({ team }) => ({ defaultTeam: team })],
  ['defaultTeam', 'POST', onOrganization('/oidc'), ({ team }) => ({ ...openId, defaultTeam: team })],
  ['groups.0.team', 'POST', onOrganization('/oidc'), ({ team }) => ({ ...openId, groups: [{ group: 'a', team }] })],
  ['groups.0.team', 'PATCH', ofOidcProvider, ({ team }) => ({ groups: [{ group: 'a', team }] })],
  ['parent', 'POST', onOrganization('/spaces'), ({ collection }) => ({ title: 'Sneaky', parent: collection })],
  ['parent', 'POST', onOrganization('/collections'), ({ collection }) => ({ title: 'Sneaky', parent: collection })],
  ['defaultContent', 'PATCH', onOrganization(''), ({ space }) => ({ defaultContent: { type: 'site', site: space } })],
];
const positionName = ([field, method, path, body]: Position) => {
  const named = {
    user: 'a user',
    email: 'an e-mail address',
    team: 'a team',
    space: 'a space',
    collection: 'a collection',
  };
  const at = {
    organization: '{}',
    space: '{}',
    collection: '{}',
    team: '{}',
    provider: '{}',
    oidcProvider: '{}',
  } as unknown as Tenant;
  return `${method} ${path(at)}, ${field}: ${JSON.stringify(body(named))}`;
};

/** An answer without what it was asked about, so that two can be compared. */
const without = (body: unknown, ids: Ids) =>
  Object.values(ids)
    .reduce((text, id) => text.replaceAll(id, '…'), JSON.stringify(body))
    .replace(/"requestId":"[^"]*"/, '');

describe('an id of another organization in a body', () => {
  changesNothing(() => tenants);

  it.each(positions.map((position) => [positionName(position), position] as const))(
    'is refused as one that nobody has: %s',
    async (_, [field, method, path, body]) => {
      for (const { client } of [b.owner, both]) {
        const send = (ids: Ids) => client.request(method, `/v1${path(b)}`, body(ids));
        const [refused, made] = [await send(foreign(a)), await send(unknown)];
        expect([400, 404]).toContain(refused.status);
        expect([refused.status, without(refused.body, foreign(a))]).toEqual([made.status, without(made.body, unknown)]);
        expect(refused.body.error.message).toContain(field);
        expect(JSON.stringify(refused.body)).not.toContain(a.word);
      }
    },
  );

  it('adds nobody where one of many is foreign', async () => {
    const at = `/v1/orgs/${b.organization}/teams/${b.team}/members`;
    expect((await b.admin.put(at, { add: [b.owner.id, a.member.id] })).status).toBe(400);
    expect((await b.admin.put(at, { add: [b.owner.id], remove: [a.member.email] })).status).toBe(400);
    const grant = { role: 'read', users: [b.owner.id, a.member.id] };
    expect((await b.admin.post(`/v1/spaces/${b.space}/permissions`, grant)).status).toBe(404);
  });
});

describe('an invite by e-mail', () => {
  it('brings a person and nothing of where else it belongs', async () => {
    const person = await newUser(a.admin, { organization: a.organization, role: 'create' });
    await a.admin.put(`/v1/orgs/${a.organization}/teams/${a.team}/members/${person.id}`, {});
    const before = await stateOf(a);
    const invite = { emails: [person.email], role: null };
    expect((await b.admin.post(`/v1/orgs/${b.organization}/invites`, invite)).body.users).toEqual([person.id]);
    const member = (await b.admin.get(`/v1/orgs/${b.organization}/members/${person.id}`)).body;
    expect(member).toMatchObject({ role: null, teams: 0, spaces: 0, sso: false });
    expect(member.lastSeenAt).toBeUndefined();
    expect(await stateOf(a)).toEqual(before);
    await b.admin.delete(`/v1/orgs/${b.organization}/members/${person.id}`);
    expect(await stateOf(a)).toEqual(before);
  });
});

describe('a filter', () => {
  it.each<[string, (tenant: Tenant) => string]>([
    ['teams by owner', ({ member }) => `/teams?owner=${member.id}`],
    ['teams by title', ({ word }) => `/teams?title=${word}`],
    ['members by name', ({ word }) => `/members?search=${word}`],
    ['members by e-mail address', ({ member }) => `/members?search=${encodeURIComponent(member.email)}`],
    ['audit events by actor', ({ owner }) => `/audit-events?actor=${owner.id}`],
    ['audit events by resource', ({ space }) => `/audit-events?resource=${space}`],
  ])('finds nothing of another organization: %s', async (_, query) => {
    for (const { client } of [b.owner, both]) {
      const { status, body } = await client.get(`/v1/orgs/${b.organization}${query(a)}`);
      expect([status, body]).toEqual([200, { count: 0, items: [] }]);
    }
  });

  it('finds no comment by its author of another organization', async () => {
    for (const at of [`/v1/spaces/${b.space}`, `/v1/spaces/${b.space}/change-requests/1`]) {
      const { status, body } = await b.admin.get(`${at}/comments?authors=${a.member.id}`);
      expect([status, body]).toEqual([200, { count: 0, items: [] }]);
    }
  });

  it('of events finds nothing of another organization', async () => {
    const { site, organization } = b;
    const aggregate = `/v1/orgs/${organization}/sites/${site}/insights/events/aggregate`;
    for (const where of [
      { column: 'page', values: [{ page: a.word, space: a.space }] },
      { column: 'visitorClaim', claim: 'company', values: [a.word] },
      { column: 'siteSpace', values: [a.site, a.organization] },
    ]) {
      const { status, body } = await b.admin.post(aggregate, { range: 'last24Hours', where: [where] });
      expect([status, body]).toEqual([200, { columns: [{ column: 'eventsCount', values: [0] }] }]);
    }
  });

  it('takes a page of another organization for no more than a place in its own list', async () => {
    for (const list of ['members', 'spaces', 'teams', 'audit-events', 'collections']) {
      const { body: first } = await a.admin.get(`/v1/orgs/${a.organization}/${list}?limit=1`);
      if (!first.next) continue;
      const page = encodeURIComponent(first.next.page);
      const { body } = await b.admin.get(`/v1/orgs/${b.organization}/${list}?page=${page}`);
      expect(JSON.stringify(body)).not.toContain(a.word);
    }
  });
});

describe('nothing of another organization shows', () => {
  it('to either side in whatever it lists', async () => {
    for (const [mine, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const paths = [
        ...inside(mine),
        `/v1/orgs/${mine.organization}/audit-events?limit=1000`,
        `/v1/orgs/${mine.organization}/members/${both.id}/spaces`,
        `/v1/orgs/${mine.organization}/members/${both.id}/teams`,
        `/v1/spaces/${mine.space}/search?query=${other.word}`,
        `/v1/orgs/${mine.organization}/search?query=${other.word}`,
        `/v1/email-domains/${mine.word.toLowerCase()}.example/orgs`,
      ];
      for (const { client } of [mine.owner, both])
        for (const path of paths) {
          const { status, body } = await client.get(path);
          expect([path, status]).toEqual([path, 200]);
          const text = JSON.stringify(body).replaceAll(`query=${other.word}`, '');
          expect([path, traces(other).filter((trace) => text.includes(trace))]).toEqual([path, []]);
        }
      const { body } = await mine.owner.client.get('/v1/orgs');
      const ids = body.items.map(({ id }: { id: string }) => id);
      expect([ids.includes(mine.organization), ids.includes(other.organization)]).toEqual([true, false]);
    }
  });

  it('by counts: what is made in one changes no count of another', async () => {
    const before = await stateOf(b);
    await newUser(a.admin, { organization: a.organization });
    await newSpace(a.admin, a.organization);
    await a.admin.put(`/v1/orgs/${a.organization}/teams`, { title: `${a.word} more`, members: [both.id] });
    for (const at of [`/v1/spaces/${a.space}`, `/v1/spaces/${a.space}/change-requests/1`])
      await both.client.post(`${at}/comments`, { body: { markdown: a.word } });
    expect(await stateOf(b)).toEqual(before);
  });

  it('by a mention: somebody of another organization is mentioned no more than nobody', async () => {
    const at = `/v1/spaces/${b.space}/comments`;
    for (const id of [a.member.id, unknown.user]) {
      const { status, body } = await b.admin.post(at, { body: { markdown: `[you](/users/${id})` } });
      expect([status, body.mentions, body.body]).toEqual([200, [], { markdown: `[you](/users/${id})` }]);
      expect((await b.admin.delete(`${at}/${body.id}`)).status).toBe(205);
    }
  });

  it('by an e-mail domain, to those whose own address is not of it', async () => {
    const { status, body } = await b.admin.get(`/v1/email-domains/${a.word.toLowerCase()}.example/orgs`);
    expect([status, body]).toEqual([200, { organizations: [] }]);
  });

  it('by the profile of a user: an address is shown to fellow members alone', async () => {
    expect((await b.admin.get(`/v1/users/${a.member.id}`)).body.email).toBeUndefined();
    expect((await both.client.get(`/v1/users/${a.member.id}`)).body.email).toBe(a.member.email);
  });

  it('in the audit trail of an organization that an actor shares', async () => {
    const renamed = `${a.word} renamed`;
    await both.client.patch(`/v1/spaces/${a.space}`, { title: renamed });
    await both.client.patch(`/v1/orgs/${a.organization}`, { title: renamed });
    const { body } = await b.admin.get(`/v1/orgs/${b.organization}/audit-events?actor=${both.id}&limit=1000`);
    expect(JSON.stringify(body)).not.toContain(a.word);
  });
});

describe('a member that has yet to come by the single sign-on of its organization', () => {
  it('learns of it no more than its sign-in', async () => {
    const filled = await filledOrganization(root);
    const late = await newUser(root);
    await root.post(`/v1/orgs/${filled.organization}/invites`, { emails: [late.email], role: 'create', sso: true });
    expect((await late.client.post(`/v1/user/invites/${filled.organization}`)).status).toBe(204);
    const at = `/v1/orgs/${filled.organization}`;
    for (const path of [at, `${at}/members`, `${at}/spaces`, `/v1/spaces/${filled.space}`])
      expect([path, (await late.client.get(path)).status]).toEqual([path, 403]);
    expect((await late.client.get(`/v1/users/${filled.member.id}`)).body.email).toBeUndefined();
    const { body } = await late.client.get(`/v1/email-domains/${filled.emailDomain}/orgs`);
    expect(body).toEqual({ organizations: [] });
  });
});
