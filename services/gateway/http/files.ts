import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { contentType } from 'mime-types';
import type { BlobLinks, LinkedBlob } from '../../../shared/blobs/links.js';
import type { Blobs } from '../../../shared/blobs/port.js';
import { notFound } from '../../../shared/errors/errors.js';
import { type Exchange, knownVersions, sendContent } from './reply.js';

const linkPattern = /^\/~files\/([0-9a-f]{64})\/([^/]+)$/;

function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}

/** Active content of a stored file (HTML, SVG) must not run on our origin. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw notFound('File');
  }
}

/** RFC 8187 allows fewer unencoded characters than a URL. */
const extendedValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** The blob of a signed link; null for an invalid one. */
export function linkedBlobAt(links: BlobLinks, path: string, search: URLSearchParams): LinkedBlob | null {
  const [, id, encoded] = linkPattern.exec(path) ?? [];
  return id && encoded ? links.verify(id, decodeName(encoded), search) : null;
}

/** Opens the file of a link; null for one that is gone. */
export async function openLinked(blobs: Blobs, { id, skip = 0 }: LinkedBlob): Promise<Readable | null> {
  const stored = await blobs.size(id);
  if (stored === null) return null;
  return stored > skip ? blobs.open(id, inBlob(undefined, { size: stored - skip, skip })) : Readable.from([]);
}

/** Streams the blob of a signed link, with ranges, HEAD and 304. Throws 404 for an invalid link. */
export async function sendFile(
  exchange: Exchange,
  path: string,
  search: URLSearchParams,
  links: BlobLinks,
  blobs: Blobs,
): Promise<void> {
  const { request, response, headers, deliveries } = exchange;
  const link = linkedBlobAt(links, path, search);
  const stored = link && (await blobs.size(link.id));
  if (!link || stored === null) throw notFound('File');
  const { skip = 0, until } = link;
  const size = stored - skip;
  headers['Content-Security-Policy'] = filePolicy;
  headers['Cache-Control'] = until === undefined ? 'public, max-age=31536000, immutable' : 'private, no-store';
  headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
  headers['Accept-Ranges'] = 'bytes';
  headers.ETag = `"${link.id}"`;
  const known = knownVersions(request.headers['if-none-match'] ?? '');
  if (known.includes('*') || known.includes(link.id)) return sendContent(exchange, 304, undefined);
  const range = parseRange(request.headers.range, size);
  if (range === 'unsatisfiable') {
    headers['Content-Range'] = `bytes */${size}`;
    headers['Cache-Control'] = 'no-store';
    return sendContent(exchange, 416, undefined);
  }
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${size}`;
  const content = request.method === 'HEAD' ? null : await openContent(blobs, link.id, inBlob(range, { size, skip }));
  if (exchange.isLast()) headers.Connection = 'close';
  response.writeHead(range ? 206 : 200, {
    'Content-Type': contentType(link.name) || 'application/octet-stream',
    'Content-Length': range ? range.end - range.start + 1 : size,
    'Content-Disposition': `inline; filename*=UTF-8''${extendedValue(link.name)}`,
    ...headers,
  });
  if (!content) return void response.end();
  deliveries.cutWhenSlow(response);
  await pipeline(content, response);
}

interface Bytes {
  start: number;
  end: number;
}

/** The bytes of a blob that a range of its file is. */
function inBlob(range: Bytes | undefined, { size, skip }: { size: number; skip: number }): Bytes | undefined {
  if (skip === 0) return range;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return { start: start + skip, end: end + skip };
}

/** Opens the content and waits for its first bytes: once the headers are sent, a failure cannot be answered. */
async function openContent(blobs: Blobs, id: string, range: Bytes | undefined): Promise<Readable> {
  const content = await blobs.open(id, range);
  if (!content) throw notFound('File');
  await once(content, 'readable');
  return content;
}
