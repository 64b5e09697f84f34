import { rm } from 'node:fs/promises';
import type { ServiceSchema } from 'moleculer';
import { auditRecorded } from '../../shared/contract/audit.js';
import { receiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService, implement } from '../../shared/contract/service.js';
import type { Host } from '../../shared/platform.js';
import { countAccessibleSpaces } from './access/effective-access.js';
import { grantInvited } from './access/invite-grants.js';
import { permissionHandlers } from './access/permission-handlers.js';
import { changeRequestHandlers } from './change-requests/change-request-handlers.js';
import { earlierReviewsJob, handOverComments } from './change-requests/earlier-reviews.js';
import { pointerOf } from './change-requests/find.js';
import { reviewHandlers } from './change-requests/review-handlers.js';
import { reviewerHandlers } from './change-requests/reviewer-handlers.js';
import { computedHandlers } from './computed/computed-handlers.js';
import { refreshJob } from './computed/refresh-job.js';
import {
  contentContract,
  countSpaces,
  findChangeRequest,
  findPage,
  findReaders,
  findTarget,
  grantByInvite,
  importHandbook,
  presentSpaces,
  readTexts,
  searchSpaces,
  showTargets,
} from './contract.js';
import { contentCollections, openDependencies } from './dependencies.js';
import { embedHandlers } from './embeds/embed-handlers.js';
import { gitExportHandlers } from './exports/git-export-handlers.js';
import { gitExportJob } from './exports/git-export-job.js';
import { historyHandlers } from './history/history-handlers.js';
import { contentImportHandlers } from './imports/content-import/content-import-handlers.js';
import { contentImportJob } from './imports/content-import/content-import-job.js';
import { resolveImports } from './imports/content-import/import-access.js';
import { gitImportHandlers } from './imports/git-import/git-import-handlers.js';
import { gitImportJob } from './imports/git-import/git-import-job.js';
import { makeHandbook } from './imports/handbook.js';
import { linksHandlers } from './links/links-handlers.js';
import { mergingHandlers } from './merging/merging-handlers.js';
import { resolveSpecAccess } from './openapi/find.js';
import { processSpecJob, recheckSpecJob } from './openapi/processing/process-job.js';
import { removeSpecJob } from './openapi/processing/removal-job.js';
import { specHandlers } from './openapi/spec-handlers.js';
import { versionHandlers } from './openapi/version-handlers.js';
import { findPage as findPageIn } from './reading/find-page.js';
import { readingHandlers } from './reading/reading-handlers.js';
import { specContentHandlers } from './reading/specifications/spec-content-handlers.js';
import { collectionKind, importKind, spaceKind, specKind, translationSettingsKind } from './resources.js';
import { tidySpaceJob } from './retention/tidy-space-job.js';
import { pageSearch } from './revisions/model.js';
import { indexJob } from './search/index-job.js';
import { searchHandlers } from './search/search-handlers.js';
import { searchSpaces as searchManySpaces } from './search/search-spaces.js';
import { purgeCollectionJob } from './spaces/collection-deletion.js';
import { collectionHandlers } from './spaces/collection-handlers.js';
import { memberSpaceHandlers } from './spaces/member-space-handlers.js';
import { presentSpaces as presentSpacesTo } from './spaces/presented-spaces.js';
import { spaceHandlers } from './spaces/space-handlers.js';
import { purgeJob } from './spaces/trash.js';
import { startCollector } from './storage/collector.js';
import { storageHandlers } from './storage/storage-handlers.js';
import { contentConsumes, contentSubscribers } from './subscriptions.js';
import { findReaders as findReadersOf } from './targets/find-readers.js';
import { findTarget as findTargetIn } from './targets/find-target.js';
import { showTargets as showTargetsNow } from './targets/show-targets.js';
import { resolveTranslationSettings } from './translations/access.js';
import { translationHandlers } from './translations/translation-handlers.js';
import { writingHandlers } from './writing/writing-handlers.js';

export function contentService(host: Host): ServiceSchema {
  const { config, room, ready, writable } = host;
  const deps = openDependencies(host);
  const { store, trees, jobs, outbox, work, specWork, proxy, outbound, embeds } = deps;
  let stopCollector: (() => void) | undefined;
  return bindService({
    name: 'content',
    contract: contentContract,
    // Clones of repositories lie there, wherever the stores are.
    ready: async () => {
      room.check();
      await ready();
    },
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'content' }),
    checkResponses: config.CHECK_RESPONSES,
    resolvers: [
      { kind: spaceKind, resolve: (question) => trees.resolve(question, 'space') },
      { kind: collectionKind, resolve: (question) => trees.resolve(question, 'collection') },
      { kind: specKind, resolve: resolveSpecAccess },
      { kind: translationSettingsKind, resolve: (question) => resolveTranslationSettings(store, question) },
      { kind: importKind, resolve: (question) => resolveImports(deps, question) },
    ],
    handlers: {
      ...spaceHandlers(deps),
      ...collectionHandlers(deps),
      ...memberSpaceHandlers(deps),
      ...permissionHandlers(deps),
      ...changeRequestHandlers(deps),
      ...reviewerHandlers(deps),
      ...reviewHandlers(deps),
      ...writingHandlers(deps),
      ...mergingHandlers(deps),
      ...historyHandlers(deps),
      ...readingHandlers(deps),
      ...computedHandlers(deps),
      ...embedHandlers(deps),
      ...linksHandlers(deps),
      ...searchHandlers(deps),
      ...gitImportHandlers(deps),
      ...gitExportHandlers(deps),
      ...contentImportHandlers(deps),
      ...storageHandlers(deps),
      ...specHandlers(deps),
      ...versionHandlers(deps),
      ...specContentHandlers(deps),
      ...translationHandlers(deps),
    },
    verbs: [
      implement(importHandbook, (parameters) => makeHandbook(deps, parameters)),
      implement(countSpaces, (parameters) => countAccessibleSpaces(deps, parameters)),
      implement(grantByInvite, (parameters, context) => grantInvited(deps, parameters, context)),
      implement(presentSpaces, (parameters, context) => presentSpacesTo(deps, parameters, context)),
      implement(findPage, (parameters) => findPageIn(deps, parameters)),
      implement(findChangeRequest, (parameters) => pointerOf(store, parameters)),
      implement(readTexts, ({ organization, texts }) => work.texts(texts, organization)),
      implement(searchSpaces, (parameters) => searchManySpaces(deps, parameters)),
      implement(findTarget, (parameters) => findTargetIn(deps, parameters)),
      implement(showTargets, (parameters) => showTargetsNow(deps, parameters)),
      implement(findReaders, (parameters, { call }) => findReadersOf(deps, parameters, call)),
    ],
    receive: receiver(contentConsumes, contentSubscribers(deps)),
    auditTrail: { write: (record) => outbox.add(auditRecorded, record), wake: () => outbox.wake() },
    async started() {
      await store.prepare(contentCollections, [pageSearch]);
      await rm(deps.scratchDir, { recursive: true, force: true });
    },
    async background() {
      jobs.register(gitImportJob(deps));
      jobs.register(gitExportJob(deps));
      jobs.register(contentImportJob(deps));
      jobs.register(indexJob(deps));
      jobs.register(purgeJob(deps));
      jobs.register(tidySpaceJob(deps));
      jobs.register(purgeCollectionJob(deps));
      jobs.register(earlierReviewsJob(deps));
      jobs.register(refreshJob(deps));
      jobs.register(processSpecJob(deps));
      jobs.register(recheckSpecJob(deps));
      jobs.register(removeSpecJob(deps));
      await jobs.start();
      await handOverComments(deps);
      stopCollector = startCollector(deps, host.log);
      outbox.start();
    },
    async stopped() {
      stopCollector?.();
      await jobs.stop();
      await Promise.all([outbox.stop(), deps.indexer.stop()]);
      await Promise.all([work, specWork, deps.conversion, proxy, outbound, embeds].map((each) => each.close()));
    },
  });
}
