import { passkeys } from '../../../services/identity/passkeys/model.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { signedIn } from '../app-browser.js';
import { proveDomain } from '../domains.js';
import { newOrganization, newUser, peopleDomain, unique, withStore } from '../fixtures.js';
import { done, idOf, type Make, once, type Resources } from './setting.js';

const organization: Make = async (setting) => setting.organization;
const member: Make = async (setting) => setting.member.id;
const freshMember: Make = async ({ admin, organization }) => (await newUser(admin, { organization })).id;

const freshTeam: Make = ({ admin, organization }) =>
  idOf(admin.put(`/v1/orgs/${organization}/teams`, { title: unique('Team') }));
export const anyTeam = once(freshTeam);
const teamWithMember: Make = async (setting, caller) => {
  const team = await freshTeam(setting, caller);
  await done(setting.admin.put(`/v1/orgs/${setting.organization}/teams/${team}/members/${setting.member.id}`, {}));
  return team;
};

/** A passkey that a browser could have made. */
async function storedPasskey(user: string): Promise<string> {
  const _id = newId();
  const made = { credential: _id, publicKey: '', counter: 0, transports: [], label: 'Sample', createdAt: timestamp() };
  await withStore([passkeys], (store) => store.insert(passkeys, { _id, user, ...made }));
  return _id;
}

const freshInvite: Make = ({ admin, organization }) =>
  idOf(admin.post(`/v1/orgs/${organization}/link-invites`, { role: 'read' }));

/** An organization that invites the caller. */
const invitation: Make = async ({ admin }, { email }) => {
  const inviting = await newOrganization(admin);
  await done(admin.post(`/v1/orgs/${inviting}/invites`, { emails: [email] }));
  return inviting;
};

/** Both kinds of providers share the room of an organization. */
const maxOfKind = 7;
const freshProvider =
  (kind: 'saml' | 'oidc', settings: object): Make =>
  async ({ admin, organization }) => {
    const path = `/v1/orgs/${organization}/${kind}`;
    const { body } = await admin.get(path);
    const earlier = body.items.filter(({ status = 'pending' }: { status?: string }) => status === 'pending');
    if (earlier.length >= maxOfKind) for (const { id } of earlier) await admin.delete(`${path}/${id}`);
    return idOf(admin.post(path, settings));
  };
const freshSamlProvider = freshProvider('saml', { label: 'Sample' });
const freshOidcProvider = freshProvider('oidc', { label: 'Sample', issuer: 'https://op.example', clientId: 'bindery' });

/** The organization, with room for another provider. */
const withRoom =
  (fresh: Make): Make =>
  async (setting, caller) => {
    await fresh(setting, caller);
    return setting.organization;
  };

export const identity: Resources = {
  parameters: {
    organizationId: { any: organization },
    userId: { any: member, fresh: freshMember },
    teamId: { any: anyTeam, fresh: freshTeam },
    inviteId: { any: once(freshInvite), fresh: freshInvite },
    samlProviderId: { fresh: freshSamlProvider },
    oidcProviderId: { fresh: freshOidcProvider },
    tokenId: { fresh: (_, { client }) => idOf(client.post('/v1/user/tokens', { label: 'sample' })) },
    sessionId: {
      async fresh(_, { client }) {
        await signedIn(client, client.token);
        return (await client.get('/v1/user/sessions?limit=1')).body.items[0].id;
      },
    },
    passkeyId: { fresh: (_, { id }) => storedPasskey(id) },
    auditEventId: {
      any: once(async ({ admin, organization }) => {
        await done(admin.patch(`/v1/orgs/${organization}`, { title: unique('Audited') }));
        return (await done(admin.get(`/v1/orgs/${organization}/audit-events?limit=1`))).items[0].id;
      }),
    },
    emailDomain: { any: async () => peopleDomain },
    domain: {
      async fresh({ admin, organization }) {
        const domain = `${unique('d').replace(/\W/g, '-')}.example`;
        await done(admin.post(`/v1/orgs/${organization}/domains/${domain}/check`));
        return domain;
      },
    },
    code: { any: async () => 'unknown' },
    subdomain: {
      any: once(async ({ admin, organization }) => {
        const hostname = `h-${organization.toLowerCase()}`;
        await done(admin.patch(`/v1/orgs/${organization}`, { hostname }));
        return hostname;
      }),
    },
  },
  particulars: {
    acceptUserInvite: { use: { organizationId: invitation } },
    declineUserInvite: { use: { organizationId: invitation } },
    getUserById: { use: { userId: async (_, { id }) => id } },
    updateUserById: { use: { userId: async (_, { id }) => id } },
    joinOrganization: {
      use: {
        async organizationId({ admin, organization }) {
          await proveDomain(admin, organization, peopleDomain);
          await done(admin.patch(`/v1/orgs/${organization}`, { emailDomains: [peopleDomain] }));
          return organization;
        },
      },
    },
    deleteMemberFromOrganizationTeamById: { use: { teamId: teamWithMember, userId: member } },
    createOrganizationSAMLProvider: { use: { organizationId: withRoom(freshSamlProvider) } },
    createOrganizationOIDCProvider: { use: { organizationId: withRoom(freshOidcProvider) } },
  },
};
