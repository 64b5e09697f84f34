import type { AnyOperation } from '../../shared/contract/operation.js';
import { type NewUser, newSpace, newUser, unique } from './fixtures.js';
import { importInto, openRepositories } from './repository.js';
import type { Client } from './server.js';

/** An organization in which every operation can be tried. */
export interface Setting {
  admin: Client;
  organization: string;
  /** One of its members, whom nothing changes. */
  member: NewUser;
}

export interface Sample {
  /** Relative to `/v1`. */
  path: string;
  body?: unknown;
}

type Make = (setting: Setting, caller: NewUser) => Promise<string>;

const once = (make: Make): Make => {
  const made = new Map<string, Promise<string>>();
  return (setting, caller) => {
    const known = made.get(setting.organization) ?? make(setting, caller);
    made.set(setting.organization, known);
    return known;
  };
};

const idOf = async (answer: Promise<{ status: number; body: { id: string } }>): Promise<string> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.id;
};
const done = async (answer: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
};

/** A space with pages and a file. */
const filledSpace = once(async ({ admin, organization }) => {
  const repositories = await openRepositories();
  const space = await newSpace(admin, organization);
  await repositories.commit('sample', { 'README.md': '# Home\n\n![a](a.png)\n', 'b.md': '# B\n', 'a.png': 'none' });
  await importInto(admin, space, { url: `${repositories.url}/sample.git` });
  await repositories.close();
  return space;
});
const revisionOf = async (setting: Setting, caller: NewUser) =>
  (await setting.admin.get(`/v1/spaces/${await filledSpace(setting, caller)}/content`)).body;

const freshSpace: Make = ({ admin, organization }) => newSpace(admin, organization);
const freshCollection: Make = ({ admin, organization }) =>
  idOf(admin.post(`/v1/orgs/${organization}/collections`, { title: 'Sample' }));
const freshTeam: Make = ({ admin, organization }) =>
  idOf(admin.put(`/v1/orgs/${organization}/teams`, { title: unique('Team') }));
const teamWithMember: Make = async (setting, caller) => {
  const team = await freshTeam(setting, caller);
  await done(setting.admin.put(`/v1/orgs/${setting.organization}/teams/${team}/members/${setting.member.id}`, {}));
  return team;
};
const freshMember: Make = async ({ admin, organization }) => (await newUser(admin, { organization })).id;
const freshInvite: Make = ({ admin, organization }) =>
  idOf(admin.post(`/v1/orgs/${organization}/link-invites`, { role: 'read' }));
const freshProvider: Make = async ({ admin, organization }) => {
  const path = `/v1/orgs/${organization}/saml`;
  const { body } = await admin.get(path);
  for (const { id } of body.items) await admin.delete(`${path}/${id}`);
  return idOf(admin.post(path, { label: 'Sample' }));
};
const deletedSpace: Make = async (setting, caller) => {
  const space = await freshSpace(setting, caller);
  await done(setting.admin.delete(`/v1/spaces/${space}`));
  return space;
};

/** A space or a collection with a grant to the member, or to a team. */
const granted =
  (kind: 'spaces' | 'collections', to: 'users' | 'teams'): Make =>
  async (setting, caller) => {
    const id = await (kind === 'spaces' ? freshSpace : freshCollection)(setting, caller);
    const whom = to === 'users' ? setting.member.id : await sharedTeam(setting, caller);
    await done(setting.admin.post(`/v1/${kind}/${id}/permissions`, { [to]: [whom], role: 'comment' }));
    return id;
  };
const sharedTeam = once(freshTeam);

/** What stands for a path parameter where the operation says nothing else. */
const parameters: Record<string, Make> = {
  organizationId: async ({ organization }) => organization,
  spaceId: filledSpace,
  collectionId: once(freshCollection),
  teamId: sharedTeam,
  userId: async ({ member }) => member.id,
  inviteId: once(freshInvite),
  samlProviderId: freshProvider,
  pageId: async (setting, caller) => (await revisionOf(setting, caller)).pages[0].id,
  fileId: async (setting, caller) => (await revisionOf(setting, caller)).files[0].id,
  tokenId: (_, caller) => idOf(caller.client.post('/v1/user/tokens', { label: 'sample' })),
  emailDomain: async () => 'people.example',
  code: async () => 'unknown',
  subdomain: once(async ({ admin, organization }) => {
    const hostname = `h-${organization.toLowerCase()}`;
    await done(admin.patch(`/v1/orgs/${organization}`, { hostname }));
    return hostname;
  }),
};

interface Special {
  /** Parameters that this operation takes up. */
  use?: Record<string, Make>;
  query?: string;
  body?: (setting: Setting, caller: NewUser) => unknown;
}

const space = { spaceId: freshSpace };
const collection = { collectionId: freshCollection };

const special: Record<string, Special> = {
  createUserToken: { body: () => ({ label: 'sample' }) },
  updateUserById: { use: { userId: async (_, { id }) => id }, body: () => ({ displayName: 'Sample' }) },
  createOrganization: { body: () => ({ title: 'Sample' }) },
  updateOrganizationById: { body: () => ({ ai: true }) },
  inviteUsersToOrganization: { body: () => ({ emails: [`${unique('x').replace(/ /g, '-')}@people.example`] }) },
  joinOrganization: {
    use: {
      async organizationId({ admin, organization }) {
        await done(admin.patch(`/v1/orgs/${organization}`, { emailDomains: ['people.example'] }));
        return organization;
      },
    },
  },
  createOrganizationInvite: { body: () => ({ role: 'read' }) },
  updateOrganizationInviteById: { body: () => ({ role: 'read' }) },
  deleteOrganizationInviteById: { use: { inviteId: freshInvite } },
  updateMemberInOrganizationById: { use: { userId: freshMember }, body: () => ({ role: 'edit' }) },
  removeMemberFromOrganizationById: { use: { userId: freshMember } },
  setUserAsSSOMemberForOrganization: { use: { userId: freshMember } },
  createOrganizationTeam: { body: () => ({ title: 'Sample' }) },
  updateTeamInOrganizationById: { use: { teamId: freshTeam }, body: () => ({ title: 'Sample' }) },
  removeTeamFromOrganizationById: { use: { teamId: freshTeam } },
  updateMembersInOrganizationTeam: { use: { teamId: freshTeam }, body: ({ member }) => ({ add: [member.id] }) },
  addMemberToOrganizationTeamById: { use: { teamId: freshTeam } },
  deleteMemberFromOrganizationTeamById: { use: { teamId: teamWithMember } },
  createOrganizationSAMLProvider: {
    use: {
      async organizationId(setting, caller) {
        await freshProvider(setting, caller);
        return setting.organization;
      },
    },
    body: () => ({ label: 'Sample' }),
  },
  updateOrganizationSAMLProvider: { body: () => ({ label: 'Changed' }) },
  requestSignIn: { body: () => ({ email: 'nobody@people.example' }) },
  updateSpaceById: { use: space, body: () => ({ title: 'Sample' }) },
  deleteSpaceById: { use: space },
  restoreSpace: { use: { spaceId: deletedSpace } },
  updateCollectionById: { use: collection, body: () => ({ title: 'Sample' }) },
  deleteCollectionById: { use: collection },
  searchSpaceContent: { query: 'query=home' },
  importGitRepository: {
    use: space,
    body: () => ({ url: 'http://127.0.0.1:1/none.git', ref: 'refs/heads/main' }),
  },
  inviteToSpace: { use: space, body: ({ member }) => ({ users: [member.id], role: 'read' }) },
  inviteToCollection: { use: collection, body: ({ member }) => ({ users: [member.id], role: 'read' }) },
  updateTeamPermissionInSpace: { use: { spaceId: granted('spaces', 'teams') }, body: () => ({ role: 'read' }) },
  removeTeamFromSpace: { use: { spaceId: granted('spaces', 'teams') } },
  updateUserPermissionInSpace: { use: { spaceId: granted('spaces', 'users') }, body: () => ({ role: 'read' }) },
  removeUserFromSpace: { use: { spaceId: granted('spaces', 'users') } },
  updateTeamPermissionInCollection: {
    use: { collectionId: granted('collections', 'teams') },
    body: () => ({ role: 'read' }),
  },
  removeTeamFromCollection: { use: { collectionId: granted('collections', 'teams') } },
  updateUserPermissionInCollection: {
    use: { collectionId: granted('collections', 'users') },
    body: () => ({ role: 'read' }),
  },
  removeUserFromCollection: { use: { collectionId: granted('collections', 'users') } },
};

/** A request that this operation takes, on resources of its own where it changes them. */
export async function sampleOf({ id, path, query }: AnyOperation, setting: Setting, caller: NewUser): Promise<Sample> {
  const { use = {}, query: search, body } = special[id] ?? {};
  let filled = path as string;
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const make = use[name] ?? parameters[name];
    if (!make) throw new Error(`${id}: nothing stands for ${name}`);
    filled = filled.replace(`{${name}}`, await make(setting, caller));
  }
  const asked = search && query ? `${filled}?${search}` : filled;
  return body ? { path: asked, body: body(setting, caller) } : { path: asked };
}
