import { setTimeout as delay } from 'node:timers/promises';
import type { BodyOf } from '../../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../../shared/contract/service.js';
import { conflict } from '../../../../../shared/errors/errors.js';
import { listPage } from '../../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { findChangeRequest } from '../../../core/change-requests/find.js';
import type { contentImportOperations } from '../../contract/content-imports.js';
import { importErrorOf } from './content-import-job.js';
import { shownImports } from './import-access.js';
import { type ContentImportDocument, contentImports, hasEnded, presentImport } from './model.js';
import type { ContentImport } from './resources.js';
import { cancelImport, findImport, type ImportTarget, type StartsImports, startImport } from './start-import.js';

type Body = BodyOf<typeof contentImportOperations.importContent>;

/** Milliseconds that a request waits for its import: less than a request may take. */
const maxWaitMs = 7500;
const firstLook = 30;
const maxLookMs = 300;
export function contentImportHandlers(
  deps: StartsImports & HasTrees & { baseUrl: string },
): HandlersOf<typeof contentImportOperations> {
  const { store, baseUrl } = deps;

  const runToAnswer = async (target: ImportTarget, body: Body, context: Context) => {
    const { _id } = await startImport(deps, { target, body }, context);
    return toAnswer(deps, await waitForEnd(deps, _id));
  };

  return {
    async importContent({ path: { spaceId: space }, body }, context) {
      return runToAnswer({ space }, body, context);
    },

    async importContentInPageById({ path: { spaceId: space, pageId: page }, body }, context) {
      return runToAnswer({ space, page }, body, context);
    },

    async importContentInChangeRequest({ path, body }, context) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: ['number'] });
      return runToAnswer({ space: path.spaceId, changeRequest }, body, context);
    },

    async importContentInChangeRequestPageById({ path, body }, context) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: ['number'] });
      return runToAnswer({ space: path.spaceId, changeRequest, page: path.pageId }, body, context);
    },

    async listContentImports({ path: { organizationId: organization }, query: request }, { caller }) {
      const { shown, count } = await shownImports(deps, { caller, organization, space: request.space });
      const filter = { organization, space: { $in: shown } };
      return listPage(store, contentImports, { filter, sort: { createdAt: -1 }, request, count }, (items) =>
        items.map((item) => presentImport(baseUrl, item)),
      );
    },

    async getContentImport({ path: { importId } }) {
      return presentImport(baseUrl, await findImport(deps, importId));
    },

    async cancelContentImport({ path: { importId } }, context) {
      await cancelImport(deps, importId, context);
    },
  };
}

/** The import when it has ended, or as it is when the request has waited long enough. */
async function waitForEnd(deps: HasStore, id: string): Promise<ContentImportDocument> {
  const until = Date.now() + maxWaitMs;
  for (let pause = firstLook; ; pause = Math.min(maxLookMs, pause * 1.5)) {
    await delay(pause);
    const item = await findImport(deps, id);
    if (hasEnded(item) || Date.now() > until) return item;
  }
}

/** Throws the error that the import ended with. */
function toAnswer({ baseUrl }: { baseUrl: string }, item: ContentImportDocument) {
  const { space, state, revision, importedResources, totalResources, problems } = item;
  if (state === 'failed') throw importErrorOf(item);
  if (state === 'cancelled') throw conflict('The import was cancelled', 'wrong_state');
  if (revision === undefined) return presentImport(baseUrl, item) satisfies ContentImport;
  const location = `${baseUrl}/v1/spaces/${space}/revisions/${revision}`;
  return { revision, importedResources, totalResources, ...(problems ? { problems } : {}), urls: { location } };
}
