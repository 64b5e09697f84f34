import { type ArchivePart, archiveQuestion } from '../../../../shared/contract/archive.js';
import type { Call } from '../../../../shared/contract/context.js';
import type { ArchiveEntry } from '../../../../shared/zip/zip-stream.js';
import { isOfKept, toLines } from './lines.js';

/** The services that keep something of an organization besides content. */
const services = ['identity', 'comments', 'sites'];

interface Archiving {
  organization: string;
  spaces: ReadonlySet<string>;
  /** Gets the names of members, by the ids of their users, once the members are written. */
  names: Map<string, string>;
}

/** The files that other services have of an organization. Each is asked for its next lines when those before are written. */
export async function* serviceEntries(
  call: Call,
  { organization, spaces, names }: Archiving,
): AsyncGenerator<ArchiveEntry> {
  for (const service of services) {
    let part: ArchivePart | undefined = await call(archiveQuestion(service), { organization });
    const linesOf = async function* (file: string) {
      while (part?.file === file) {
        if (file === membersFile) noteNames(part.lines, names);
        yield* part.lines.filter((line) => isOfKept(line, spaces));
        part = part.next && (await call(archiveQuestion(service), { organization, at: part.next }));
      }
    };
    while (part) {
      const { file }: ArchivePart = part;
      yield { path: file, content: toLines(linesOf(file)) };
    }
  }
}

const membersFile = 'members.ndjson';

function noteNames(members: { user?: string; displayName?: string }[], names: Map<string, string>): void {
  for (const { user, displayName } of members)
    if (user !== undefined && displayName !== undefined) names.set(user, displayName);
}
