import { rm } from 'node:fs/promises';
import type { ServiceSchema } from 'moleculer';
import { auditRecorded } from '../../shared/contract/audit.js';
import { eventReceiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService, implementVerb } from '../../shared/contract/service.js';
import type { Host } from '../../shared/process/platform.js';
import { countSpaces, grantByInvite, importHandbook } from '../identity/contract.js';
import { askingHandlers, followAnswer as followAnswerOf } from './assistance/answers/asking-handlers.js';
import { recommendQuestions as recommendQuestionsFor } from './assistance/answers/recommended-questions.js';
import { translateJob } from './assistance/translating/translate-job.js';
import { translatingHandlers } from './assistance/translating/translating-handlers.js';
import {
  beginAnswer,
  contentContract,
  convertPastedHtml,
  findChangeRequest,
  findPage,
  findPeople,
  findReaders,
  findTarget,
  findUpload,
  followAnswer,
  fontDefinitions,
  listDeletedSpaces,
  listDifferences,
  openPrinting,
  presentSpaces,
  previewPage,
  prewarmSearch,
  readFiles,
  readTexts,
  receiveGitHook,
  receiveUpload,
  recommendQuestions,
  searchSpaces,
  showDifference,
  showMarkdown,
  showPage,
  showReferences,
  showTargets,
  showTexts,
  showTree,
} from './contract.js';
import { countAccessibleSpaces } from './core/access/effective-access.js';
import { grantByAcceptedInvite } from './core/access/invite-grants.js';
import { resolveOfSpaces } from './core/access/of-spaces.js';
import { findPeople as findPeopleOf } from './core/access/people.js';
import { permissionHandlers } from './core/access/permission-handlers.js';
import { changeRequestHandlers } from './core/change-requests/change-request-handlers.js';
import { recountCommentsJob, recountOnceWrite } from './core/change-requests/comment-counts.js';
import { findPointer } from './core/change-requests/find.js';
import { organizationChangeRequestHandlers } from './core/change-requests/organization-list-handlers.js';
import { reviewHandlers } from './core/change-requests/review-handlers.js';
import { reviewerHandlers } from './core/change-requests/reviewer-handlers.js';
import { fontDefinitionsOf, fontHandlers } from './core/fonts/font-handlers.js';
import { pageSearch } from './core/revisions/model.js';
import { purgeCollectionJob } from './core/spaces/collection-deletion.js';
import { collectionHandlers } from './core/spaces/collection-handlers.js';
import { memberSpaceHandlers } from './core/spaces/member-space-handlers.js';
import { moveHandlers } from './core/spaces/moving/move-handlers.js';
import { presentSpaces as presentSpacesTo } from './core/spaces/presenting/presented-spaces.js';
import { spaceHandlers } from './core/spaces/space-handlers.js';
import { purgeSpaceJob } from './core/spaces/trash.js';
import { listTrash } from './core/spaces/trash-list.js';
import { startCollector } from './core/storage/collector.js';
import { storageHandlers } from './core/storage/storage-handlers.js';
import { uploadHandlers } from './core/storage/uploads/upload-handlers.js';
import { awaitedUpload, takeUpload } from './core/storage/uploads/uploads.js';
import { resolveTranslationAccess } from './core/translations/access.js';
import { glossaryHandlers } from './core/translations/glossary-handlers.js';
import { translationHandlers } from './core/translations/translation-handlers.js';
import { contentCollections, openDependencies } from './dependencies.js';
import { organizationExportHandlers } from './exchange/archive/archive-handlers.js';
import { organizationExportJob } from './exchange/archive/archive-job.js';
import { archiveTakingVerbs } from './exchange/archive/taking/taking-verbs.js';
import { convertPastedHtml as convertPasted } from './exchange/conversion/pasted-text.js';
import { copyHandlers } from './exchange/copies/copy-handlers.js';
import { copySpaceJob, discardCopyJob } from './exchange/copies/copy-jobs.js';
import { gitExportHandlers } from './exchange/exports/git-export-handlers.js';
import { gitExportJob } from './exchange/exports/git-export-job.js';
import { contentImportHandlers } from './exchange/imports/content-import/content-import-handlers.js';
import { contentImportJob, uploadImportJob } from './exchange/imports/content-import/content-import-job.js';
import { importRunHandlers } from './exchange/imports/content-import/import-run-handlers.js';
import { contentImports } from './exchange/imports/content-import/model.js';
import { gitImportHandlers } from './exchange/imports/git-import/git-import-handlers.js';
import { gitImportJob } from './exchange/imports/git-import/git-import-job.js';
import { makeHandbook } from './exchange/imports/handbook.js';
import { takeHook } from './exchange/sync/hooks/receive.js';
import { hostHandlers } from './exchange/sync/hosts/host-handlers.js';
import { tellGitStatusJob } from './exchange/sync/hosts/status-job.js';
import { installationHandlers } from './exchange/sync/installations/installation-handlers.js';
import { installationListHandlers } from './exchange/sync/installations/installation-list-handlers.js';
import { lookAtGitJob } from './exchange/sync/look-job.js';
import { gitInstallations } from './exchange/sync/model.js';
import { previewGitPullJob } from './exchange/sync/previews/preview-job.js';
import { syncGitJob } from './exchange/sync/sync-job.js';
import { openTemplates } from './exchange/templates/apply-template.js';
import { templateHandlers } from './exchange/templates/template-handlers.js';
import { processSpecJob, recheckSpecJob } from './openapi/processing/process-job.js';
import { removeSpecJob } from './openapi/processing/removal-job.js';
import { resolveSpecAccess } from './openapi/specs/find.js';
import { specHandlers } from './openapi/specs/spec-handlers.js';
import { versionHandlers } from './openapi/specs/version-handlers.js';
import { filterReaders } from './reading/comment-targets/find-readers.js';
import { locateTarget, presentTargets } from './reading/comment-targets/targets.js';
import { embedHandlers } from './reading/embeds/embed-handlers.js';
import { linksHandlers } from './reading/links/links-handlers.js';
import { findPage as findPageIn } from './reading/pages/find-page.js';
import { readingHandlers } from './reading/pages/reading-handlers.js';
import { specContentHandlers } from './reading/pages/specifications/spec-content-handlers.js';
import { indexJob } from './reading/search/indexer.js';
import { searchHandlers } from './reading/search/search-handlers.js';
import {
  prewarmSearch as prewarmManySpaces,
  searchSpaces as searchManySpaces,
} from './reading/search/search-spaces.js';
import { outsideTargets } from './reading/showing/outside-targets.js';
import { previewPage as previewPageTo } from './reading/showing/previews/previewed-page.js';
import { printHandlers, printTokens } from './reading/showing/print-handlers.js';
import { openPrintLink } from './reading/showing/print-links.js';
import { readShownFiles } from './reading/showing/shown-files.js';
import { showMarkdown as showPageMarkdown } from './reading/showing/shown-markdown.js';
import { showPage as showPageTo } from './reading/showing/shown-page.js';
import { showTree as showTreeTo } from './reading/showing/shown-tree.js';
import { visitVerbs } from './reading/visits/visit-verbs.js';
import {
  collectionKind,
  gitInstallationKind,
  importKind,
  spaceKind,
  specKind,
  translationSettingsKind,
} from './resources.js';
import { contentConsumes, contentSubscribers } from './subscriptions.js';
import { tidySpaceJob } from './upkeep/retention/tidy-space-job.js';
import { contentWriter } from './writing/changes/content-writer.js';
import { writingHandlers } from './writing/changes/writing-handlers.js';
import { computedHandlers } from './writing/computed/computed-handlers.js';
import { refreshJob } from './writing/computed/refresh-job.js';
import { listDifferences as listAllDifferences } from './writing/differences/list-differences.js';
import { showDifference as showPageDifference } from './writing/differences/show-difference.js';
import { sweepDraftsJob, sweepDraftsWrite } from './writing/drafts/draft-removal.js';
import { draftVerbs } from './writing/drafts/draft-verbs.js';
import { historyHandlers } from './writing/history/history-handlers.js';
import { mergingHandlers } from './writing/merging/merging-handlers.js';

export function contentService(host: Host): ServiceSchema {
  const { config, room, ready, writable } = host;
  const deps = openDependencies(host);
  const { store, trees, jobs, outbox, work, specWork, proxy, outbound, embeds } = deps;
  const tokens = printTokens(deps);
  const writer = contentWriter(deps);
  let stopCollector: (() => void) | undefined;
  return bindService({
    name: 'content',
    contract: contentContract,
    // Clones of repositories lie there, wherever the stores are.
    ready: async () => {
      room.refuseIfFull();
      await ready();
    },
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'content' }),
    checkResponses: config.CHECK_RESPONSES,
    resolvers: [
      { kind: spaceKind, resolve: (question) => trees.resolve(question, 'space') },
      { kind: collectionKind, resolve: (question) => trees.resolve(question, 'collection') },
      { kind: specKind, resolve: resolveSpecAccess },
      { kind: translationSettingsKind, resolve: (question) => resolveTranslationAccess(store, question) },
      { kind: importKind, resolve: (question) => resolveOfSpaces(deps, contentImports, question) },
      { kind: gitInstallationKind, resolve: (question) => resolveOfSpaces(deps, gitInstallations, question) },
    ],
    handlers: {
      ...spaceHandlers({ ...deps, templates: openTemplates(deps) }),
      ...collectionHandlers(deps),
      ...moveHandlers(deps),
      ...memberSpaceHandlers(deps),
      ...permissionHandlers(deps),
      ...changeRequestHandlers(deps),
      ...organizationChangeRequestHandlers(deps),
      ...reviewerHandlers(deps),
      ...reviewHandlers(deps),
      ...writingHandlers(deps, writer),
      ...mergingHandlers(deps),
      ...historyHandlers(deps),
      ...readingHandlers(deps),
      ...computedHandlers(deps),
      ...embedHandlers(deps),
      ...linksHandlers(deps),
      ...printHandlers(deps),
      ...searchHandlers(deps),
      ...gitImportHandlers(deps),
      ...gitExportHandlers(deps),
      ...installationHandlers(deps),
      ...installationListHandlers(deps),
      ...hostHandlers(deps),
      ...contentImportHandlers(deps),
      ...copyHandlers(deps),
      ...templateHandlers(deps),
      ...importRunHandlers(deps),
      ...organizationExportHandlers(deps),
      ...storageHandlers(deps),
      ...uploadHandlers(deps),
      ...fontHandlers(deps),
      ...specHandlers(deps),
      ...versionHandlers(deps),
      ...specContentHandlers(deps),
      ...translationHandlers(deps),
      ...glossaryHandlers(deps),
      ...askingHandlers(deps),
      ...translatingHandlers(deps),
    },
    verbs: [
      implementVerb(importHandbook, (parameters) => makeHandbook(deps, parameters)),
      implementVerb(countSpaces, (parameters) => countAccessibleSpaces(deps, parameters)),
      implementVerb(grantByInvite, (parameters, context) => grantByAcceptedInvite(deps, parameters, context)),
      implementVerb(presentSpaces, (parameters, context) => presentSpacesTo(deps, parameters, context)),
      implementVerb(listDeletedSpaces, (parameters, { caller }) => listTrash(deps, parameters, caller)),
      ...visitVerbs(deps, writable),
      implementVerb(findPage, (parameters) => findPageIn(deps, parameters)),
      implementVerb(showPage, (parameters, { call }) => showPageTo(deps, parameters, call)),
      implementVerb(previewPage, (parameters, { call }) => previewPageTo(deps, parameters, call)),
      implementVerb(showTree, (parameters) => showTreeTo(deps, parameters)),
      implementVerb(showMarkdown, (parameters) => showPageMarkdown(deps, parameters)),
      implementVerb(showReferences, ({ visitor, refs }) => outsideTargets(deps, visitor, refs)),
      implementVerb(openPrinting, ({ token }, { call }) => openPrintLink({ ...deps, tokens }, token, call)),
      implementVerb(readFiles, (parameters) => readShownFiles(deps, parameters)),
      implementVerb(listDifferences, (parameters) => listAllDifferences(deps, parameters)),
      implementVerb(showDifference, (parameters) => showPageDifference(deps, parameters)),
      implementVerb(findChangeRequest, (parameters) => findPointer(store, parameters)),
      implementVerb(readTexts, ({ organization, texts }) => work.texts(texts, organization)),
      implementVerb(showTexts, ({ organization, ...texts }) => work.textsHtml(texts, organization)),
      implementVerb(findPeople, (parameters, { call }) => findPeopleOf(deps, parameters, call)),
      implementVerb(searchSpaces, (parameters) => searchManySpaces(deps, parameters)),
      implementVerb(prewarmSearch, (parameters) => prewarmManySpaces(deps, parameters)),
      implementVerb(beginAnswer, (parameters) => deps.answers.begin(parameters)),
      implementVerb(followAnswer, (parameters) => followAnswerOf(deps, parameters)),
      implementVerb(recommendQuestions, (parameters) => recommendQuestionsFor(deps, parameters)),
      implementVerb(findTarget, (parameters) => locateTarget(deps, parameters)),
      implementVerb(showTargets, (parameters) => presentTargets(deps, parameters)),
      implementVerb(findReaders, (parameters, { call }) => filterReaders(deps, parameters, call)),
      implementVerb(receiveGitHook, (hook) => takeHook(deps, hook)),
      implementVerb(convertPastedHtml, (parameters) => convertPasted(deps, parameters)),
      implementVerb(findUpload, ({ upload }) => awaitedUpload(store, upload)),
      implementVerb(receiveUpload, (parameters) => takeUpload(deps, parameters)),
      implementVerb(fontDefinitions, (parameters) => fontDefinitionsOf(deps, parameters)),
      ...archiveTakingVerbs(deps),
      ...draftVerbs({ ...deps, writer }, writable),
    ],
    receive: eventReceiver(contentConsumes, contentSubscribers(deps)),
    auditTrail: (record) => outbox.add(auditRecorded, record),
    async started() {
      await store.prepare(contentCollections, [pageSearch]);
      await rm(deps.scratchDir, { recursive: true, force: true });
    },
    async background() {
      jobs.register(gitImportJob(deps));
      jobs.register(gitExportJob(deps));
      jobs.register(lookAtGitJob(deps));
      jobs.register(syncGitJob(deps));
      jobs.register(tellGitStatusJob(deps));
      jobs.register(previewGitPullJob(deps));
      jobs.register(contentImportJob(deps));
      jobs.register(uploadImportJob(deps));
      jobs.register(copySpaceJob(deps));
      jobs.register(discardCopyJob(deps));
      jobs.register(organizationExportJob(deps));
      jobs.register(indexJob(deps));
      jobs.register(purgeSpaceJob(deps));
      jobs.register(tidySpaceJob(deps));
      jobs.register(purgeCollectionJob(deps));
      jobs.register(refreshJob(deps));
      jobs.register(processSpecJob(deps));
      jobs.register(recheckSpecJob(deps));
      jobs.register(removeSpecJob(deps));
      jobs.register(translateJob(deps));
      jobs.register(recountCommentsJob(deps));
      jobs.register(sweepDraftsJob(deps));
      await store.batch([recountOnceWrite(deps), sweepDraftsWrite(deps)]);
      await jobs.start();
      stopCollector = startCollector(deps, host.log);
      outbox.start();
    },
    async stopped() {
      stopCollector?.();
      await Promise.all([jobs.stop(), deps.answers.stop()]);
      await Promise.all([outbox.stop(), deps.indexer.stop()]);
      const opened = [work, specWork, deps.conversion, proxy, outbound, embeds, ...(deps.model ? [deps.model] : [])];
      await Promise.all(opened.map((each) => each.close()));
    },
  });
}
