import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface ArchiveEntry {
  path: string;
  content: Buffer | AsyncIterable<Buffer>;
}

/** The same for every file, so that equal content gives equal bytes. The format has the local time: this is its first day everywhere. */
const metadata = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** The bytes of a ZIP archive. Each entry is asked for when the one before it has been read to its end. */
export async function* zipBytes(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  // `outputStream` is a PassThrough, whatever its type says.
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => void output.destroy(error);
  zip.on('error', fail);
  const feeding = feedEntries(zip, output, entries).catch(fail);
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    output.destroy();
    await feeding;
  }
}

async function feedEntries(zip: ZipFile, output: Readable, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  const closed = finished(output).catch(() => undefined);
  for await (const { path, content } of entries) {
    const source = Readable.from(content);
    zip.addReadStreamLazy(path, metadata, (give) => give(null, source));
    await Promise.race([finished(source), closed]);
    if (output.destroyed) return;
  }
  zip.end();
}
