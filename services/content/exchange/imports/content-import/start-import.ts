import { actingInstallation, tunnelOf } from '../../../../../shared/contract/caller.js';
import type { BodyOf } from '../../../../../shared/contract/operation.js';
import type { Context } from '../../../../../shared/contract/service.js';
import { conflict, invalid, notFound } from '../../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type HasStore, type Store, type Write, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import { checkChangeable } from '../../../core/change-requests/changes.js';
import { findChangeRequest } from '../../../core/change-requests/find.js';
import { spaces } from '../../../core/nodes/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import { creatorId } from '../../../core/spaces/new-space.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import { type Uploaded, uploadedFile } from '../../../core/storage/uploads/uploads.js';
import { checkWaitingJobs } from '../../../core/storage/waiting-jobs.js';
import type { contentImportOperations } from '../../contract/content-imports.js';
import { type ContentImportPayload, contentImport, uploadImport } from './content-import-job.js';
import { type ContentImportDocument, contentImports, hasEnded, unended } from './model.js';
import { checkGiven } from './sources/given-source.js';
import { keepUpload } from './uploads.js';

/** How long (days) imports that ended are shown. */
const shownDays = 90;

type Body = BodyOf<typeof contentImportOperations.importContent>;

export interface ImportTarget {
  space: string;
  changeRequest?: string;
  page?: string;
}

export type StartsImports = HasStore &
  HasSecrets &
  HasJobs &
  HasRevisions &
  HasLedger & { allowCidrs: readonly string[] };

export interface NewImport {
  target: ImportTarget;
  body: Body;
  /** The site that it is for. */
  site?: string;
}

/** Checks what can be checked at once, and starts the job. Throws 400, 404, 409 or 429 before anything is written. */
export async function startImport(
  deps: StartsImports,
  { target, body, site }: NewImport,
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
    ...(site === undefined ? {} : { site }),
    ...('key' in given ? { key: given.key } : {}),
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
  { space, changeRequest, page }: ImportTarget,
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

export async function findImport({ store }: HasStore, id: string): Promise<ContentImportDocument> {
  const item = await store.get(contentImports, id);
  if (!item) throw notFound('Import');
  return item;
}

/** Cancels an import. Throws 409 where it has ended. */
export async function cancelImport(
  deps: HasStore,
  _id: string,
  { audit }: Pick<Context, 'audit'>,
): Promise<ContentImportDocument> {
  const item = await findImport(deps, _id);
  if (hasEnded(item)) throw conflict(`The import is ${item.state} already`, 'wrong_state');
  const now = timestamp();
  const ended = { state: 'cancelled' as const, updatedAt: now, completedAt: now };
  await deps.store.batch([
    write.update(contentImports, { _id, state: { $in: unended } }, { $set: ended }, { expect: 1 }),
    audit('import', _id, { details: { space: item.space } }),
  ]);
  return { ...item, ...ended };
}
