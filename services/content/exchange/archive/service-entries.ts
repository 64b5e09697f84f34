import { type ArchivePart, archiveQuestion } from '../../../../shared/contract/archive.js';
import type { Call } from '../../../../shared/contract/context.js';
import type { ArchiveEntry } from '../../../../shared/zip/zip-stream.js';
import { isOfKept, toLines } from './lines.js';

/** The services that keep something of an organization besides content. */
const services = ['identity', 'comments', 'sites'];

/** The files that other services have of an organization. Each is asked for its next lines when those before are written. */
export async function* serviceEntries(
  call: Call,
  { organization, spaces }: { organization: string; spaces: ReadonlySet<string> },
): AsyncGenerator<ArchiveEntry> {
  for (const service of services) {
    let part: ArchivePart | undefined = await call(archiveQuestion(service), { organization });
    const linesOf = async function* (file: string) {
      while (part?.file === file) {
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
