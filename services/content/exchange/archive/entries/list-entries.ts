import type { Readable } from 'node:stream';
import type { Blobs } from '../../../../../shared/blobs/port.js';
import type { BlobOfFile } from '../../../../../shared/contract/archive.js';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';
import { isOfKept, toLines } from '../lines.js';

export interface Listed {
  file: string;
  /** Read one after the other, as they are written. */
  parts: AsyncIterable<{ lines: object[]; files?: BlobOfFile[] }>;
  /** The spaces of the archive: lines about others are left out. */
  kept: ReadonlySet<string>;
  /** The paths of files that are in the archive: lines of several lists may describe the same. */
  written: Set<string>;
}

/** A list of an archive, and after it the files that its lines describe. */
export async function* listEntries(
  { blobs }: { blobs: Blobs },
  { file, parts, kept, written }: Listed,
): AsyncGenerator<ArchiveEntry> {
  const described = new Map<string, BlobOfFile>();
  const lines = async function* () {
    for await (const { lines, files = [] } of parts) {
      for (const each of files) described.set(each.path, each);
      yield* lines.filter((line) => isOfKept(line, kept));
    }
  };
  yield { path: file, content: toLines(lines()) };
  for (const each of described.values()) {
    const content = written.has(each.path) ? null : await openFile(blobs, each);
    if (!content) continue;
    written.add(each.path);
    yield { path: each.path, content };
  }
}

/** Opens a file; null for one that is gone. */
async function openFile(blobs: Blobs, { blob, skip = 0 }: BlobOfFile): Promise<Readable | null> {
  const size = await blobs.size(blob);
  return size === null || size <= skip ? null : blobs.open(blob, { start: skip, end: size - 1 });
}
