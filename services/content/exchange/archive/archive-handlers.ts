import type { BlobLinks } from '../../../../shared/blobs/links.js';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { conflict, notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { type HasStore, StoreDuplicate, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { creatorId } from '../../core/spaces/new-space.js';
import { checkWaitingJobs } from '../../core/storage/waiting-jobs.js';
import type { organizationExportOperations } from '../contract/organization-exports.js';
import { type OrganizationExportPayload, organizationExport } from './archive-job.js';
import { deleteArchive, expiredRemovalWrite, expiryFromNow } from './expiry.js';
import { type OrganizationExportDocument, organizationExports, presentExport } from './model.js';

type Dependencies = HasStore & HasBlobs & HasJobs & { baseUrl: string; links: BlobLinks };

export function organizationExportHandlers(deps: Dependencies): HandlersOf<typeof organizationExportOperations> {
  const { store, jobs } = deps;
  return {
    async exportOrganization({ path: { organizationId: organization } }, { audit, caller, requestId }) {
      await checkWaitingJobs(jobs, organization);
      const item = newExport(organization, creatorId(caller));
      const payload: OrganizationExportPayload = { export: item._id, requestId };
      try {
        await store.batch([
          expiredRemovalWrite(organization),
          write.insert(organizationExports, item),
          jobs.enqueue(organizationExport, payload, { share: organization }),
          audit('organization', organization, { details: { export: item._id } }),
        ]);
      } catch (error) {
        if (error instanceof StoreDuplicate)
          throw conflict('An export of the organization is under way: wait for its end, or delete it', 'wrong_state');
        throw error;
      }
      return presentExport(deps, item);
    },

    async listOrganizationExports({ path: { organizationId: organization }, query: request }) {
      const filter = { organization, expiresAt: { $gt: timestamp() } };
      return listPage(store, organizationExports, { filter, sort: { createdAt: -1 }, request }, (items) =>
        items.map((item) => presentExport(deps, item)),
      );
    },

    async getOrganizationExport({ path }) {
      return presentExport(deps, await findExport(deps, path));
    },

    async deleteOrganizationExport({ path }, { audit }) {
      const { _id, organization, blob } = await findExport(deps, path);
      await store.batch([
        write.delete(organizationExports, { _id, blob: blob ?? null }, { expect: 1 }),
        audit('organization', organization, { details: { export: _id } }),
      ]);
      if (blob) await deleteArchive(deps, blob);
    },
  };
}

function newExport(organization: string, createdBy: string): OrganizationExportDocument {
  const now = timestamp();
  return {
    _id: newId(),
    organization,
    unended: organization,
    state: 'pending',
    exportedSpaces: 0,
    totalSpaces: 0,
    createdBy,
    createdAt: now,
    updatedAt: now,
    expiresAt: timestamp(expiryFromNow()),
  };
}

/** Throws 404 for an export of another organization, or one that has expired. */
async function findExport(
  { store }: HasStore,
  { organizationId, exportId }: { organizationId: string; exportId: string },
): Promise<OrganizationExportDocument> {
  const item = await store.get(organizationExports, exportId);
  if (item?.organization !== organizationId || item.expiresAt <= timestamp()) throw notFound('Export');
  return item;
}
