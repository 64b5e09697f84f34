import type { BodyOf } from '../../../../shared/contract/operation.js';
import { apiError, invalid } from '../../../../shared/errors/errors.js';
import { checkUrl } from '../../../../shared/outbound/address.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { type Write, write } from '../../../../shared/store/port.js';
import { eachInSlices, nextTurn } from '../../../../shared/work/slices.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { blobUseId, blobUses } from '../../core/storage/model.js';
import type { specOperations } from '../contract/specs.js';
import { ownerOf, type SpecDocument, type StoredSource } from './model.js';
import { withoutCredentials } from './present.js';

type GivenSource = BodyOf<(typeof specOperations)['createOpenAPISpec']>['source'];

/** Bytes. */
const maxTextBytes = 16 * 1024 * 1024;
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** A source that is checked. */
export type CheckedSource = { url: string } | { text: Buffer };

/** Throws 400 for a URL that is never fetched, and 413 for a text that is too long. */
export async function checkSource(
  { url, text = '' }: GivenSource,
  allowCidrs: readonly string[],
): Promise<CheckedSource> {
  if (url === undefined) {
    // To take over the text from the request took its time.
    await nextTurn();
    if (Buffer.byteLength(text) > maxTextBytes)
      throw apiError('TOO_LARGE', `source.text: larger than 16 MiB; publish it by a URL, which takes 32 MiB`);
    return { text: await bytesInSlices(text) };
  }
  const checked = checkUrl(url, { allowCidrs });
  if (!checked.ok) throw invalid(`source.url: ${checked.problem}`);
  return { url };
}

/** The details of a source for the audit trail: the URL without credentials, or the size of the text. */
export const detailsOf = (source: CheckedSource): Record<string, unknown> =>
  'url' in source ? { sourceURL: withoutCredentials(source.url) } : { text: megabytes(source.text.length) };

/** A source as it is stored, and what must hold in the batch that stores it. */
export async function storeSource(
  { secrets, ledger }: HasSecrets & HasLedger,
  source: CheckedSource,
  spec: Pick<SpecDocument, '_id' | 'organization'>,
): Promise<{ source: StoredSource; holds: Write[] }> {
  if ('url' in source) return { source: { kind: 'url', url: secrets.encrypt(source.url) }, holds: [] };
  const owner = ownerOf(spec);
  await ledger.openUsage(owner);
  const blob = await ledger.addFile(owner, source.text);
  // A job of the specification may have removed what nothing refers to yet.
  return { source: { kind: 'text', blob }, holds: [write.check(blobUses, { _id: blobUseId(spec._id, blob) }, 1)] };
}

/** Characters. */
const encodedAtOnce = 256 * 1024;

/** As `Buffer.from`, for a text of any length: other work gets its turn meanwhile. */
export async function bytesInSlices(text: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let at = 0;
  await eachInSlices(partsOf(text), (part) => {
    at += bytes.write(part, at);
  });
  return bytes;
}

/** The two halves of one character stay together. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + encodedAtOnce;
    const isCut = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const part = text.slice(start, isCut ? end + 1 : end);
    start += part.length;
    yield part;
  }
}
