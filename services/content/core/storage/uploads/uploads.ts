import type { Blobs, HasBlobs } from '../../../../../shared/blobs/port.js';
import { apiError, conflict, invalid, notFound } from '../../../../../shared/errors/errors.js';
import { eachDocument, type HasStore, type Store } from '../../../../../shared/store/port.js';
import { timeIn } from '../../../../../shared/values/ids.js';
import { type FontFormat, fontFormatOf, fontHeaderBytes } from './font-format.js';
import { type UploadDocument, uploads, usableMs } from './model.js';
import type { UploadKind } from './resources.js';

const usableSince = (): string => timeIn(-usableMs);

/** Bytes of the files that an organization uploads or has uploaded within a day, and their number. */
export async function pendingUploads(store: Store, organization: string): Promise<{ count: number; bytes: number }> {
  const pending = { count: 0, bytes: 0 };
  const filter = { organization, createdAt: { $gt: usableSince() } };
  for await (const { size } of eachDocument(store, uploads, filter, ['size'])) {
    pending.count += 1;
    pending.bytes += size;
  }
  return pending;
}

/** Finds what the URL of an upload takes. Throws 404 where it takes nothing any more, 409 where it has taken it. */
export async function awaitedUpload(store: Store, id: string): Promise<UploadDocument> {
  const upload = await store.get(uploads, id);
  if (!upload || upload.createdAt <= usableSince()) throw notFound('Upload');
  if (upload.blob !== undefined) throw alreadyUploaded();
  return upload;
}

const alreadyUploaded = () => conflict('This URL was used: get another one to upload again', 'wrong_state');

/** Takes over what was uploaded. Throws 400 for bytes that are not of their kind or length, 409 where others came first. */
export async function takeUpload(
  { store, blobs }: HasStore & HasBlobs,
  { upload: id, blob }: { upload: string; blob: string },
): Promise<void> {
  const upload = await awaitedUpload(store, id);
  if ((await blobs.size(blob)) !== upload.size)
    throw invalid(`body: must have the ${upload.size} bytes that were announced`);
  if (upload.kind === 'customization_font' && !(await formatOfFont(blobs, { blob, size: upload.size })))
    throw invalid('body: must be a font in the format WOFF2, WOFF, TrueType or OpenType');
  const taken = await store.update(uploads, { _id: id, blob: { $exists: false } }, { $set: { blob } });
  if (!taken) throw alreadyUploaded();
}

/** A file that was uploaded. */
export interface Uploaded {
  name: string;
  blob: string;
  /** Bytes. */
  size: number;
}

/** The file of a key. Throws 412 that names `field` where the organization has uploaded none of this kind within a day. */
export async function uploadedFile(
  store: Store,
  { organization, kind, key, field }: { organization: string; kind: UploadKind; key: string; field: string },
): Promise<Uploaded> {
  const upload = await store.get(uploads, uploadIdOf(key) ?? '');
  const isUsable =
    upload && upload.organization === organization && upload.kind === kind && upload.createdAt > usableSince();
  if (!isUsable || upload.blob === undefined)
    throw apiError('PRECONDITION_FAILED', `${field}: no file was uploaded under this key within a day`, 'not_uploaded');
  return { name: upload.name, blob: upload.blob, size: upload.size };
}

/** The key of an upload. */
export const uploadKey = ({ _id, kind }: Pick<UploadDocument, '_id' | 'kind'>): string => `${kind}/${_id}`;

const uploadIdOf = (key: string): string | undefined => /^[a-z_]+\/(\w+)$/.exec(key)?.[1];

/** The format of a font file; null for what is none. */
export async function formatOfFont(
  blobs: Blobs,
  { blob, size }: { blob: string; size: number },
): Promise<FontFormat | null> {
  const opened = await blobs.open(blob, { start: 0, end: fontHeaderBytes - 1 });
  return opened && fontFormatOf(Buffer.concat(await opened.toArray()), size);
}
