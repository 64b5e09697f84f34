import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobLinks } from '../../../shared/blobs/links.js';
import type { Blobs } from '../../../shared/blobs/port.js';
import type { Piece } from '../../../shared/contract/operation.js';
import type { ZippedFile } from '../../../shared/contract/zipped-file.js';
import { apiError } from '../../../shared/errors/errors.js';
import { type ArchiveEntry, zipBytes } from '../../../shared/zip/zip-stream.js';
import { linkedBlobAt, openLinked } from './files.js';
import type { Exchange } from './reply.js';

export const zipType = 'application/zip';

const maxFiles = 100_000;
/** Bytes of all files together. */
const maxBytes = 4 * 1024 ** 3;

/** Where the blobs are that files of an archive name. */
export interface ZipSources {
  links: BlobLinks;
  blobs: Blobs;
}

interface Zipped {
  name: string;
  first: Piece;
  pieceAfter: (after: string) => Promise<Piece>;
}

/** Sends a ZIP archive while its files are made: each piece when its reader has taken those before. When one fails, the connection breaks off. */
export async function sendZip(exchange: Exchange, zipped: Zipped, sources: ZipSources): Promise<void> {
  const { request, response, headers, deliveries, isLast } = exchange;
  headers['Cache-Control'] = 'no-store';
  headers['Content-Type'] = zipType;
  headers['Content-Disposition'] = `attachment; filename="${zipped.name}"`;
  if (isLast()) headers.Connection = 'close';
  if (response.destroyed) return;
  response.writeHead(200, headers);
  if (request.method === 'HEAD') return void response.end();
  deliveries.cutWhenSlow(response);
  await pipeline(Readable.from(zipBytes(entriesOf(zipped, sources))), response);
}

async function* entriesOf({ first, pieceAfter }: Zipped, sources: ZipSources): AsyncGenerator<ArchiveEntry> {
  const written = new Set<string>();
  let left = maxBytes;
  const counted = async function* (content: AsyncIterable<Buffer>) {
    for await (const part of content) {
      left -= part.length;
      if (left < 0) throw apiError('TOO_LARGE', `The archive has more than ${maxBytes} bytes`);
      yield part;
    }
  };
  for (let piece = first; ; piece = await pieceAfter(piece.after)) {
    for (const file of filesIn(piece)) {
      const content = written.has(file.path) ? null : await openFile(file, sources);
      if (!content) continue;
      written.add(file.path);
      if (written.size > maxFiles) throw apiError('TOO_LARGE', `The archive has more than ${maxFiles} files`);
      yield { path: file.path, content: counted(content) };
    }
    if (piece.after === null) return;
  }
}

const filesIn = ({ lines }: Piece): ZippedFile[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ZippedFile);

/** Null for a blob that is gone. */
async function openFile(file: ZippedFile, { links, blobs }: ZipSources): Promise<Readable | null> {
  if ('text' in file) return Readable.from([Buffer.from(file.text)]);
  if ('base64' in file) return Readable.from([Buffer.from(file.base64, 'base64')]);
  const [path = '', search] = file.blob.split('?', 2);
  const link = linkedBlobAt(links, path, new URLSearchParams(search));
  return link && openLinked(blobs, link);
}
