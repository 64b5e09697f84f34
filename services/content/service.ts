import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceSchema } from 'moleculer';
import { blobLinks } from '../../shared/blobs/links.js';
import { bindService, implement } from '../../shared/contract/service.js';
import { notFound } from '../../shared/errors.js';
import { Jobs } from '../../shared/jobs.js';
import { createProxy } from '../../shared/outbound/proxy.js';
import { slicePage, versionOfPage } from '../../shared/paging.js';
import type { Platform } from '../../shared/platform.js';
import { createCollection, deleteCollection, getCollection, listCollections, updateCollection } from './collections.js';
import { ContentTrees } from './content-tree.js';
import { contentContract, importHandbook } from './contract.js';
import { type GitRules, getGitInfo, startGitImport } from './git-import.js';
import { gitImportJob } from './git-import-job.js';
import { makeHandbook } from './handbook.js';
import { allCollections, pageSearch } from './model.js';
import { openPageWork } from './page-work.js';
import { type Presentation, presentFile, presentPage, presentRevision, readPage } from './pages.js';
import { purgeJob } from './purge.js';
import { collectionKind, spaceKind } from './resources.js';
import { Revisions } from './revisions.js';
import { searchSpace } from './search.js';
import { createSpace, deleteSpace, getSpace, listSpaces, restoreSpace, updateSpace } from './spaces.js';

function rulesOf({ config, store, blobs, secrets, log, exclusive }: Platform): GitRules {
  return {
    store,
    blobs,
    secrets,
    baseUrl: config.baseUrl,
    trees: new ContentTrees(store, exclusive),
    jobs: new Jobs({ store, service: 'content', log, exclusive }),
    revisions: new Revisions(store),
    work: openPageWork(),
    proxy: createProxy({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS }),
    cacheDir: exclusive ? join(config.DATA_DIR, 'git') : mkdtempSync(join(tmpdir(), 'bindery-git-')),
  };
}

export function contentService(platform: Platform): ServiceSchema {
  const { config, store, secrets, ready } = platform;
  const rules = rulesOf(platform);
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
      createSpace: ({ path, body }, { caller }) => createSpace(rules, path.organizationId, caller, body),
      listSpacesInOrganizationById: ({ path, query }, { caller }) =>
        listSpaces(rules, { organization: path.organizationId }, caller, query),
      getSpaceById: ({ path }, { access }) => getSpace(rules, path.spaceId, access),
      updateSpaceById: ({ path, body }, { access }) => updateSpace(rules, path.spaceId, body, access),
      deleteSpaceById: ({ path }, { access }) => deleteSpace(rules, path.spaceId, access),
      restoreSpace: ({ path }, { access }) => restoreSpace(rules, path.spaceId, access),
      createCollection: ({ path, body }, { caller }) => createCollection(rules, path.organizationId, caller, body),
      listCollectionsInOrganizationById: ({ path, query }, { caller }) =>
        listCollections(rules, path.organizationId, caller, query),
      getCollectionById: ({ path }, { access }) => getCollection(rules, path.collectionId, access),
      updateCollectionById: ({ path, body }, { access }) => updateCollection(rules, path.collectionId, body, access),
      deleteCollectionById: ({ path }, { access }) => deleteCollection(rules, path.collectionId, access),
      listSpacesInCollectionById: ({ path, query }, { caller, access }) =>
        listSpaces(rules, { organization: access.organization, parent: path.collectionId }, caller, query),
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
      importGitRepository: ({ path, body }) => startGitImport(rules, path.spaceId, body),
      getSpaceGitInfo: ({ path }) => getGitInfo(rules, path.spaceId),
    },
    verbs: [implement(importHandbook, ({ organization, creator }) => makeHandbook(rules, organization, creator))],
    async started() {
      await store.prepare(allCollections, [pageSearch]);
      jobs.register(gitImportJob(rules));
      jobs.register(purgeJob(store));
      await jobs.start();
    },
    async stopped() {
      await jobs.stop();
      await Promise.all([work.close(), proxy.close()]);
    },
  });
}
