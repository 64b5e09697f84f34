import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { SpecOutline } from '../document/outline.js';
import { specs, specVersions } from './model.js';

export interface LatestOutline {
  spec: { id: string; slug: string; lastVersion?: string };
  /** Absent while the specification has no version. */
  outline?: SpecOutline;
}

/** The outline of the latest version of a specification, which pages are made from; null if the specification does not exist. */
export async function latestOutline(
  { store, blobs }: HasStore & HasBlobs,
  { organization, slug }: { organization: string; slug: string },
): Promise<LatestOutline | null> {
  const found = await store.findOne(specs, { organization, slug }, { fields: ['slug', 'lastVersion'] });
  if (!found) return null;
  const { _id: id, lastVersion } = found;
  if (lastVersion === undefined) return { spec: { id, slug } };
  const version = await store.get(specVersions, lastVersion, { fields: ['outline'] });
  const content = version && (await blobs.read(version.outline));
  // Since it was found, the version was deleted, or replaced so often that it was removed.
  if (!content) return { spec: { id, slug } };
  return { spec: { id, slug, lastVersion }, outline: JSON.parse(content.toString()) as SpecOutline };
}
