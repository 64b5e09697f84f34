import { defaultCustomization } from '../../services/sites/customization/customization-defaults.js';
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
  await repositories.commit('sample', {
    'README.md': '# Home\n\n![a](a.png)\n',
    'b.md': '# B\n',
    'a.png': 'none',
    '.gitbook/includes/note.md': 'Keep this in mind.\n',
  });
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
const roomForProviders = 15;
const freshProvider: Make = async ({ admin, organization }) => {
  const path = `/v1/orgs/${organization}/saml`;
  const { body } = await admin.get(path);
  const earlier = body.items.filter(({ status }: { status: string }) => status === 'pending');
  if (earlier.length >= roomForProviders) for (const { id } of earlier) await admin.delete(`${path}/${id}`);
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

interface SampleSite {
  id: string;
  space: string;
  section: string;
  group: string;
}
const sampleSites = new Map<string, SampleSite>();
const siteOf = ({ organization }: Setting): SampleSite => sampleSites.get(organization) as SampleSite;
const onSite = (setting: Setting, rest: string) =>
  `/v1/orgs/${setting.organization}/sites/${siteOf(setting).id}${rest}`;

/** A published site with a section and an empty group. */
const sampleSite = once(async (setting) => {
  const { admin, organization } = setting;
  const space = await newSpace(admin, organization);
  const id = await idOf(admin.post(`/v1/orgs/${organization}/sites`, { title: 'Sample', spaces: [space] }));
  sampleSites.set(organization, { id, space, section: '', group: '' });
  const section = await idOf(admin.post(onSite(setting, '/sections'), { spaceId: space }));
  const group = await idOf(admin.post(onSite(setting, '/section-groups'), { title: 'Sample' }));
  sampleSites.set(organization, { id, space, section, group });
  await done(admin.post(onSite(setting, '/publish')));
  return id;
});
const freshSite: Make = async ({ admin, organization }) =>
  idOf(admin.post(`/v1/orgs/${organization}/sites`, { title: 'Sample' }));
const freshSection: Make = async (setting, caller) => {
  await sampleSite(setting, caller);
  return idOf(setting.admin.post(onSite(setting, '/sections'), { spaceId: siteOf(setting).space }));
};
const freshGroup: Make = async (setting, caller) => {
  await sampleSite(setting, caller);
  return idOf(setting.admin.post(onSite(setting, '/section-groups'), { title: 'Sample' }));
};
const sampleGroup: Make = async (setting, caller) => {
  await sampleSite(setting, caller);
  return siteOf(setting).group;
};
const groupedSection: Make = async (setting, caller) => {
  const sectionId = await freshSection(setting, caller);
  await done(setting.admin.post(onSite(setting, `/section-groups/${siteOf(setting).group}/sections`), { sectionId }));
  return sectionId;
};
const freshSiteSpace: Make = async (setting, caller) => {
  await sampleSite(setting, caller);
  return idOf(setting.admin.post(onSite(setting, '/site-spaces'), { spaceId: siteOf(setting).space }));
};

const urlOfSite = (setting: Setting) => `${setting.admin.url}/sites/${siteOf(setting).id}/`;
const shareLink: Make = async (setting, caller) => {
  await sampleSite(setting, caller);
  return idOf(setting.admin.post(onSite(setting, '/share-links'), { name: 'Sample' }));
};
let redirects = 0;
const toSection = (setting: Setting) => ({ kind: 'site-section', siteSectionId: siteOf(setting).section });
const newRedirect = async (setting: Setting, caller: NewUser, source: string): Promise<string> => {
  await sampleSite(setting, caller);
  return idOf(setting.admin.post(onSite(setting, '/redirects'), { source, destination: toSection(setting) }));
};
const freshRedirect: Make = (setting, caller) => newRedirect(setting, caller, `/old-${redirects++}`);
const knownRedirect = once(async (setting, caller) => {
  await newRedirect(setting, caller, '/sample');
  return sampleSite(setting, caller);
});

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
  revisionId: async (setting, caller) => (await revisionOf(setting, caller)).id,
  pagePath: async (setting, caller) => (await revisionOf(setting, caller)).pages[1].path,
  reusableContentId: async (setting, caller) => (await revisionOf(setting, caller)).reusableContents[0].id,
  documentId: async (setting, caller) => (await revisionOf(setting, caller)).pages[0].documentId,
  tokenId: (_, caller) => idOf(caller.client.post('/v1/user/tokens', { label: 'sample' })),
  emailDomain: async () => 'people.example',
  code: async () => 'unknown',
  siteId: sampleSite,
  siteSectionId: freshSection,
  siteSectionGroupId: freshGroup,
  siteSpaceId: freshSiteSpace,
  shareLinkId: shareLink,
  siteRedirectId: freshRedirect,
  subdomain: once(async ({ admin, organization }) => {
    const hostname = `h-${organization.toLowerCase()}`;
    await done(admin.patch(`/v1/orgs/${organization}`, { hostname }));
    return hostname;
  }),
};

interface Special {
  /** Parameters that this operation takes up. */
  use?: Record<string, Make>;
  query?: string | ((setting: Setting) => string);
  body?: (setting: Setting, caller: NewUser) => unknown;
}

const space = { spaceId: freshSpace };
const collection = { collectionId: freshCollection };

const special: Record<string, Special> = {
  getEmbedByUrlInSpace: { query: 'url=https%3A%2F%2Fexample.com%2Fa' },
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
  createSite: { body: () => ({ title: 'Sample' }) },
  updateSiteById: { use: { siteId: freshSite }, body: () => ({ title: 'Renamed' }) },
  deleteSiteById: { use: { siteId: freshSite } },
  publishSite: { use: { siteId: freshSite } },
  unpublishSite: { use: { siteId: freshSite } },
  sortSiteStructure: { body: (setting) => ({ item: { type: 'site-section', id: siteOf(setting).section } }) },
  addSectionToSite: { body: (setting) => ({ spaceId: siteOf(setting).space, title: 'Sample', icon: 'book' }) },
  updateSiteSectionById: { body: () => ({ title: 'Renamed', description: 'Sample', icon: null }) },
  moveSiteSection: {
    body: (setting) => ({ position: { before: { type: 'site-section', siteSection: siteOf(setting).section } } }),
  },
  addSectionGroupToSite: { body: () => ({ title: 'Sample' }) },
  updateSiteSectionGroupById: { body: () => ({ title: 'Renamed' }) },
  addSectionToGroup: { body: (setting) => ({ sectionId: siteOf(setting).section }) },
  removeSectionFromGroup: { use: { siteSectionGroupId: sampleGroup, siteSectionId: groupedSection } },
  moveSiteSectionGroup: { body: () => ({}) },
  addSpaceToSite: { body: (setting) => ({ spaceId: siteOf(setting).space }) },
  updateSiteSpaceById: { body: () => ({ condition: 'visitor.claims.beta == true' }) },
  moveSiteSpace: { body: () => ({ position: {} }) },
  updateSiteCustomizationById: { body: () => defaultCustomization },
  overrideSiteSpaceCustomizationById: { body: () => ({ title: 'Sample', themes: { default: 'dark' } }) },
  createSiteShareLink: { body: () => ({ name: 'Sample' }) },
  updateSiteShareLinkById: { body: () => ({ active: false }) },
  updateSitePublishingAuthById: { body: () => ({ fallbackURL: 'https://login.example/' }) },
  updateSiteAdaptiveSchema: {
    body: () => ({ jsonSchema: { type: 'object', properties: {}, additionalProperties: false } }),
  },
  createSiteRedirect: {
    body: (setting) => ({ source: `/old-${redirects++}`, destination: toSection(setting) }),
  },
  updateSiteRedirectById: { body: () => ({ source: `/old-${redirects++}` }) },
  getSiteRedirectBySource: { use: { siteId: knownRedirect }, query: 'source=/sample' },
  resolvePublishedContentByUrl: { use: { siteId: sampleSite }, body: (setting) => ({ url: urlOfSite(setting) }) },
  getPublishedContentByUrl: { use: { siteId: sampleSite }, query: (setting) => `url=${urlOfSite(setting)}` },
  searchSiteContent: { body: () => ({ query: 'sample', scope: { mode: 'all' } }) },
};

/** What stands for the parameters of an operation's path, made anew where it changes them. */
export async function parametersOf(
  { id, path }: AnyOperation,
  setting: Setting,
  caller: NewUser,
): Promise<Record<string, string>> {
  const { use = {} } = special[id] ?? {};
  const values: Record<string, string> = {};
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  for (const name of new Set([...inPath, ...Object.keys(use)])) {
    const make = use[name] ?? parameters[name];
    if (!make) throw new Error(`${id}: nothing stands for ${name}`);
    values[name] = await make(setting, caller);
  }
  return values;
}

/** The request of an operation with these values in its path. */
export function requestOf(
  { id, path, query }: AnyOperation,
  values: Record<string, string>,
  setting: Setting,
  caller: NewUser,
): Sample {
  const { query: search, body } = special[id] ?? {};
  const filled = (path as string).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  const asked = search && query ? `${filled}?${typeof search === 'string' ? search : search(setting)}` : filled;
  return body ? { path: asked, body: body(setting, caller) } : { path: asked };
}

/** A request that this operation takes, on resources of its own where it changes them. */
export async function sampleOf(operation: AnyOperation, setting: Setting, caller: NewUser): Promise<Sample> {
  return requestOf(operation, await parametersOf(operation, setting, caller), setting, caller);
}
