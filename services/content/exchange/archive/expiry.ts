import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { organizationExports } from './model.js';

/** How long exports and their archives are kept. */
const keptMs = 7 * 24 * 3600_000;

export const expiryFromNow = (): Date => new Date(Date.now() + keptMs);

/** The write that removes exports of an organization whose archive has expired. */
export const expiredRemovalWrite = (organization: string) =>
  write.delete(organizationExports, { organization, expiresAt: { $lte: timestamp() }, unended: null });

/** Deletes an archive, unless an export of the same content has it too. */
export async function deleteArchive({ store, blobs }: HasStore & HasBlobs, blob: string): Promise<void> {
  if ((await store.count(organizationExports, { blob })) === 0) await blobs.delete(blob);
}
