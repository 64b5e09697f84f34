import { type Write, write } from '../../../../shared/store/port.js';
import type { InstallationDependencies } from '../find.js';
import { configurations, type InstalledDocument } from '../model.js';
import type { InstallationConfiguration } from '../resources.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'secrets'>;

/** The configurations of installations, also of those on spaces and sites, read at once: a function that throws for none of them. */
export async function readConfigurations(
  { store, secrets }: Dependencies,
  documents: readonly Pick<InstalledDocument, '_id' | 'bytes'>[],
): Promise<(document: { _id: string }) => InstallationConfiguration> {
  const ids = documents.filter(({ bytes }) => bytes > 0).map(({ _id }) => _id);
  const found = ids.length > 0 ? await store.getMany(configurations, ids) : [];
  const sealed = new Map(found.map((each) => [each._id, each.sealed]));
  return ({ _id }) => {
    const text = sealed.get(_id);
    return text === undefined ? {} : JSON.parse(secrets.decrypt(text));
  };
}

export const readConfiguration = async (
  deps: Dependencies,
  document: Pick<InstalledDocument, '_id' | 'bytes'>,
): Promise<InstallationConfiguration> => (await readConfigurations(deps, [document]))(document);

/** The write that stores a configuration, with the characters that it takes. */
export function configurationWrite(
  { secrets }: Pick<Dependencies, 'secrets'>,
  { _id, publication }: Pick<InstalledDocument, '_id' | 'publication'>,
  configuration: InstallationConfiguration,
): { write: Write; bytes: number } {
  if (Object.keys(configuration).length === 0) return { write: write.delete(configurations, { _id }), bytes: 0 };
  const sealed = secrets.encrypt(JSON.stringify(configuration));
  return { write: write.upsert(configurations, { _id }, { $set: { publication, sealed } }), bytes: sealed.length };
}
