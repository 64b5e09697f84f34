import { join } from 'node:path';
import type { ServiceSchema } from 'moleculer';
import { blobLinks } from '../../shared/blobs/links.js';
import { auditRecord, auditRecorded } from '../../shared/contract/audit.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { receiver } from '../../shared/contract/event.js';
import { bindService, implement } from '../../shared/contract/service.js';
import { createProxy } from '../../shared/outbound/proxy.js';
import type { Host } from '../../shared/platform.js';
import { Jobs } from '../../shared/work/jobs.js';
import { Outbox } from '../../shared/work/outbox.js';
import { createCollection, deleteCollection, getCollection, listCollections, updateCollection } from './collections.js';
import { ContentTrees } from './content-trees.js';
import {
  contentContract,
  countSpaces,
  findPage,
  grantByInvite,
  importHandbook,
  presentSpaces,
  searchSpaces,
} from './contract.js';
import { contentEvents } from './events.js';
import { type GitRules, getGitInfo, startGitImport } from './git-import.js';
import { gitImportJob } from './git-import-job.js';
import { grantAtLeast } from './grants.js';
import { makeHandbook } from './handbook.js';
import { MemberLists } from './member-lists.js';
import { allCollections, pageSearch } from './model.js';
import { openPageWork } from './page-work.js';
import { invite, listTeamPermissions, listUserPermissions, removePermission, updatePermission } from './permissions.js';
import { presentSpaces as presentSpacesOf, withoutSource } from './presented-spaces.js';
import { purgeJob } from './purge.js';
import { findPageIn, type ReadingRules, readingHandlers } from './reading.js';
import { countReached, listAggregate, listMemberSpaces, memberReader } from './resolved-access.js';
import { collectionKind, spaceKind } from './resources.js';
import { Revisions } from './revisions.js';
import { searchSpaces as searchSpacesOf } from './search.js';
import { createSpace, deleteSpace, getSpace, listSpaces, restoreSpace, updateSpace } from './spaces.js';
import { contentConsumes, contentSubscribers } from './subscriptions.js';
import { VisitorViews } from './visitor-views.js';

function rulesOf({ config, store, blobs, secrets, log, exclusive, cacheDir, consumers, broker }: Host): GitRules {
  const emits = [...contentEvents, auditRecorded];
  return {
    store,
    blobs,
    secrets,
    baseUrl: config.baseUrl,
    outbox: new Outbox({ store, service: 'content', emits, consumers, log, deliver: deliverOver(broker) }),
    trees: new ContentTrees(store, exclusive),
    members: new MemberLists(),
    jobs: new Jobs({ store, service: 'content', log, exclusive }),
    revisions: new Revisions(store),
    work: openPageWork(),
    proxy: createProxy({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS }),
    cacheDir: join(cacheDir, 'git'),
  };
}

export function contentService(host: Host): ServiceSchema {
  const { config, store, secrets, ready } = host;
  const rules = rulesOf(host);
  const { trees, jobs, work, proxy, outbox } = rules;
  const reading: ReadingRules = {
    ...rules,
    views: new VisitorViews(rules.revisions),
    presentation: { baseUrl: config.baseUrl, links: blobLinks(secrets) },
  };
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
      getSpaceById: async ({ path }, { access, caller }) => {
        const space = await getSpace(rules, path.spaceId, access);
        return caller.kind === 'content' ? withoutSource(space) : space;
      },
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
      ...readingHandlers(reading),
      importGitRepository: ({ path, body }, context) => startGitImport(rules, path.spaceId, body, context),
      getSpaceGitInfo: ({ path }) => getGitInfo(rules, path.spaceId),
    },
    verbs: [
      implement(importHandbook, (asked) => makeHandbook(rules, asked)),
      implement(countSpaces, (asked) => countReached(rules, asked)),
      implement(grantByInvite, async ({ organization, kind, id, user, level }, { call, caller, requestId }) => {
        const reader = await memberReader(call, organization, user);
        const about = { operation: 'joinOrganizationWithInvite', caller, organization, requestId };
        const record = auditRecord(about, { type: kind, id }, { details: { user, role: level } });
        await grantAtLeast(rules, { kind, id, organization }, reader, level, outbox.add(auditRecorded, record));
        outbox.wake();
      }),
      implement(presentSpaces, (asked, { caller }) => presentSpacesOf(rules, asked, caller)),
      implement(findPage, (asked) => findPageIn(reading, asked)),
      implement(searchSpaces, (asked) => searchSpacesOf(reading, asked)),
    ],
    receive: receiver(contentConsumes, contentSubscribers(rules)),
    auditTrail: { write: (record) => outbox.add(auditRecorded, record), wake: () => outbox.wake() },
    async started() {
      await store.prepare(allCollections, [pageSearch]);
      jobs.register(gitImportJob(rules));
      jobs.register(purgeJob(store, outbox));
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
