import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call, Context } from '../../../shared/contract/service.js';
import { type Store, write } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { IdentityDependencies } from '../dependencies.js';
import { domainHandlers } from '../domains/domain-handlers.js';
import { domainCollections, domainId, domains } from '../domains/model.js';
import { inviteHandlers } from '../joining/invite-handlers.js';
import { invites, joiningCollections } from '../joining/model.js';
import { samlProviderHandlers } from '../saml/saml-provider-handlers.js';
import { teamHandlers } from '../teams/team-handlers.js';
import { teamMemberHandlers } from '../teams/team-member-handlers.js';
import { userCollections, users } from '../users/model.js';
import { newUser } from '../users/users.js';
import { memberHandlers } from './member-handlers.js';
import { stillAdminChecks, zeroRoleCounts } from './memberships.js';
import {
  type MemberDocument,
  memberId,
  members,
  organizationCollections,
  organizations,
  samlProviders,
  teams,
} from './model.js';
import { organizationHandlers } from './organization-handlers.js';

const organization = 'org';
const everything = [organizations, members, teams, samlProviders, invites, domains];

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-lost-roles-'));
  store = await openSqliteStore({ path: join(folder, 'identity.sqlite') });
  await store.prepare([...userCollections, ...organizationCollections, ...joiningCollections, ...domainCollections]);
  const of = { organization, createdAt: timestamp() };
  const title = 'Acme';
  await store.batch([
    write.insert(organizations, {
      _id: organization,
      title,
      emailDomains: [],
      members: { ...zeroRoleCounts(), read: 2 },
      admins: 2,
      teams: 1,
      providers: 1,
    } as never),
    write.insert(teams, { _id: 'team', title: 'Writers', members: 1, ...of }),
    write.insert(samlProviders, { _id: 'saml', label: 'Okta', defaultRole: null, ...of }),
    write.insert(invites, {
      _id: 'invite',
      by: 'another',
      to: 'organization',
      target: organization,
      role: 'read',
      ...of,
    }),
    write.insert(domains, {
      _id: domainId(organization, 'acme.example'),
      organization,
      domain: 'acme.example',
    } as never),
  ]);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function newMember(fields: Partial<MemberDocument>): Promise<string> {
  const user = newUser(`${fields._id ?? Math.random()}@example.com`);
  const base = { organization, user: user._id, disabled: false, sso: false, teams: [], owned: [], version: 0 };
  const member = { ...base, ...fields, _id: memberId(organization, user._id) };
  await store.batch([write.insert(users, user), write.insert(members, member as MemberDocument)]);
  return user._id;
}

/** Dependencies on a store before whose first batch `taken` happens: a role is lost between the reading and the writing of a change. */
function depsAfter(taken: () => Promise<unknown>): IdentityDependencies {
  let isTaken = false;
  const racing = new Proxy(store, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name).bind(target);
      return async (writes: never) => {
        if (!isTaken) await taken();
        isTaken = true;
        return target.batch(writes);
      };
    },
  });
  const nothing = () => write.check(members, { _id: 'nowhere' }, 0);
  return {
    store: racing,
    baseUrl: '',
    config: { TRUSTED_ORGANIZATIONS: [] },
    operator: async () => null,
    outbox: { add: nothing },
    callersChanged: nothing,
  } as unknown as IdentityDependencies;
}

const call = (async (_: unknown, { members: of = [], teams: ids = [] }: { members?: []; teams?: [] }) => ({
  members: of.map(() => 0),
  teams: ids.map(() => 0),
})) as unknown as Call;

/** What somebody asks for who was authorized with this role. */
const contextOf = (user: string, role: string, owned: string[] = []) =>
  ({
    caller: { kind: 'user', user, token: 't', memberships: { [organization]: { role, teams: owned, owned } } },
    call,
    audit: () => write.check(members, { _id: 'nowhere' }, 0),
  }) as unknown as Context;

const request = <P extends object, B>(path: P, body: B) => ({
  path: { organizationId: organization, ...path },
  query: {},
  body,
});

type Change = (deps: IdentityDependencies, context: Context, member: string) => Promise<unknown>;

/** What the owner of a team may change, too. */
const changesOfTeams: [string, Change][] = [
  [
    'renames a team',
    (deps, context) =>
      teamHandlers(deps).updateTeamInOrganizationById(request({ teamId: 'team' }, { title: 'X' }), context),
  ],
  [
    'adds to a team',
    (deps, context, userId) =>
      teamMemberHandlers(deps).addMemberToOrganizationTeamById(
        request({ teamId: 'team', userId }, { role: 'member' as const }),
        context,
      ),
  ],
  [
    'adds several to a team',
    (deps, context, member) =>
      teamMemberHandlers(deps).updateMembersInOrganizationTeam(
        request({ teamId: 'team' }, { add: [member], remove: [], memberships: {} }),
        context,
      ),
  ],
];

const changes: [string, Change][] = [
  ...changesOfTeams,
  [
    'makes a team',
    (deps, context) => teamHandlers(deps).createOrganizationTeam(request({}, { title: 'Mine', members: [] }), context),
  ],
  [
    'removes a team',
    (deps, context) =>
      teamHandlers(deps).removeTeamFromOrganizationById(request({ teamId: 'team' }, undefined), context),
  ],
  [
    'sets up single sign-on',
    (deps, context) =>
      samlProviderHandlers(deps).createOrganizationSAMLProvider(request({}, { label: 'Mine' }), context),
  ],
  [
    'changes single sign-on',
    (deps, context) =>
      samlProviderHandlers(deps).updateOrganizationSAMLProvider(
        request({ samlProviderId: 'saml' }, { defaultRole: 'admin' as const }),
        context,
      ),
  ],
  [
    'removes single sign-on',
    (deps, context) =>
      samlProviderHandlers(deps).deleteOrganizationSAMLProvider(
        request({ samlProviderId: 'saml' }, undefined),
        context,
      ),
  ],
  [
    'has a member sign in by single sign-on',
    (deps, context, userId) =>
      memberHandlers(deps).setUserAsSSOMemberForOrganization(request({ userId }, undefined), context),
  ],
  [
    'changes the organization',
    (deps, context) =>
      organizationHandlers(deps).updateOrganizationById(request({}, { defaultRole: 'admin' as const }), context),
  ],
  [
    'makes an invite',
    (deps, context) => inviteHandlers(deps).createOrganizationInvite(request({}, { role: 'admin' as const }), context),
  ],
  [
    'changes an invite',
    (deps, context) =>
      inviteHandlers(deps).updateOrganizationInviteById(
        request({ inviteId: 'invite' }, { role: 'admin' as const }),
        context,
      ),
  ],
  [
    'removes an invite',
    (deps, context) =>
      inviteHandlers(deps).deleteOrganizationInviteById(request({ inviteId: 'invite' }, undefined), context),
  ],
  [
    'removes a domain',
    (deps, context) =>
      domainHandlers({
        ...deps,
        stillAdmin: (of, caller) => stillAdminChecks(deps.store, of, caller),
      }).deleteDomainInOrganization(request({ domain: 'acme.example' }, undefined), context),
  ],
];

const stored = async () =>
  Promise.all(
    everything.map(async (each) => (await store.page(each as never, { filter: {}, sort: {}, limit: 100 })).items),
  );

/** Runs a change whose caller loses what it is by just before it is written. */
async function late(change: Change, fields: Partial<MemberDocument>, lost: Partial<MemberDocument>) {
  const user = await newMember(fields);
  const member = await newMember({ role: 'read' });
  let after: unknown;
  const deps = depsAfter(async () => {
    await store.update(members, { _id: memberId(organization, user) }, { $set: lost });
    after = await stored();
  });
  const context = contextOf(user, String(fields.role), fields.owned);
  const [answer] = await Promise.allSettled([change(deps, context, member)]);
  return { answer, after, now: await stored() };
}

describe('who was an admin until just now', () => {
  it.each(changes)('%s no more', async (_, change) => {
    const { answer, after, now } = await late(change, { role: 'admin' }, { role: 'read' });
    expect(answer).toMatchObject({ status: 'rejected', reason: { type: 'FORBIDDEN' } });
    expect(now).toEqual(after);
  });

  it.each(changes)('%s where the role stays', async (_, change) => {
    const { answer } = await late(change, { role: 'admin' }, { role: 'admin' });
    expect(answer).toMatchObject({ status: 'fulfilled' });
  });
});

describe('who owned a team until just now', () => {
  const owner = { role: 'read' as const, teams: ['team'], owned: ['team'] };

  it.each(changesOfTeams)('%s no more', async (_, change) => {
    const { answer, after, now } = await late(change, owner, { owned: [] });
    expect(answer).toMatchObject({ status: 'rejected', reason: { type: 'FORBIDDEN' } });
    expect(now).toEqual(after);
  });

  it.each(changesOfTeams)('%s as its owner', async (_, change) => {
    const { answer } = await late(change, owner, owner);
    expect(answer).toMatchObject({ status: 'fulfilled' });
  });

  it('may still leave it', async () => {
    const leaves: Change = (deps, context) => {
      const { user } = context.caller as { user: string };
      const leaving = request({ teamId: 'team', userId: user }, undefined);
      return teamMemberHandlers(deps).deleteMemberFromOrganizationTeamById(leaving, context);
    };
    const { answer } = await late(leaves, owner, { owned: [] });
    expect(answer).toMatchObject({ status: 'fulfilled' });
  });
});
