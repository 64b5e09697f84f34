import { createHash } from 'node:crypto';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';

/** The checksums of an archive, as `sha256sum -c` takes them. */
export const sumsFile = 'SHA256SUMS';

/** Adds the checksums of the entries as the last one. `onBytes` is told what each piece takes, and may throw. */
export async function* withSums(
  entries: AsyncIterable<ArchiveEntry>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<ArchiveEntry> {
  const lines: string[] = [];
  for await (const { path, content } of entries) {
    yield { path, content: hashed(content, onBytes, (sum) => lines.push(`${sum}  ${path}\n`)) };
  }
  yield { path: sumsFile, content: Buffer.from(lines.join('')) };
}

async function* hashed(
  content: ArchiveEntry['content'],
  onBytes: (bytes: number) => void,
  onSum: (sum: string) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of Buffer.isBuffer(content) ? [content] : content) {
    onBytes(piece.length);
    hash.update(piece);
    yield piece;
  }
  onSum(hash.digest('hex'));
}
