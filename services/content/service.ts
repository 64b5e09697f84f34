import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceBroker, ServiceSchema } from 'moleculer';
import { blobLinks } from '../../shared/blobs/links.js';
import { bindService, callAsSystem, implement } from '../../shared/contract/service.js';
import { notFound } from '../../shared/errors.js';
import { Jobs } from '../../shared/jobs.js';
import { createProxy } from '../../shared/outbound/proxy.js';
import { Outbox } from '../../shared/outbox.js';
import { slicePage, versionOfPage } from '../../shared/paging.js';
import type { Platform } from '../../shared/platform.js';
import { auditEvent, deliverAudit } from './audit-trail.js';
import { createCollection, deleteCollection, getCollection, listCollections, updateCollection } from './collections.js';
import { ContentTrees } from './content-trees.js';
import { contentContract, countSpaces, dropGrants, grantByInvite, importHandbook } from './contract.js';
import { type GitRules, getGitInfo, startGitImport } from './git-import.js';
import { gitImportJob } from './git-import-job.js';
import { dropGrantsOf, grantAtLeast } from './grants.js';
import { makeHandbook } from './handbook.js';
import { MemberLists } from './member-lists.js';
import { allCollections, outboxEvents, pageSearch } from './model.js';
import { openPageWork } from './page-work.js';
import { type Presentation, presentFile, presentPage, presentRevision, readPage } from './pages.js';
import { invite, listTeamPermissions, listUserPermissions, removePermission, updatePermission } from './permissions.js';
import { purgeJob } from './purge.js';
import { countReached, listAggregate, listMemberSpaces, memberReader } from './resolved-access.js';
import { collectionKind, spaceKind } from './resources.js';
import { Revisions } from './revisions.js';
import { searchSpace } from './search.js';
import { createSpace, deleteSpace, getSpace, listSpaces, restoreSpace, updateSpace } from './spaces.js';

function rulesOf({ config, store, blobs, secrets, log, exclusive }: Platform, outbox: Outbox): GitRules {
  return {
    store,
    blobs,
    secrets,
    baseUrl: config.baseUrl,
    outbox,
    trees: new ContentTrees(store, exclusive),
    members: new MemberLists(),
    jobs: new Jobs({ store, service: 'content', log, exclusive }),
    revisions: new Revisions(store),
    work: openPageWork(),
    proxy: createProxy({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS }),
    cacheDir: exclusive ? join(config.DATA_DIR, 'git') : mkdtempSync(join(tmpdir(), 'bindery-git-')),
  };
}

export function contentService(platform: Platform): ServiceSchema {
  const { config, store, secrets, log, ready } = platform;
  let bus: ServiceBroker;
  const outbox = new Outbox({
    store,
    collection: outboxEvents,
    log,
    deliver: (events) => deliverAudit(callAsSystem(bus), events),
  });
  const rules = rulesOf(platform, outbox);
  const { trees, revisions, jobs, work, proxy } = rules;
  const presentation: Presentation = { baseUrl: config.baseUrl, links: blobLinks(secrets) };
  return bindService({
    name: 'content',
    contract: contentContract,
    ready,
    checkResponses: config.CHECK_RESPONSES,
    resolvers: [
      { kind: spaceKind, resolve: (question) => trees.resolve(question, 'space') },
      { kind: collectionKind, resolve: (question) => trees.resolve(question, 'collection') },
    ],
    handlers: {
      createSpace: ({ path, body }, context) => createSpace(rules, path.organizationId, context, body),
      listSpacesInOrganizationById: ({ path, query }, { caller }) =>
        listSpaces(rules, { organization: path.organizationId }, caller, query),
      getSpaceById: ({ path }, { access }) => getSpace(rules, path.spaceId, access),
      updateSpaceById: ({ path, body }, context) => updateSpace(rules, path.spaceId, body, context),
      deleteSpaceById: ({ path }, context) => deleteSpace(rules, path.spaceId, context),
      restoreSpace: ({ path }, context) => restoreSpace(rules, path.spaceId, context),
      createCollection: ({ path, body }, context) => createCollection(rules, path.organizationId, context, body),
      listCollectionsInOrganizationById: ({ path, query }, { caller }) =>
        listCollections(rules, path.organizationId, caller, query),
      getCollectionById: ({ path }, { access }) => getCollection(rules, path.collectionId, access),
      updateCollectionById: ({ path, body }, context) => updateCollection(rules, path.collectionId, body, context),
      deleteCollectionById: ({ path }, context) => deleteCollection(rules, path.collectionId, context),
      listSpacesInCollectionById: ({ path, query }, { caller, access }) =>
        listSpaces(rules, { organization: access.organization, parent: path.collectionId }, caller, query),
      inviteToSpace: ({ path, body }, context) => invite(rules, 'space', path.spaceId, body, context),
      listTeamPermissionsInSpace: ({ path, query }, context) =>
        listTeamPermissions(rules, path.spaceId, query, context),
      updateTeamPermissionInSpace: ({ path, body }, context) =>
        updatePermission(rules, 'space', path.spaceId, ['team', path.teamId], body.role, context),
      removeTeamFromSpace: ({ path }, context) =>
        removePermission(rules, 'space', path.spaceId, ['team', path.teamId], context),
      listUserPermissionsInSpace: ({ path, query }, context) =>
        listUserPermissions(rules, path.spaceId, query, context),
      updateUserPermissionInSpace: ({ path, body }, context) =>
        updatePermission(rules, 'space', path.spaceId, ['user', path.userId], body.role, context),
      removeUserFromSpace: ({ path }, context) =>
        removePermission(rules, 'space', path.spaceId, ['user', path.userId], context),
      listPermissionsAggregateInSpace: ({ path, query }, context) => listAggregate(rules, path.spaceId, query, context),
      inviteToCollection: ({ path, body }, context) => invite(rules, 'collection', path.collectionId, body, context),
      listTeamPermissionsInCollection: ({ path, query }, context) =>
        listTeamPermissions(rules, path.collectionId, query, context),
      updateTeamPermissionInCollection: ({ path, body }, context) =>
        updatePermission(rules, 'collection', path.collectionId, ['team', path.teamId], body.role, context),
      removeTeamFromCollection: ({ path }, context) =>
        removePermission(rules, 'collection', path.collectionId, ['team', path.teamId], context),
      listUserPermissionsInCollection: ({ path, query }, context) =>
        listUserPermissions(rules, path.collectionId, query, context),
      updateUserPermissionInCollection: ({ path, body }, context) =>
        updatePermission(rules, 'collection', path.collectionId, ['user', path.userId], body.role, context),
      removeUserFromCollection: ({ path }, context) =>
        removePermission(rules, 'collection', path.collectionId, ['user', path.userId], context),
      listPermissionsAggregateInCollection: ({ path, query }, context) =>
        listAggregate(rules, path.collectionId, query, context),
      listSpacesForOrganizationMember: ({ path, query }, context) => listMemberSpaces(rules, path, query, context),
      async getCurrentRevision({ path, query }, { version }) {
        const view = await revisions.current(path.spaceId);
        version(view.revision._id);
        return presentRevision(presentation, view, query);
      },
      async listPages({ path, query }, { version }) {
        const view = await revisions.current(path.spaceId);
        version(view.revision._id);
        return { pages: view.pages.map((page) => presentPage(presentation, view, page, query)) };
      },
      async getPageById({ path, query }, { version }) {
        const view = await revisions.current(path.spaceId);
        version(view.revision._id);
        return readPage(presentation, { store, work }, view, path.pageId, query);
      },
      /** A walk stays on the revision it began with. */
      async listFiles({ path, query }, { version }) {
        const started = versionOfPage(query.page);
        const view =
          started === undefined ? await revisions.current(path.spaceId) : await revisions.get(path.spaceId, started);
        version(view.revision._id);
        return slicePage(view.files, view.revision._id, query, (file) => presentFile(presentation, file, query));
      },
      async getFileById({ path, query }, { version }) {
        const view = await revisions.current(path.spaceId);
        const file = view.fileById.get(path.fileId);
        if (!file) throw notFound('File');
        version(view.revision._id);
        return presentFile(presentation, file, query);
      },
      searchSpaceContent: ({ path, query }) => searchSpace(rules, path.spaceId, query.query, query),
      importGitRepository: ({ path, body }, { audit }) => startGitImport(rules, path.spaceId, body, audit),
      getSpaceGitInfo: ({ path }) => getGitInfo(rules, path.spaceId),
    },
    verbs: [
      implement(importHandbook, ({ organization, creator }) => makeHandbook(rules, organization, creator)),
      implement(countSpaces, (asked) => countReached(rules, asked)),
      implement(grantByInvite, async ({ organization, kind, id, user, level }, { call }) => {
        const reader = await memberReader(call, organization, user);
        await grantAtLeast(rules, { kind, id, organization }, reader, level);
      }),
      implement(dropGrants, (gone) => dropGrantsOf(rules, gone)),
    ],
    auditTrail: { write: (record) => outbox.add(auditEvent, record), wake: () => outbox.wake() },
    async started(broker) {
      bus = broker;
      await store.prepare(allCollections, [pageSearch]);
      jobs.register(gitImportJob(rules));
      jobs.register(purgeJob(store));
      await jobs.start();
      outbox.start();
    },
    async stopped() {
      await jobs.stop();
      await outbox.stop();
      await Promise.all([work.close(), proxy.close()]);
    },
  });
}
