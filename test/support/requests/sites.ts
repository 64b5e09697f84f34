import { eventsIn } from '../asking.js';
import { newOrganization, newSpace, unique } from '../fixtures.js';
import { filledSpace } from './content.js';
import { anyTeam } from './identity.js';
import { done, idOf, type Make, once, type Particulars, type Resources } from './setting.js';

const member: Make = async (setting) => setting.member.id;

interface Parts {
  site: string;
  /** Path of its operations. */
  at: string;
  space: string;
  section: string;
  siteSpace: string;
  group: string;
}

/** A published site with a section, a site space and a group. */
const parts = once<Parts>(async (setting, caller) => {
  const { admin, organization } = setting;
  const space = await filledSpace(setting, caller);
  const site = await idOf(admin.post(`/v1/orgs/${organization}/sites`, { title: 'Sample', spaces: [space] }));
  const at = `/v1/orgs/${organization}/sites/${site}`;
  const section = await idOf(admin.post(`${at}/sections`, { spaceId: space }));
  const siteSpace = await idOf(admin.post(`${at}/site-spaces`, { spaceId: space }));
  const group = await idOf(admin.post(`${at}/section-groups`, { title: 'Sample' }));
  await done(admin.post(`${at}/publish`));
  return { site, at, space, section, siteSpace, group };
});
const part =
  (name: keyof Parts): Make =>
  async (setting, caller) =>
    (await parts(setting, caller))[name];
const anySite = part('site');

/** A published site: others do not exist for guests. */
export const freshSite: Make = async ({ admin, organization }) => {
  const site = await idOf(admin.post(`/v1/orgs/${organization}/sites`, { title: 'Sample' }));
  await done(admin.post(`/v1/orgs/${organization}/sites/${site}/publish`));
  return site;
};

/** Makes a part of the site by a POST. */
const fresh =
  (rest: string, bodyOf: (parts: Parts) => unknown): Make =>
  async (setting, caller) => {
    const all = await parts(setting, caller);
    return idOf(setting.admin.post(`${all.at}${rest}`, bodyOf(all)));
  };
const freshSection = fresh('/sections', ({ space }) => ({ spaceId: space }));
const groupedSection: Make = async (setting, caller) => {
  const { at, group } = await parts(setting, caller);
  const sectionId = await freshSection(setting, caller);
  await done(setting.admin.post(`${at}/section-groups/${group}/sections`, { sectionId }));
  return sectionId;
};

let sources = 0;
const toSection = ({ section }: Parts) => ({ kind: 'site-section', siteSectionId: section });
const withNewSource = async (example: Record<string, unknown>) =>
  'source' in example ? { ...example, source: `/new-${sources++}${example.source}` } : example;
const siteWithRedirect = once(async (setting, caller) => {
  await fresh('/redirects', (all) => ({ source: '/sample', destination: toSection(all) }))(setting, caller);
  return anySite(setting, caller);
});

/** A host name that a site of the caller asks for. */
const hostnameOfCaller: Make = async (_, { client }) => {
  const hostname = `${unique('h').replace(/\W/g, '-')}.docs.example`;
  const at = `/v1/orgs/${await newOrganization(client)}/sites`;
  await done(client.patch(`${at}/${await idOf(client.post(at, { title: 'Sample' }))}`, { hostname }));
  return hostname;
};

/** A site on which a member or a team has a role. */
const granted = (to: 'users' | 'teams'): Particulars => {
  const grantee = to === 'users' ? member : anyTeam;
  const siteId: Make = async (setting, caller) => {
    const id = await freshSite(setting, caller);
    const grant = { [to]: [await grantee(setting, caller)], role: 'comment' };
    await done(setting.admin.post(`/v1/orgs/${setting.organization}/sites/${id}/permissions`, grant));
    return id;
  };
  return { use: { siteId, [to === 'users' ? 'userId' : 'teamId']: grantee } };
};

const urlOfSite: Make = async (setting, caller) => `${setting.admin.url}/sites/${await anySite(setting, caller)}/`;

/** A response to the caller; any id for one who may not ask. */
const ownResponse: Make = async (setting, caller) => {
  const path = `/v1/orgs/${setting.organization}/sites/${await anySite(setting, caller)}/ai/response`;
  const { body } = await caller.client.post(path, { input: [{ role: 'user', content: 'home' }] });
  return typeof body === 'string' ? eventsIn(body).at(-1).responseId : 'none';
};

export const sites: Resources = {
  parameters: {
    responseId: { any: ownResponse },
    siteId: { any: anySite, fresh: freshSite },
    siteSectionId: { any: part('section'), fresh: freshSection },
    siteSectionGroupId: { any: part('group'), fresh: fresh('/section-groups', () => ({ title: 'Sample' })) },
    siteSpaceId: { any: part('siteSpace'), fresh: fresh('/site-spaces', ({ space }) => ({ spaceId: space })) },
    siteMcpServerId: {
      fresh: fresh('/mcp-servers', () => ({ name: 'Sample', url: 'https://mcp.example/', headers: { A: 'b' } })),
    },
    hostname: { fresh: hostnameOfCaller },
    siteExternalLinkId: {
      fresh: fresh('/external-links', () => ({ title: 'Sample', url: 'https://example.com/' })),
    },
    shareLinkId: { fresh: fresh('/share-links', () => ({ name: 'Sample' })) },
    siteRedirectId: {
      fresh: fresh('/redirects', (all) => ({ source: `/sample-${sources++}`, destination: toSection(all) })),
    },
  },
  particulars: {
    getContentByUrl: {
      /** Of a space that the caller may read, in the organization if it may create there. */
      async query({ organization }, { client }) {
        const made = await client.post(`/v1/orgs/${organization}/spaces`);
        const space = made.status === 201 ? made.body.id : await newSpace(client, await newOrganization(client));
        return `url=${encodeURIComponent(`${client.url}/app/s/${space}`)}`;
      },
    },
    updateTeamPermissionInSite: granted('teams'),
    removeTeamFromSite: granted('teams'),
    updateUserPermissionInSite: granted('users'),
    removeUserFromSite: granted('users'),
    sortSiteStructure: { use: { siteId: anySite } },
    addSectionGroupToSite: { use: { siteId: anySite } },
    removeSectionFromGroup: { use: { siteSectionId: groupedSection } },
    addExternalLinkToSite: { use: { siteId: anySite } },
    addSpaceToSite: { use: { siteId: anySite } },
    bulkUpsertSiteRedirects: { use: { siteId: anySite } },
    createSiteRedirect: { use: { siteId: anySite }, body: withNewSource },
    updateSiteRedirectById: { body: withNewSource },
    getSiteRedirectBySource: { use: { siteId: siteWithRedirect }, query: async () => 'source=/sample' },
    exportSiteHTML: { use: { siteId: anySite } },
    searchSiteContent: { use: { siteId: anySite } },
    prewarmSiteSearch: { use: { siteId: anySite } },
    streamAskInSite: { use: { siteId: anySite } },
    resolvePublishedContentByUrl: {
      body: async (example, setting, caller) => ({ ...example, url: await urlOfSite(setting, caller) }),
    },
    getPublishedContentByUrl: {
      query: async (setting, caller) => `url=${await urlOfSite(setting, caller)}`,
    },
  },
};
