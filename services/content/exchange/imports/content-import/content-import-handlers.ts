import { setTimeout as delay } from 'node:timers/promises';
import { actingInstallation, tunnelOf } from '../../../../../shared/contract/caller.js';
import type { BodyOf } from '../../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../../shared/contract/service.js';
import { conflict, invalid, notFound } from '../../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import { listPage } from '../../../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type HasStore, type Store, type Write, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { checkChangeable } from '../../../core/change-requests/changes.js';
import { findChangeRequest } from '../../../core/change-requests/find.js';
import { spaces } from '../../../core/nodes/model.js';
import { spaceKind } from '../../../core/resources.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import { creatorId } from '../../../core/spaces/new-space.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import { type Uploaded, uploadedFile } from '../../../core/storage/uploads/uploads.js';
import { checkWaitingJobs } from '../../../core/storage/waiting-jobs.js';
import type { contentImportOperations } from '../../contract/content-imports.js';
import { type ContentImportPayload, contentImport, importErrorOf, uploadImport } from './content-import-job.js';
import { type ContentImportDocument, contentImports, hasEnded, presentImport, unended } from './model.js';
import type { ContentImport } from './resources.js';
import { checkGiven } from './sources/given-source.js';
import { keepUpload } from './uploads.js';

type Body = BodyOf<typeof contentImportOperations.importContent>;

/** Milliseconds that a request waits for its import: less than a request may take. */
const maxWaitMs = 7500;
const firstLook = 30;
const maxLookMs = 300;
/** How long (days) imports that ended are shown. */
const shownDays = 90;

interface Target {
  space: string;
  changeRequest?: string;
  page?: string;
}

export function contentImportHandlers(
  deps: HasStore &
    HasSecrets &
    HasJobs &
    HasTrees &
    HasRevisions &
    HasLedger & { baseUrl: string; allowCidrs: readonly string[] },
): HandlersOf<typeof contentImportOperations> {
  const { store, trees, baseUrl } = deps;

  const runToAnswer = async (target: Target, body: Body, context: Context) => {
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
      const accessible = await trees.nodesAccessibleTo(caller, organization, 'space');
      const counts = await store.countBy(contentImports, 'space', { organization });
      const roles: readonly (string | null)[] = spaceKind.rights.edit;
      const isAsked = ({ id }: { id: string }) => counts.has(id) && (request.space ?? id) === id;
      const shown = accessible.flatMap(({ node, role }) => (roles.includes(role) && isAsked(node) ? [node.id] : []));
      const filter = { organization, space: { $in: shown } };
      const count = shown.reduce((sum, space) => sum + (counts.get(space) ?? 0), 0);
      return listPage(store, contentImports, { filter, sort: { createdAt: -1 }, request, count }, (items) =>
        items.map((item) => presentImport(baseUrl, item)),
      );
    },

    async getContentImport({ path: { importId } }) {
      return presentImport(baseUrl, await findImport(deps, importId));
    },

    async cancelContentImport({ path: { importId: _id } }, { audit }) {
      const item = await findImport(deps, _id);
      if (hasEnded(item)) throw conflict(`The import is ${item.state} already`, 'wrong_state');
      const now = timestamp();
      await store.batch([
        write.update(
          contentImports,
          { _id, state: { $in: unended } },
          { $set: { state: 'cancelled', updatedAt: now, completedAt: now } },
          { expect: 1 },
        ),
        audit('import', _id, { details: { space: item.space } }),
      ]);
    },
  };
}

async function findImport({ store }: HasStore, id: string): Promise<ContentImportDocument> {
  const item = await store.get(contentImports, id);
  if (!item) throw notFound('Import');
  return item;
}

/** Checks what can be checked at once, and starts the job. Throws 400, 404, 409 or 429 before anything is written. */
async function startImport(
  deps: HasStore & HasSecrets & HasJobs & HasRevisions & HasLedger & { allowCidrs: readonly string[] },
  { target, body }: { target: Target; body: Body },
  { access: { organization }, audit, caller, requestId }: Context,
): Promise<ContentImportDocument> {
  const { store, jobs, ledger, secrets } = deps;
  const given = checkGiven(deps, body);
  await checkTarget(deps, target);
  const { url, content } = await givenContent(store, given, organization);
  await ledger.checkRoom(organization, Buffer.isBuffer(content) ? content.length : (content?.size ?? 1));
  await checkWaitingJobs(jobs, organization);
  const now = timestamp();
  const { space, changeRequest, page } = target;
  const { source } = body;
  const installation = actingInstallation(caller);
  const item: ContentImportDocument = {
    _id: newId(),
    organization,
    ...target,
    source,
    url,
    state: 'pending',
    importedResources: 0,
    totalResources: 0,
    createdBy: creatorId(caller),
    ...(installation === undefined ? {} : { installation }),
    ...tunnelOf(caller),
    createdAt: now,
    updatedAt: now,
  };
  const payload: ContentImportPayload = { import: item._id, url: secrets.encrypt(body.url ?? url), requestId };
  const old = timestamp(new Date(Date.now() - shownDays * 24 * 3_600_000));
  await store.deleteMany(contentImports, { space, createdAt: { $lt: old } });
  const details = { import: item._id, url, source, ...(page ? { page } : {}) };
  const start = ({ upload, checks = [] }: { upload?: string; checks?: Write[] } = {}) =>
    store.batch([
      write.check(spaces, { _id: space, deletedAt: null }, 1),
      ...checks,
      write.insert(contentImports, { ...item, ...(upload ? { upload } : {}) }),
      jobs.enqueue(upload ? uploadImport : contentImport, payload, {
        orderKey: `content import ${space}`,
        share: organization,
      }),
      changeRequest ? audit('change-request', changeRequest, { details }) : audit('space', space, { details }),
    ]);
  if (content) await keepUpload(deps, { content, owner: { organization, space } }, start);
  else await start();
  return item;
}

/** Finds what an import shows as its address, and the file of one without an address. Throws 412 for a key under which nothing was uploaded. */
async function givenContent(
  store: Store,
  given: ReturnType<typeof checkGiven>,
  organization: string,
): Promise<{ url: string; content?: Buffer | Uploaded }> {
  if (!('key' in given)) return { url: given.url, ...('bytes' in given ? { content: given.bytes } : {}) };
  const content = await uploadedFile(store, { organization, kind: 'import_file', key: given.key, field: 'file.key' });
  return { url: content.name, content };
}

/** Throws 404 for a page that is not there, 400 for one that cannot hold others. */
async function checkTarget(
  { store, revisions }: HasStore & HasRevisions,
  { space, changeRequest, page }: Target,
): Promise<void> {
  const content = changeRequest
    ? await findChangeRequest(store, { spaceId: space, changeRequestId: changeRequest })
    : undefined;
  if (content) checkChangeable(content);
  if (page === undefined) return;
  const view = content ? await revisions.get(space, content.revision) : await revisions.current(space);
  const type = view.pageById.get(page)?.type;
  if (type === undefined) throw notFound('Page');
  if (type !== 'document' && type !== 'group') throw invalid(`pageId: a ${type} page holds no pages`);
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
