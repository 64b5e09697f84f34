import { operations } from '../../services/gateway/contracts.js';
import { answerToRole } from '../../services/gateway/reference/access-table.js';
import { examplesOf } from '../../shared/contract/examples.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { type Filled, filledOrganization } from '../support/filled.js';
import { type FilledLists, filledLists } from '../support/filled-lists.js';
import { type NewUser, newOrganization, newUser, shared } from '../support/fixtures.js';
import { isInNewest, officialFields, officialOperations, officialWithout } from '../support/official.js';
import { exceptions, newestExceptions } from '../support/official-exceptions.js';
import { sampleOf } from '../support/requests/sample.js';
import type { Setting } from '../support/requests/setting.js';

const root = shared();
const official = officialWithout(exceptions);

const newest = officialWithout([...exceptions, ...newestExceptions], '0.202');

/** Optional fields of the file that no answer has. */
const neverTold: Record<string, Record<string, string>> = {
  Organization: {
    defaultContent: 'it names a site, and there are none yet',
    billing: 'nothing is billed',
    customHostname: 'comes with publishing',
    blocked: 'nobody is blocked',
    internal_billingMigration: 'nothing is billed',
  },
  Space: { visitorAuth: 'comes with publishing' },
  GitSyncState: { integration: 'comes with integrations' },
};

type Asked = [operationId: string, answer: { status: number; body: any }];
const asked: Asked[] = [];

function mismatches(...[id, answer]: Asked): string[] {
  asked.push([id, answer]);
  const newer = isInNewest(id) ? newest.mismatches(id, answer).map((line) => `in the newest file: ${line}`) : [];
  return [...(officialOperations.has(id) ? official.mismatches(id, answer) : []), ...newer];
}

/** Whether one of the files has an operation. */
const isOfficial = (id: string): boolean => officialOperations.has(id) || isInNewest(id);

/** Those that a user may call. */
const known = operations.filter(
  (operation) => isOfficial(operation.id) && answerToRole(operation, 'admin') === 'allowed',
);

describe('a sample of', () => {
  let setting: Setting;
  let caller: NewUser;
  beforeAll(async () => {
    const organization = await newOrganization(root);
    setting = { admin: root, organization, member: await newUser(root, { organization }) };
    caller = await newUser(root, { organization, role: 'admin' });
  });

  /** With each example of a body, and without a body where it may be left out. */
  const requests = known.flatMap((operation): [string, AnyOperation, number | null][] => {
    const examples = examplesOf(operation.body);
    const bare = operation.body === undefined || operation.body.safeParse(undefined).success;
    return [
      ...examples.map((_, at): [string, AnyOperation, number] => [
        `${operation.id}, example ${at + 1},`,
        operation,
        at,
      ]),
      ...(bare ? [[operation.id, operation, null] as [string, AnyOperation, null]] : []),
    ];
  });
  it.each(requests)('%s is answered so', async (_, operation, example) => {
    const { id } = operation;
    const { path, body } = await sampleOf(operation, setting, caller, example);
    const answer = await caller.client.request(operation.method, `/v1${path}`, body);
    expect([answer.status, mismatches(id, answer)]).toEqual([operation.status, []]);
  });
});

let filled: Filled;
beforeAll(async () => {
  filled = await filledOrganization(root);
});

describe('a resource with all its fields is shown so by', () => {
  const gets: [string, (filled: Filled) => string | string[]][] = [
    ['getOrganizationById', ({ organization }) => `/orgs/${organization}`],
    ['getUserById', ({ member }) => `/users/${member.id}`],
    ['getOrganizationsForEmailDomain', ({ emailDomain }) => `/email-domains/${emailDomain}/orgs`],
    ['getSubdomain', ({ hostname }) => `/subdomains/${hostname}`],
    ['listMembersInOrganizationById', ({ organization }) => `/orgs/${organization}/members`],
    ['getMemberInOrganizationById', ({ organization, member }) => `/orgs/${organization}/members/${member.id}`],
    [
      'listSpacesForOrganizationMember',
      ({ organization, member }) => `/orgs/${organization}/members/${member.id}/spaces`,
    ],
    [
      'listTeamsForOrganizationMember',
      ({ organization, member }) => `/orgs/${organization}/members/${member.id}/teams`,
    ],
    ['listTeamsInOrganizationById', ({ organization }) => `/orgs/${organization}/teams`],
    ['getTeamInOrganizationById', ({ organization, team }) => `/orgs/${organization}/teams/${team}`],
    ['listTeamMembersInOrganizationById', ({ organization, team }) => `/orgs/${organization}/teams/${team}/members`],
    ['listSAMLProvidersInOrganizationById', ({ organization }) => `/orgs/${organization}/saml`],
    ['getOrganizationSAMLProviderById', ({ organization, provider }) => `/orgs/${organization}/saml/${provider}`],
    ['listSSOProviderLoginsInOrganization', ({ organization }) => `/orgs/${organization}/sso`],
    ['listOrganizationInviteLinks', ({ organization }) => `/orgs/${organization}/link-invites`],
    [
      'getOrganizationInviteLink',
      ({ organization, invites }) => invites.map((id) => `/orgs/${organization}/link-invites/${id}`),
    ],
    ['listSpacesInOrganizationById', ({ organization }) => `/orgs/${organization}/spaces`],
    ['listCollectionsInOrganizationById', ({ organization }) => `/orgs/${organization}/collections`],
    ['getCollectionById', ({ collection }) => `/collections/${collection}`],
    ['listSpacesInCollectionById', ({ collection }) => `/collections/${collection}/spaces`],
    ['getSpaceById', ({ space, deletedSpace }) => [`/spaces/${space}`, `/spaces/${deletedSpace}`]],
    ['listTeamPermissionsInSpace', ({ space }) => `/spaces/${space}/permissions/teams`],
    ['listUserPermissionsInSpace', ({ space }) => `/spaces/${space}/permissions/users`],
    ['listPermissionsAggregateInSpace', ({ space }) => `/spaces/${space}/permissions/aggregate`],
    ['listTeamPermissionsInCollection', ({ collection }) => `/collections/${collection}/permissions/teams`],
    ['listUserPermissionsInCollection', ({ collection }) => `/collections/${collection}/permissions/users`],
    ['listPermissionsAggregateInCollection', ({ collection }) => `/collections/${collection}/permissions/aggregate`],
    ['getSpaceGitInfo', ({ space }) => `/spaces/${space}/git/info`],
    ['getCurrentRevision', ({ space }) => [`/spaces/${space}/content`, `/spaces/${space}/content?metadata=false`]],
    ['listPages', ({ space }) => `/spaces/${space}/content/pages`],
    ['listFiles', ({ space }) => `/spaces/${space}/content/files`],
    ['listSpaceLinks', ({ space }) => [`/spaces/${space}/links`, `/spaces/${space}/links?status=broken&limit=2`]],
    ['getEmbedByUrlInSpace', ({ space }) => `/spaces/${space}/embed?url=http://127.0.0.1:1/a`],
    ['searchSpaceContent', ({ space }) => `/spaces/${space}/search?query=code`],
    ['searchOrganizationContent', ({ organization }) => `/orgs/${organization}/search?query=code`],
  ];
  it.each(gets)('%s', async (id, pathsOf) => {
    for (const path of [pathsOf(filled)].flat()) {
      const answer = await filled.admin.client.get(`/v1${path}`);
      expect([path, answer.status, mismatches(id, answer)]).toEqual([path, 200, []]);
    }
  });

  it('getPageById of every page in every form', async () => {
    const at = `/v1/spaces/${filled.space}/content`;
    const { body: revision } = await filled.admin.client.get(at);
    const all = (pages: any[]): any[] => pages.flatMap((page) => [page, ...all(page.pages ?? [])]);
    const kinds = new Set<string>();
    for (const { id, type } of all(revision.pages))
      for (const format of ['', '?format=markdown', '?format=document', '?format=source']) {
        const answer = await filled.admin.client.get(`${at}/page/${id}${format}`);
        kinds.add(type);
        expect([type, format, answer.status, mismatches('getPageById', answer)]).toEqual([type, format, 200, []]);
      }
    expect([...kinds].sort()).toEqual(['computed', 'document', 'group', 'link']);
    for (const { id } of revision.files)
      expect(mismatches('getFileById', await filled.admin.client.get(`${at}/files/${id}`))).toEqual([]);
  });

  it('the links and backlinks of every page and file', async () => {
    const at = `/v1/spaces/${filled.space}/content`;
    const { body: revision } = await filled.admin.client.get(at);
    const all = (pages: any[]): any[] => pages.flatMap((page) => [page, ...all(page.pages ?? [])]);
    const kinds = new Set<string>();
    const check = async (id: string, path: string) => {
      const answer = await filled.admin.client.get(path);
      expect([path, answer.status, mismatches(id, answer)]).toEqual([path, 200, []]);
      for (const { kind, targetReference } of answer.body.items) kinds.add(kind ?? targetReference?.kind);
    };
    for (const { id } of all(revision.pages)) {
      await check('listPageLinksInSpace', `${at}/page/${id}/links`);
      await check('listSpacePageBacklinks', `${at}/page/${id}/backlinks`);
    }
    for (const { id } of revision.files) await check('listSpaceFileBacklinks', `${at}/files/${id}/backlinks`);
    expect([...kinds].sort()).toEqual(expect.arrayContaining(['file', 'page', 'reusable-content', 'url']));
  });
  it.each<[string, (filled: Filled) => string[]]>([
    ['User', ({ member }) => [`/users/${member.id}`]],
    ['Organization', ({ organization }) => [`/orgs/${organization}`]],
    ['OrganizationMember', ({ organization, member }) => [`/orgs/${organization}/members/${member.id}`]],
    ['OrganizationTeam', ({ organization, team }) => [`/orgs/${organization}/teams/${team}`]],
    ['OrganizationSAMLProvider', ({ organization, provider }) => [`/orgs/${organization}/saml/${provider}`]],
    ['Collection', ({ collection }) => [`/collections/${collection}`]],
    ['Space', ({ space, deletedSpace }) => [`/spaces/${space}`, `/spaces/${deletedSpace}`]],
    ['GitSyncState', ({ space }) => [`/spaces/${space}/git/info`]],
    ['RevisionBase', ({ space }) => [`/spaces/${space}/content`]],
  ])('%s tells all that the file knows of it', async (schema, pathsOf) => {
    const answers = await Promise.all(pathsOf(filled).map((path) => filled.admin.client.get(`/v1${path}`)));
    const told = new Set(answers.flatMap(({ body }) => Object.keys(body)));
    const missing = officialFields(schema).filter((field) => !told.has(field));
    expect(missing).toEqual(Object.keys(neverTold[schema] ?? {}));
  });
});

describe('a list with items is shown so by', () => {
  let lists: FilledLists;
  beforeAll(async () => {
    lists = await filledLists(filled);
  });

  const gets: [string, (lists: FilledLists) => string | string[]][] = [
    ['listChangeRequestsForSpace', ({ space }) => `${space}/change-requests?status=merged`],
    ['getContributorsByChangeRequestId', ({ changeRequest }) => `${changeRequest}/contributors`],
    ['getRequestedReviewersByChangeRequestId', ({ changeRequest }) => `${changeRequest}/requested-reviewers`],
    [
      'getReviewsByChangeRequestId',
      ({ changeRequest }) => ['markdown', 'document'].map((format) => `${changeRequest}/reviews?format=${format}`),
    ],
    ['listChangeRequestPageBacklinks', ({ changeRequest, page }) => `${changeRequest}/content/page/${page}/backlinks`],
    [
      'getChangeRequestChanges',
      ({ changeRequest, merged }) => [`${changeRequest}/changes?limit=100`, `${merged}/changes?limit=100`],
    ],
    ['getCurrentRevision', ({ space }) => `${space}/content`],
    ['listSpaceLinks', ({ space }) => `${space}/links`],
    ['listCommentsInSpace', ({ space }) => `${space}/comments`],
    ['listCommentRepliesInSpace', ({ comments: [first] }) => `${first}/replies`],
    ['listCommentsInChangeRequest', ({ changeRequest }) => `${changeRequest}/comments`],
    ['listCommentRepliesInChangeRequest', ({ comments: [, second] }) => `${second}/replies`],
    ['listTranslations', ({ organization }) => `${organization}/translations`],
    ['listGlossaryEntries', ({ organization }) => `${organization}/translations-glossary`],
    ['listChangeRequestsForOrganization', ({ organization }) => `${organization}/change-requests`],
    ['listSites', ({ organization }) => `${organization}/sites`],
    ['getSiteStructure', ({ sites }) => sites.map((site) => `${site}/structure`)],
    ['listSiteShareLinks', ({ sites: [site] }) => `${site}/share-links`],
    ['listSiteRedirects', ({ sites: [site] }) => [`${site}/redirects`, `${site}/redirects?draft=true`]],
    [
      'getSiteRedirectBySource',
      ({ sites: [site] }) => ['/page', '/wide/a/b'].map((source) => `${site}/redirect?source=${source}`),
    ],
    ['listCustomFonts', ({ organization }) => `${organization}/fonts`],
    ['listTeamPermissionsInSite', ({ sites: [site] }) => `${site}/permissions/teams`],
    ['listUserPermissionsInSite', ({ sites: [site] }) => `${site}/permissions/users`],
    ['listPermissionsAggregateInSite', ({ sites: [site] }) => `${site}/permissions/aggregate`],
    ['listSiteGitSyncInstallations', ({ sites: [site] }) => `${site}/spaces/git/installations`],
    ['listSiteMcpServers', ({ sites: [site] }) => `${site}/mcp-servers`],
    ['listSiteAdaptiveTemplateConditions', ({ sites: [, site] }) => `${site}/adaptive-schema/template-conditions`],
    ['listSiteVisitorSegments', ({ sites: [site] }) => `${site}/insights/visitor-segments`],
    ['listSiteIntegrations', ({ sites: [site] }) => `${site}/integrations`],
    ['listSpaceIntegrations', ({ space }) => `${space}/integrations`],
    ['listOrganizationIntegrationsStatus', ({ organization }) => `${organization}/integrations/installations-status`],
    ['listIntegrationSpaceInstallations', ({ integration }) => `${integration}/spaces`],
    ['listIntegrationSiteInstallations', ({ integration }) => `${integration}/sites`],
    ['listIntegrationInstallationSpaces', ({ installation }) => `${installation}/spaces`],
    ['listIntegrationInstallationSites', ({ installation }) => `${installation}/sites`],
  ];
  it.each(gets)('%s', async (id, pathsOf) => {
    for (const path of [pathsOf(lists)].flat()) {
      const answer = await filled.admin.client.get(path);
      expect([path, answer.status, mismatches(id, answer)]).toEqual([path, 200, []]);
    }
  });

  it('searchSiteContent', async () => {
    const answer = await filled.admin.client.post(`${lists.sites[0]}/search`, { query: 'code', mode: 'all' });
    expect([answer.status, mismatches('searchSiteContent', answer)]).toEqual([200, []]);
  });

  it('what a URL leads to: content, another address, a sign-in', async () => {
    for (const url of lists.urls) {
      const answer = await filled.admin.client.post('/v1/urls/published', { url }, { token: null });
      expect([url, answer.status, mismatches('resolvePublishedContentByUrl', answer)]).toEqual([url, 200, []]);
    }
  });
});

describe('an error', () => {
  it.each<[number, string, (filled: Filled) => string, unknown]>([
    [400, 'GET', () => '/user/tokens?limit=x', undefined],
    [404, 'GET', () => '/orgs/unknown', undefined],
    [404, 'GET', () => '/no/such/route', undefined],
    [409, 'DELETE', ({ organization, provider }) => `/orgs/${organization}/saml/${provider}`, undefined],
    [412, 'POST', () => '/sign-in', { email: 'nobody@people.example' }],
  ])('of %i has its one shape: %s', async (status, method, pathOf, body) => {
    const answer = await filled.admin.client.request(method, `/v1${pathOf(filled)}`, body);
    const { code } = answer.body.error;
    expect([answer.status, code, official.mismatchesOf('Error', answer.body)]).toEqual([status, status, []]);
  });
});

it('every list was shown with items', () => {
  const lists = asked.filter(([, { body }]) => Array.isArray(body?.items));
  const shown = new Set(lists.flatMap(([id, { body }]) => (body.items.length > 0 ? [id] : [])));
  expect([...new Set(lists.map(([id]) => id))].filter((id) => !shown.has(id))).toEqual([]);
});

it.each(exceptions.map((exception) => [exception.schema, exception] as const))(
  'the exception of %s is needed still',
  (_, exception) => {
    const files = officialWithout(exceptions.filter((other) => other !== exception));
    expect(asked.some(([id, answer]) => files.mismatches(id, answer).length > 0)).toBe(true);
  },
);

it.each(newestExceptions.map((exception) => [exception.schema, exception] as const))(
  'the exception of %s from the newest file is needed still',
  (_, exception) => {
    const others = newestExceptions.filter((other) => other !== exception);
    const file = officialWithout([...exceptions, ...others], '0.202');
    expect(asked.some(([id, answer]) => isInNewest(id) && file.mismatches(id, answer).length > 0)).toBe(true);
  },
);
