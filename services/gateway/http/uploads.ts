import type { IncomingMessage } from 'node:http';
import type { Blobs } from '../../../shared/blobs/port.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError, invalid, notFound } from '../../../shared/errors/errors.js';
import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import { findUpload, receiveUpload } from '../../content/contract.js';
import { type Exchange, sendContent } from './reply.js';
import { checkMethod } from './request.js';

const place = '/~uploads/';
export const uploadMethods = ['PUT'];

export const isUploadPath = (path: string): boolean => path.startsWith(place);

/** How long content that nobody claims is kept. */
const keptMs = 48 * 3_600_000;

interface Upload {
  tokens: SignedTokens;
  blobs: Blobs;
  call: Call;
}

/**
 * Takes the bytes that the URL of an upload was made for. Throws 404 for a URL that is not valid any more, 409 where it has taken them already,
 * 400, 413 or 415 for other bytes than announced.
 */
export async function takeUpload(exchange: Exchange, { tokens, blobs, call }: Upload): Promise<void> {
  const { request, path } = exchange;
  checkMethod(request, uploadMethods);
  const { upload } = (await tokens.verify(path.slice(place.length))) ?? {};
  if (typeof upload !== 'string') throw notFound('Upload');
  const awaited = await call(findUpload, { upload });
  checkAnnounced(request, awaited);
  const { id: blob } = await blobs.put(bytesOf(request, awaited.size), { expiresAt: new Date(Date.now() + keptMs) });
  await call(receiveUpload, { upload, blob });
  await sendContent(exchange, 204, undefined);
}

function checkAnnounced({ headers }: IncomingMessage, { type, size }: { type: string; size: number }): void {
  const [given = ''] = String(headers['content-type'] ?? '').split(';', 1);
  if (given.trim().toLowerCase() !== type)
    throw apiError('UNSUPPORTED_MEDIA_TYPE', `Send the file with the Content-Type ${type} that was announced`);
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    throw apiError('UNSUPPORTED_MEDIA_TYPE', 'Send the file without Content-Encoding');
  const length = headers['content-length'];
  if (length !== undefined && Number(length) !== size) throw otherSize(Number(length), size);
}

const otherSize = (sent: number, size: number): Error =>
  sent > size
    ? apiError('TOO_LARGE', `The file is larger than the ${size} bytes that were announced`)
    : invalid(`body: must have the ${size} bytes that were announced`);

/** The bytes of a request. Throws as soon as there are more than `size`, and at the end for fewer. */
async function* bytesOf(request: IncomingMessage, size: number): AsyncGenerator<Buffer> {
  let sent = 0;
  // The answer to a request that is too large needs the connection.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sent += part.length;
    if (sent > size) throw otherSize(sent, size);
    yield part;
  }
  if (sent < size) throw otherSize(sent, size);
}
