import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import { type ArchivePart, archiveQuestion } from '../../../../../shared/contract/archive.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';
import { type Listed, listEntries } from './list-entries.js';

/** The services that keep something of an organization besides content. */
const services = ['identity', 'comments', 'sites', 'integrations'];

interface Archiving extends Pick<Listed, 'kept' | 'written'> {
  organization: string;
  /** Gets the names of members, by the ids of their users, once the members are written. */
  names: Map<string, string>;
}

/** The files that other services have of an organization. Each is asked for its next lines when those before are written. */
export async function* serviceEntries(
  deps: HasBlobs & HasCallAsSystem,
  { organization, names, ...rest }: Archiving,
): AsyncGenerator<ArchiveEntry> {
  const call = deps.callAsSystem();
  for (const service of services) {
    let part: ArchivePart | undefined = await call(archiveQuestion(service), { organization });
    const partsOf = async function* (file: string) {
      while (part?.file === file) {
        if (file === membersFile) noteNames(part.lines, names);
        yield part;
        part = part.next && (await call(archiveQuestion(service), { organization, at: part.next }));
      }
    };
    while (part) {
      const { file }: ArchivePart = part;
      yield* listEntries(deps, { file, parts: partsOf(file), ...rest });
    }
  }
}

const membersFile = 'members.ndjson';

function noteNames(members: { user?: string; displayName?: string }[], names: Map<string, string>): void {
  for (const { user, displayName } of members)
    if (user !== undefined && displayName !== undefined) names.set(user, displayName);
}
