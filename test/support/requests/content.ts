import { organizationExports } from '../../../services/content/exchange/archive/model.js';
import { contentImports } from '../../../services/content/exchange/imports/content-import/model.js';
import type { Collection } from '../../../shared/store/port.js';
import { newId, timeIn, timestamp } from '../../../shared/values/ids.js';
import { newOrganization, newSpace, newUser, openSharedStore } from '../fixtures.js';
import { importInto, openRepositories } from '../repository.js';
import { uploadedFont, webFont } from '../uploads.js';
import { gitHosts } from './git-hosts.js';
import { anyTeam } from './identity.js';
import { done, idOf, type Make, once, type Particulars, type Resources } from './setting.js';

/** A space with pages, a file and reusable content. */
export const filledSpace = once(async ({ admin, organization }) => {
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

/** What the current revision of the filled space has at a place. */
const ofRevision =
  (pick: (revision: any) => string): Make =>
  async (setting, caller) =>
    pick((await setting.admin.get(`/v1/spaces/${await filledSpace(setting, caller)}/content`)).body);

const freshSpace: Make = ({ admin, organization }) => newSpace(admin, organization);
const deletedSpace: Make = async (setting, caller) => {
  const space = await freshSpace(setting, caller);
  await done(setting.admin.delete(`/v1/spaces/${space}`));
  return space;
};
const freshCollection: Make = ({ admin, organization }) =>
  idOf(admin.post(`/v1/orgs/${organization}/collections`, { title: 'Sample' }));

const freshTranslationSettings: Make = ({ admin, organization }) =>
  idOf(admin.post(`/v1/orgs/${organization}/translations`, { title: 'Sample' }));

/** Settings that translate the filled space. */
const freshTranslation: Make = async (setting, caller) =>
  idOf(
    setting.admin.post(`/v1/orgs/${setting.organization}/translations`, {
      source: { space: await filledSpace(setting, caller), language: 'en' },
    }),
  );

const freshGlossaryEntry: Make = async ({ admin, organization }) => {
  const path = `/v1/orgs/${organization}/translations-glossary`;
  const operations = [{ type: 'insert', translations: { en: 'Page', fr: 'Page' } }];
  await done(admin.put(path, { operations }));
  return (await done(admin.get(`${path}?limit=1000`))).items.at(-1).id;
};

/** A new space or collection with a grant to the member, or to the team. */
const granted = (kind: 'spaces' | 'collections', to: 'users' | 'teams'): Particulars => {
  const grantee: Make = to === 'users' ? async ({ member }) => member.id : anyTeam;
  const place: Make = async (setting, caller) => {
    const id = await (kind === 'spaces' ? freshSpace : freshCollection)(setting, caller);
    const grant = { [to]: [await grantee(setting, caller)], role: 'comment' };
    await done(setting.admin.post(`/v1/${kind}/${id}/permissions`, grant));
    return id;
  };
  return {
    use: {
      [kind === 'spaces' ? 'spaceId' : 'collectionId']: place,
      [to === 'users' ? 'userId' : 'teamId']: grantee,
    },
  };
};

/** A change request of the filled space. */
const freshChangeRequest: Make = async (setting, caller) => {
  const space = await filledSpace(setting, caller);
  return idOf(setting.admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'Sample' }));
};

/** A change request that is reviewed. */
const reviewedRequest = once(freshChangeRequest);

const submittedReview = once(async (setting, caller) => {
  const path = `/v1/spaces/${await filledSpace(setting, caller)}/change-requests/${await reviewedRequest(setting, caller)}`;
  await done(setting.admin.patch(path, { status: 'open' }));
  return idOf(setting.admin.post(`${path}/reviews`, { status: 'approved' }));
});

/** A user who may review. */
const reviewer = once(async ({ admin, organization }) => (await newUser(admin, { organization, role: 'review' })).id);

/** A change request that the reviewer is asked to review. */
const requestedChangeRequest: Make = async (setting, caller) => {
  const id = await freshChangeRequest(setting, caller);
  const path = `/v1/spaces/${await filledSpace(setting, caller)}/change-requests/${id}/requested-reviewers`;
  await done(setting.admin.post(path, { users: [await reviewer(setting, caller)] }));
  return id;
};

/** A space whose content is not the first that it had. */
const changedSpace = once(async ({ admin, organization }) => {
  const space = await newSpace(admin, organization, { editMode: 'live' });
  const changes = [{ operation: 'insert_page', document: { markdown: '# Home\n' } }];
  await done(admin.post(`/v1/spaces/${space}/content`, { changes }));
  return space;
});

const firstRevision: Make = async (setting, caller) => {
  const space = await changedSpace(setting, caller);
  return (await done(setting.admin.get(`/v1/spaces/${space}/revisions`))).items.at(-1).revision;
};

/** An address that no site has, of this machine: it is refused at once. */
const nowhere = 'url=http%3A%2F%2F127.0.0.1%3A1%2Fa';

/** Imports the first page of the server's own handbook, which names no organization. */
/** A space that the caller may edit, whatever its role in the organization. */
const spaceToEdit: Make = async ({ admin, organization }, { id }) => {
  const space = await newSpace(admin, organization);
  // Refused for who is no member.
  await admin.post(`/v1/spaces/${space}/permissions`, { role: 'edit', users: [id] });
  return space;
};

const fontKey: Make = ({ admin, organization }) => uploadedFont(admin, organization, webFont('woff2'));
const freshFont: Make = async (setting, caller) => {
  const fontFaces = [{ weight: 400, storageKey: await fontKey(setting, caller) }];
  return idOf(setting.admin.put(`/v1/orgs/${setting.organization}/fonts`, { fontFamily: 'Sample', fontFaces }));
};

const importing: Particulars = {
  body: async (_, { admin }) => ({ url: `${admin.url}/handbook`, source: 'html' }),
};

/** To an organization in which the caller may create. */
const toOrganizationOfCaller: Particulars = {
  body: async (_, __, caller) => ({ organization: await newOrganization(caller.client) }),
};

const endedImport = once(async (setting, caller) => {
  const space = await filledSpace(setting, caller);
  const body = await importing.body?.({}, setting, caller);
  await done(setting.admin.post(`/v1/spaces/${space}/content/import`, body));
  return (await done(setting.admin.get(`/v1/orgs/${setting.organization}/imports`))).items[0].id;
});

/** An import that waits for its turn. */
const waitingImport: Make = async (setting, caller) => {
  const [_id, now] = [newId(), timestamp()];
  const store = await openSharedStore();
  await store.prepare([contentImports as unknown as Collection<never>]);
  await store.insert(contentImports, {
    _id,
    organization: setting.organization,
    space: await filledSpace(setting, caller),
    source: 'html',
    url: 'https://example.com/',
    state: 'pending',
    importedResources: 0,
    totalResources: 0,
    createdBy: setting.member.id,
    createdAt: now,
    updatedAt: now,
  });
  await store.close();
  return _id;
};

/** An export that has failed. */
const endedExport: Make = async ({ organization, member }) => {
  const [_id, now] = [newId(), timestamp()];
  const store = await openSharedStore();
  await store.prepare([organizationExports as unknown as Collection<never>]);
  await store.insert(organizationExports, {
    _id,
    organization,
    state: 'failed',
    exportedSpaces: 0,
    totalSpaces: 0,
    createdBy: member.id,
    createdAt: now,
    updatedAt: now,
    completedAt: now,
    expiresAt: timeIn(3600_000),
  });
  await store.close();
  return _id;
};

/** The organization, when no export of it is under way. */
const organizationToExport: Make = async ({ admin, organization }) => {
  const path = `/v1/orgs/${organization}/exports`;
  for (const { id, completedAt } of (await done(admin.get(path))).items)
    if (!completedAt) await done(admin.delete(`${path}/${id}`));
  return organization;
};

/** The connection of a new space, which is not configured. */
const freshGitInstallation: Make = async ({ admin, organization }) => {
  const target = { type: 'space', spaceId: await newSpace(admin, organization) };
  return idOf(admin.post('/v1/git/installations', { provider: 'github', target }));
};

const ofGitInstallation = { use: { installationId: freshGitInstallation } };

export const content: Resources = {
  parameters: {
    spaceId: { any: filledSpace, fresh: freshSpace },
    collectionId: { any: once(freshCollection), fresh: freshCollection },
    changeRequestId: { any: once(freshChangeRequest), fresh: freshChangeRequest },
    reviewId: { any: submittedReview },
    translationSettingsId: { any: once(freshTranslationSettings), fresh: freshTranslationSettings },
    translationId: { fresh: freshTranslation },
    glossaryEntryId: { any: freshGlossaryEntry, fresh: freshGlossaryEntry },
    pageId: { any: ofRevision(({ pages }) => pages[0].id) },
    pagePath: { any: ofRevision(({ pages }) => pages[1].path) },
    documentId: { any: ofRevision(({ pages }) => pages[0].documentId) },
    fileId: { any: ofRevision(({ files }) => files[0].id) },
    revisionId: { any: ofRevision(({ id }) => id) },
    fontId: { any: once(freshFont), fresh: freshFont },
    exportId: { fresh: endedExport },
    importId: { any: endedImport, fresh: waitingImport },
    importRunId: { any: endedImport, fresh: waitingImport },
    reusableContentId: { any: ofRevision(({ reusableContents }) => reusableContents[0].id) },
  },
  particulars: {
    getChangeRequestReviewById: { use: { changeRequestId: reviewedRequest } },
    getEmbedByUrlInSpace: { query: async () => nowhere },
    getEmbedByUrl: { query: async () => nowhere },
    searchSpaceContent: { query: async () => 'query=home' },
    searchOrganizationContent: { query: async () => 'query=home' },
    streamAskInOrganization: { query: async () => 'query=home' },
    requestReviewersForChangeRequest: {
      body: async (example, setting, caller) => ({ ...example, users: [await reviewer(setting, caller)] }),
    },
    restoreRevision: { use: { spaceId: changedSpace, revisionId: firstRevision } },
    updateSpaceContent: {
      use: { spaceId: ({ admin, organization }) => newSpace(admin, organization, { editMode: 'live' }) },
    },
    removeRequestedReviewerFromChangeRequest: {
      use: { changeRequestId: requestedChangeRequest, userId: reviewer },
    },
    transferSpace: toOrganizationOfCaller,
    transferCollection: toOrganizationOfCaller,
    restoreSpace: { use: { spaceId: deletedSpace } },
    exportOrganization: { use: { organizationId: organizationToExport } },
    importContent: importing,
    importContentInPageById: importing,
    importContentInChangeRequest: importing,
    importContentInChangeRequestPageById: importing,
    installGitSyncProviderOnTarget: {
      // A space that the caller may sync, whoever it is.
      body: async (example, _, { client }) => {
        const spaceId = await newSpace(client, await newOrganization(client));
        return { ...example, target: { type: 'space', spaceId } };
      },
    },
    getGitSyncInstallationById: ofGitInstallation,
    updateGitSyncInstallationById: ofGitInstallation,
    syncGitInstallation: ofGitInstallation,
    uninstallGitSyncInstallation: ofGitInstallation,
    ...gitHosts,
    importGitRepository: { body: async (example) => ({ ...example, url: 'http://127.0.0.1:1/none.git' }) },
    exportToGitRepository: { body: async (example) => ({ ...example, url: 'http://127.0.0.1:1/none.git' }) },
    cancelImportRun: { use: { importRunId: waitingImport } },
    startImportRun: {
      body: async (_, setting, caller) => ({
        source: { type: 'website', url: `${setting.admin.url}/handbook` },
        target: { space: await spaceToEdit(setting, caller) },
      }),
    },
    createCustomFont: {
      body: async (example, setting, caller) => ({
        ...example,
        fontFaces: [{ weight: 400, storageKey: await fontKey(setting, caller) }],
      }),
    },
    updateTeamPermissionInSpace: granted('spaces', 'teams'),
    removeTeamFromSpace: granted('spaces', 'teams'),
    updateUserPermissionInSpace: granted('spaces', 'users'),
    removeUserFromSpace: granted('spaces', 'users'),
    updateTeamPermissionInCollection: granted('collections', 'teams'),
    removeTeamFromCollection: granted('collections', 'teams'),
    updateUserPermissionInCollection: granted('collections', 'users'),
    removeUserFromCollection: granted('collections', 'users'),
  },
};
